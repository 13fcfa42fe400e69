import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipSource {
  name: string;
  content: Uint8Array | string;
  method?: 'store' | 'deflate';
  encrypted?: boolean;
  symbolicLink?: boolean;
  /** What the headers claim in place of the truth. */
  claimedBytes?: number;
  claimedCrc?: number;
  methodNumber?: number;
}

/** Writes archives, sound and otherwise, that no archiver would. */
export function zip(sources: readonly ZipSource[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const source of sources) {
    const content = Buffer.from(source.content as string);
    const packed = source.method === 'deflate' ? deflateRawSync(content) : content;
    const name = Buffer.from(source.name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(source.encrypted === true ? 1 : 0, 2);
    shared.writeUInt16LE(source.methodNumber ?? (source.method === 'deflate' ? 8 : 0), 4);
    shared.writeUInt32LE(source.claimedCrc ?? crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(source.claimedBytes ?? content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(source.symbolicLink === true ? 0xa1ff0000 : 0x81a40000, 6);
    tail.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, shared, tail, name]));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(sources.length, 8);
  end.writeUInt16LE(sources.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([...locals, entries, end, Buffer.from(comment)]);
}
