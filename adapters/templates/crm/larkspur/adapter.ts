import type { CrmAdapter, HttpDelivery, LeadDocument, Problem } from 'dealer-bridge/adapter';
import { classify } from './classify.ts';
import { larkspurLead } from './larkspur-lead.ts';

/** The settings of options.schema.json, defaults filled in. */
interface Options {
  dealer_code: string;
  client_id: string;
  client_secret: string;
  note_limit: number;
  api_url: string;
  token_url: string;
  timeout_seconds: number;
}

const larkspur: CrmAdapter<Options> = {
  check,
  build,
  classify,
  place: ({ api_url }) => ({ address: api_url }),
};
export default larkspur;

/** Leads and the client's secret cross the network encrypted, or do not leave this machine. */
function check(options: Options): Problem[] {
  return (['api_url', 'token_url'] as const)
    .filter((name) => !/^(https:\/\/|http:\/\/127\.0\.0\.1:)[^@?#]+$/.test(options[name]))
    .map((name) => ({
      code: 'ADAPTER_OPTION_INVALID',
      message: `${name} must begin with https:// and hold no login, query or fragment`,
      where: { path: name },
    }));
}

function build(lead: LeadDocument, options: Options): HttpDelivery {
  const timeoutMs = options.timeout_seconds * 1000;
  return {
    kind: 'http',
    method: 'POST',
    url: `${options.api_url}/dealers/${options.dealer_code}/leads`,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(larkspurLead(lead, options.note_limit)),
    // The bridge fetches the token, keeps it while it holds, and sends it as Authorization: Bearer.
    token: {
      url: options.token_url,
      form: { grant_type: 'client_credentials', scope: 'leads.write' },
      basic: { user: options.client_id, password: options.client_secret },
      timeoutMs,
    },
    timeoutMs,
  };
}
