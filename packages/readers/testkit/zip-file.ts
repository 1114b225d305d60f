// Makes ZIP archives byte by byte (APPNOTE 6.3), sound ones and ones that lie.
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** 0 stored, 8 deflated (default), 93 by Zstandard; others are only claimed, `content` being as it is packed. */
  readonly method?: number;
  /** The content, where it is packed by another method. */
  readonly plain?: string;
  /** The bytes of the name, which nothing marks as UTF-8. */
  readonly rawName?: Uint8Array;
  readonly isEncrypted?: boolean;
  /** Mode of Unix, such as 0o120777 for a link. */
  readonly mode?: number;
  /** What the directory claims. */
  readonly claimedBytes?: number;
  readonly claimedCrc?: number;
}

interface Placed {
  readonly local: Buffer;
  readonly central: (offset: number) => Buffer;
}

function place(member: ZipMember): Placed {
  const { name, content = '', method = 8, isEncrypted, mode = 0, claimedBytes, claimedCrc, rawName } = member;
  const plain = Buffer.from(member.plain ?? content);
  const packed = method === 8 ? deflateRawSync(plain) : method === 93 ? zstdCompressSync(plain) : Buffer.from(content);
  const raw = Buffer.from(rawName ?? name);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE((isEncrypted ? 1 : 0) | (rawName === undefined ? 0x800 : 0), 2);
  facts.writeUInt16LE(method, 4);
  facts.writeUInt32LE(claimedCrc ?? crc32(plain), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(claimedBytes ?? plain.length, 18);
  facts.writeUInt16LE(raw.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, raw, packed]);
  const central = (offset: number): Buffer => {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    return Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), facts, rest, raw]);
  };
  return { local, central };
}

/** `sharing`: every entry of the directory names the bytes of the first file. */
export function zipFile(members: readonly ZipMember[], { sharing = false } = {}): Buffer {
  const placed = members.map(place);
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { local, central } of placed) {
    centrals.push(central(sharing ? 0 : offset));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
