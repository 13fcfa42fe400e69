import type { AdfOptions } from '../../../src/adapters/index.ts';

/** options.schema.json, defaults filled in, secrets expanded. */
export interface Options {
  host: string;
  port: number;
  user: string;
  password?: string;
  private_key?: string;
  passphrase?: string;
  host_key?: string;
  folder: string;
  name: string;
  timeout_seconds: number;
  adf: AdfOptions;
}
