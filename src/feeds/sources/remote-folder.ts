import type { Writable } from 'node:stream';

/** A file as a server lists it. */
export interface RemoteFile {
  name: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970, where the server says so without doubt. */
  modifiedAt?: number;
  /** Size and time as far as they are known: another text means another file. */
  version: string;
}

/** An open folder on a server, whatever the protocol. One call at a time. */
export interface RemoteFolder {
  /** The regular files in it whose names are of interest. Throws a SourceFault when it holds too many. */
  list(isOfInterest: (name: string) => boolean): Promise<RemoteFile[]>;
  /** Resolves once the whole file is written and `into` has finished. */
  download(name: string, into: Writable): Promise<void>;
}
