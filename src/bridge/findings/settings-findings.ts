import type { Finding } from '../../model/finding.ts';
import type { SettingsHealth } from '../../web/health-report.ts';

const MAX_CHARACTERS = 300;

/** Whether the bridge runs by the settings as they stand in the files, and what the last change took away. */
export function settingsFindings(settings: SettingsHealth | undefined): Finding[] {
  if (settings === undefined) return [];
  return [standingOf(settings), ...(settings.lost === undefined ? [] : [losses(settings.lost)])];
}

/** Sound as they are, so a person is told for a while and nothing is held up. */
function losses({ at, what }: NonNullable<SettingsHealth['lost']>): Finding {
  return {
    key: 'settings-lost',
    status: 'warn',
    text: `The change of the settings at ${at} took away: ${what.join(', ')}.`,
    remedy:
      'If that was not meant, put it back into bridge.yaml: it is taken up by itself. This is told for a day.',
  };
}

function standingOf({ refused, in_use_since: since }: SettingsHealth): Finding {
  const key = 'settings-refused';
  if (refused === undefined) return { key, status: 'ok', text: `The settings are in use since ${since}.` };
  const [first = '', ...others] = refused.reasons;
  const reason = first.length > MAX_CHARACTERS ? `${first.slice(0, MAX_CHARACTERS)}…` : first;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return {
    key,
    status: 'warn',
    text: `The settings were changed and are not in use; those from before are. ${reason}${more}`,
    remedy:
      'Mend what it says; the mended settings are taken up by themselves. dealer-bridge check tells all of it.',
  };
}
