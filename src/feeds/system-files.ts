const SYSTEM_FILES =
  /^(?:\.|(?:eh)?thumbs(?:_vista)?\.db(?:$|:)|desktop\.ini$|iconcache\.db$|icon\r?$|\$recycle\.bin$|__macosx$)/i;

/** Names that operating systems leave in folders: `Thumbs.db`, `desktop.ini`, `.DS_Store` and all that is hidden. */
export function isSystemFile(name: string): boolean {
  return SYSTEM_FILES.test(name);
}
