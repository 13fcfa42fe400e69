import type { Finding, Trouble } from '../../model/finding.ts';
import type { DestinationHealth, HealthFacts } from '../../web/health-report.ts';

/** @param alerts what the leads' own room says. */
export function leadFindings({ leads }: Pick<HealthFacts, 'leads'>, alerts: readonly Trouble[]): Finding[] {
  const waiting = leads.destinations.reduce((sum, destination) => sum + destination.waiting, 0);
  const troubles: Finding[] = [
    ...alerts,
    ...leads.destinations.flatMap(adapterFault),
    ...leads.destinations.flatMap(unknownDestination),
  ];
  return [
    ...(troubles.length > 0
      ? troubles
      : [{ key: 'leads', status: 'ok', text: `${waiting} leads are on their way, none too long.` } as const]),
    ...leads.unencrypted_destinations.map((id): Finding => ({
      key: `destination-unencrypted:${id}`,
      status: 'ok',
      text: `Leads go to ${id} unencrypted, as the settings say.`,
    })),
  ];
}

function adapterFault({ id, adapter_fault: fault }: DestinationHealth): Finding[] {
  if (fault === undefined) return [];
  return [
    {
      key: `adapter-refuses:${id}`,
      status: 'fail',
      text: `The adapter of the destination ${id} cannot write its leads: ${fault}`,
      remedy: `The leads wait. Try it: dealer-bridge destination test ${id}`,
    },
  ];
}

function unknownDestination({
  id,
  waiting,
  oldest,
  not_in_settings: isUnknown,
}: DestinationHealth): Finding[] {
  if (isUnknown !== true || waiting === 0) return [];
  const leads = waiting === 1 ? '1 lead waits' : `${waiting} leads wait`;
  const first = oldest?.lead_id ?? 'ID';
  return [
    {
      key: `destination-unknown:${id}`,
      status: 'warn',
      text: `${leads} for the destination ${id}, which is not in the settings: nobody sends them.`,
      remedy:
        `Put ${id} back into leads.destinations; or send them elsewhere (dealer-bridge leads resend ${first} ` +
        '--destination OTHER --reason TEXT) and end them here (leads cancel).',
    },
  ];
}
