import type { SourceAgent } from '../model/lead.ts';
import { leaf, optionalLeaf, parent } from './element.ts';
import type { AdfElement } from './element.ts';
import type { AdfSettings } from './options.ts';
import { foreignIds } from './foreign-ids.ts';
import { lineOf, singleLine } from './text.ts';

/**
 * The provider is whoever the lead came from. CRMs take the lead source from its name and service and match
 * duplicates on them, so both are exact and stable (adf-1.0 sections 2.4 and 4).
 */
export function providerElement(agent: SourceAgent, { provider }: AdfSettings): AdfElement<'provider'> {
  const agentName = singleLine(agent.name);
  const network = provider.form === 'network' ? lineOf(provider.name) : undefined;
  const [name, service, url] =
    network === undefined ? [agentName, provider.service, agent.url] : [network, agentName, provider.url];
  return parent(
    'provider',
    {},
    {
      id: foreignIds(provider.ids),
      name: leaf('name', name, { part: 'full' }),
      service: optionalLeaf('service', lineOf(service)),
      url: optionalLeaf('url', lineOf(url)),
      email: optionalLeaf('email', lineOf(provider.email)),
    },
  );
}
