import type { AttemptOutcome, Delivery } from '../../adapters/crm-adapter.ts';
import { deliverFile } from './file.ts';
import { deliverHttp } from './http.ts';
import { deliverSftp } from './sftp.ts';
import { deliverMail } from './smtp.ts';

/**
 * One attempt, by the transport that the adapter asked for. Whatever goes wrong on the way is part of the outcome;
 * it throws only before anything was sent, on a delivery that is none.
 */
export async function deliver(delivery: Delivery, dataFolder: string): Promise<AttemptOutcome> {
  switch (delivery.kind) {
    case 'email':
      return deliverMail(delivery);
    case 'http':
      return deliverHttp(delivery);
    case 'file':
      return deliverFile(delivery, dataFolder);
    case 'sftp':
      return deliverSftp(delivery);
    default:
      throw new Error('the adapter asked for an unknown kind of delivery');
  }
}
