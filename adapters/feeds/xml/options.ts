/** The settings of options.schema.json. */
export interface XmlOptions {
  readonly record: string | readonly string[];
  readonly repair?: boolean;
  readonly error_element?: { readonly path: string; readonly ok: readonly string[] };
  readonly count?: { readonly path: string } | false;
}
