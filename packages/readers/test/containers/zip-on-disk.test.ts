import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openZipOnDisk, type ZipMember } from '../../src/containers/zip-on-disk.ts';
import { zipOf } from '../../testkit/zip-fixture.ts';

const left: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of left.splice(0)) await undo();
});

async function onDisk(bytes: Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-zip-'));
  await writeFile(join(folder, 'a.zip'), bytes);
  const file = await open(join(folder, 'a.zip'));
  left.push(() => file.close().then(() => rm(folder, { recursive: true })));
  return file;
}

async function textOf(member: ZipMember | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of member?.open() ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const directoryAt = (bytes: Uint8Array): number => viewOf(bytes).getUint32(bytes.length - 22 + 16, true);

describe('a ZIP on the disk', () => {
  it('gives its files as streams, again and again, and tells what it read', async () => {
    let read = 0;
    const long = 'Grüße. '.repeat(100_000);
    const count = (bytes: number): void => {
      read += bytes;
    };
    const members = await openZipOnDisk(await onDisk(zipOf({ 'käse/a.json': '{}', 'b.txt': long })), count);
    expect(members.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['käse/a.json', 2],
      ['b.txt', Buffer.byteLength(long)],
    ]);
    expect(await textOf(members[1])).toBe(long);
    expect([await textOf(members[0]), await textOf(members[0])]).toEqual(['{}', '{}']);
    expect(read).toBeGreaterThan(0);
  });

  it('may have bytes behind its end', async () => {
    const [member] = await openZipOnDisk(await onDisk(Buffer.concat([zipOf({ a: 'words' }), Buffer.alloc(1000)])));
    expect(await textOf(member)).toBe('words');
  });

  it('may be left in the middle of a file', async () => {
    const [member] = await openZipOnDisk(await onDisk(zipOf({ a: 'many words '.repeat(500_000) })));
    for await (const chunk of member?.open() ?? []) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await textOf(member)).length).toBe(5_500_000);
  });

  it('refuses what has no directory, ends too early or is damaged', async () => {
    const whole = zipOf({ a: 'some words '.repeat(1000) });
    for (const bytes of [Buffer.from('PK\u0003\u0004 nothing else'), whole.slice(0, -30)])
      await expect(openZipOnDisk(await onDisk(bytes))).rejects.toMatchObject({ code: 'invalid-media' });
    const spoiled = whole.slice();
    spoiled.fill(0xff, 40, 60);
    const [member] = await openZipOnDisk(await onDisk(spoiled));
    await expect(textOf(member)).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('refuses a file that claims another size than it has, or more than deflate can pack', async () => {
    for (const claimed of [10, 20_000, 0x7fffffff]) {
      const bytes = zipOf({ a: 'some words '.repeat(1000) });
      viewOf(bytes).setUint32(directoryAt(bytes) + 24, claimed, true);
      const [member] = await openZipOnDisk(await onDisk(bytes));
      await expect(textOf(member)).rejects.toMatchObject({ code: 'invalid-media' });
    }
  });

  it('refuses a file that is encrypted', async () => {
    const bytes = zipOf({ a: 'x' });
    viewOf(bytes).setUint16(directoryAt(bytes) + 8, 1, true);
    const [member] = await openZipOnDisk(await onDisk(bytes));
    await expect(textOf(member)).rejects.toThrow('encrypted');
  });
});
