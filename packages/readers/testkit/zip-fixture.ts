// Writes ZIP files for tests by hand, so that what a test says of an archive is what stands in it.
import { crc32, deflateRawSync } from 'node:zlib';

/** The entries in order; texts as UTF-8, all deflated but `mimetype`. */
export function zipOf(entries: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    const isStored = name === 'mimetype';
    const packed = isStored ? bytes : deflateRawSync(bytes);
    const encodedName = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x0800, 2);
    shared.writeUInt16LE(isStored ? 0 : 8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(encodedName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, encodedName, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), shared, tail, encodedName]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, central, end]));
}

/** A relationships part. */
export function relationships(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const entries = Object.entries(targets).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}
