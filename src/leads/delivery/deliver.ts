import type { AttemptOutcome, Delivery } from '../../adapters/crm-adapter.ts';

/**
 * One attempt, by the transport that the adapter asked for. Whatever goes wrong on the way is part of the outcome;
 * it throws only before anything was sent, on a delivery that is none. Each transport brings a library of its own
 * along, so it is loaded with the first lead that goes its way.
 */
export async function deliver(delivery: Delivery, dataFolder: string): Promise<AttemptOutcome> {
  switch (delivery.kind) {
    case 'email':
      return (await import('./smtp.ts')).deliverMail(delivery);
    case 'http':
      return (await import('./http.ts')).deliverHttp(delivery);
    case 'file':
      return (await import('./file.ts')).deliverFile(delivery, dataFolder);
    case 'sftp':
      return (await import('./sftp.ts')).deliverSftp(delivery);
    default:
      throw new Error('the adapter asked for an unknown kind of delivery');
  }
}
