import { leadFileName, renderAdf } from '../../../src/adapters/index.ts';
import type { CrmAdapter, LeadDocument, SftpDelivery } from '../../../src/adapters/index.ts';
import { check } from './check.ts';
import { classify } from './classify.ts';
import type { Options } from './options.ts';

/** Each lead as one ADF file on the CRM's SFTP server. */
const adfSftp: CrmAdapter<Options> = {
  check,
  build,
  classify,
  place: ({ host, port, folder }) => ({ address: `sftp://${host}:${port}/${folder.replace(/^\//, '')}` }),
};
export default adfSftp;

function build(lead: LeadDocument, options: Options): SftpDelivery {
  return {
    kind: 'sftp',
    server: serverOf(options),
    folder: options.folder,
    name: leadFileName(options.name, lead),
    content: renderAdf(lead, options.adf),
  };
}

function serverOf(options: Options): SftpDelivery['server'] {
  const { host, port, user, password, private_key, passphrase, host_key, timeout_seconds } = options;
  return {
    host,
    port,
    user,
    ...(password === undefined ? {} : { password }),
    ...(private_key === undefined ? {} : { privateKey: private_key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(host_key === undefined ? {} : { hostKey: host_key }),
    timeoutMs: timeout_seconds * 1000,
  };
}
