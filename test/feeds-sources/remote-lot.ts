/** What a test server has in its one folder, and what it does to those who read it. */
export interface RemoteLot {
  files: Map<string, RemoteContent>;
  /** Names that were read, in order. */
  reads: string[];
  /** Asked for the list, the server says nothing. */
  isSilent?: boolean;
  /** There is no such folder. */
  isMissing?: boolean;
  /** Called before a file is handed out. */
  onRead?: (name: string) => void;
}

export interface RemoteContent {
  text: string;
  /** Seconds since 1970. */
  changedAt: number;
  /** Said in listings in place of the true size. */
  listedSize?: number;
  /** The connection is cut after half of the file. */
  breaksOff?: boolean;
  isFolder?: boolean;
}

export const USER = 'dealer';
export const PASSWORD = 'correct horse';

export function remoteLot(): RemoteLot {
  return { files: new Map(), reads: [] };
}

export function sizeOf({ text, listedSize }: RemoteContent): number {
  return listedSize ?? Buffer.byteLength(text);
}
