import type { AdfOptions } from '../../../src/adapters/index.ts';

/** options.schema.json, defaults filled in, secrets expanded. */
export interface Options {
  url: string;
  allow_plain_http: boolean;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  auth: AuthOptions;
  signature?: { header: string; secret: string; encoding: 'hex' | 'base64'; prefix: string };
  content_type?: string;
  json?: { field: string; fields: Record<string, string | number | boolean | null> };
  answer: { rules: AnswerRule[]; otherwise: 'rejected' | 'retry'; reference?: AnswerPlace };
  timeout_seconds: number;
  adf: AdfOptions;
}

export interface AuthOptions {
  kind: 'none' | 'basic' | 'bearer' | 'header' | 'query';
  user?: string;
  password?: string;
  token?: string;
  name?: string;
}

/** Exactly one of the three is set; `check` sees to it. */
export interface AnswerPlace {
  json?: string;
  xml?: string;
  pattern?: string;
}

export interface AnswerRule extends AnswerPlace {
  equals?: string | number | boolean | null;
}
