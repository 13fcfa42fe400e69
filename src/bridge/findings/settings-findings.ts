import type { Finding } from '../../model/finding.ts';
import type { SettingsHealth } from '../../web/health-report.ts';

const MAX_CHARACTERS = 300;

/** Whether the bridge runs by the settings as they stand in the files. */
export function settingsFindings(settings: SettingsHealth | undefined): Finding[] {
  if (settings === undefined) return [];
  const { refused, in_use_since: since } = settings;
  const key = 'settings-refused';
  if (refused === undefined) return [{ key, status: 'ok', text: `The settings are in use since ${since}.` }];
  const [first = '', ...others] = refused.reasons;
  const reason = first.length > MAX_CHARACTERS ? `${first.slice(0, MAX_CHARACTERS)}…` : first;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return [
    {
      key,
      status: 'warn',
      text: `The settings were changed and are not in use; those from before are. ${reason}${more}`,
      remedy:
        'Mend what it says; the mended settings are taken up by themselves. dealer-bridge check tells all of it.',
    },
  ];
}
