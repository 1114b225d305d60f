import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from '@footnote/readers/containers/archive-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import { backUp, examineBackup, readLastBackup } from '../../../src/footnote/backup/backup.ts';
import { restore } from '../../../src/footnote/backup/restore.ts';
import { acquireLock } from '../../../src/footnote/lock.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';

const { signal } = new AbortController();
const question = 'Who designed the lighthouse of Cabo Frio?';
const note = (name: string, text: string) => ({ text, mime: 'text/markdown', uri: `${name}.md`, source: 'notes' });

/** The entries of a TAR, in their order. */
async function entriesOf(file: string): Promise<[name: string, bytes: Buffer][]> {
  const entries = extract();
  const found: [string, Buffer][] = [];
  createReadStream(file).pipe(entries);
  for await (const entry of entries) {
    const pieces: Uint8Array[] = [];
    for await (const piece of entry as AsyncIterable<Uint8Array>) pieces.push(piece);
    found.push([entry.header.name, Buffer.concat(pieces)]);
  }
  return found;
}

async function writeEntries(file: string, entries: readonly (readonly [name: string, bytes: Buffer])[]): Promise<void> {
  const tar = pack();
  for (const [name, bytes] of entries) tar.entry({ name }, bytes);
  tar.finalize();
  await pipeline(tar, createWriteStream(file));
}

describe('backups', () => {
  let folder: string;
  let data: string;
  let file: string;
  let opened: OpenedFootnote;
  const open = (at: string) => openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: at } }));
  const emptyFolder = (): Promise<string> => mkdtemp(join(folder, 'into-'));
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-backup-'));
    data = join(folder, 'data');
    file = join(folder, 'whole.tar');
    opened = await open(data);
    await opened
      .forScope(localScope())
      .documents.add(
        note('lighthouse', '# The lighthouse\n\nMarta Oliveira designed the lighthouse of Cabo Frio in 1887.\n'),
      );
    await opened.forScope(localScope()).sessions.send('ses_kept', { content: question });
    await opened.keys.create({ name: 'laptop', role: 'reader' });
    await backUp({ folder: data }, file, signal);
  });
  afterAll(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('give the same answer from the same documents, sessions and keys', async () => {
    const into = await emptyFolder();
    const { manifest, kept } = await restore(into, file, { replace: false, signal });
    expect(kept).toBeUndefined();
    expect(manifest.counts).toMatchObject({ documents: 1, sessions: 1, turns: 1, keys: 1 });
    const again = await open(into);
    try {
      const [one, other] = await Promise.all(
        [opened, again].map((each) => each.forScope(localScope()).ask({ question })),
      );
      expect(other?.answer).toBe(one?.answer);
      expect(other?.citations).toEqual(one?.citations);
      expect(other?.claims[0]?.text).toContain('Marta Oliveira');
      expect(await again.check()).toEqual([]);
      expect(await again.forScope(localScope()).sessions.turns('ses_kept')).toEqual(
        await opened.forScope(localScope()).sessions.turns('ses_kept'),
      );
      expect(await again.keys.list()).toEqual(await opened.keys.list());
    } finally {
      await again.close();
    }
    expect(await readLastBackup(data)).toEqual({ at: manifest.createdAt, file });
  });

  it('hold all that twenty writers were told of before, and hold up none of them', async () => {
    const { documents } = opened.forScope(localScope());
    const acknowledged: string[] = [];
    let isOver = false;
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; !isOver; count += 1) {
        const [added] = await documents.add(note(`w${writer}-${count}`, `Writer ${writer} wrote ${count} pages.\n`));
        if (added) acknowledged.push(added.id);
      }
    };
    const writers = Array.from({ length: 20 }, (_, writer) => write(writer));
    while (acknowledged.length < 40) await new Promise((next) => setImmediate(next));
    const before = [...acknowledged];
    const growing = join(folder, 'growing.tar');
    await backUp({ folder: data }, growing, signal);
    const during = acknowledged.length - before.length;
    isOver = true;
    await Promise.all(writers);
    expect(during).toBeGreaterThan(0);
    const into = await emptyFolder();
    await restore(into, growing, { replace: false, signal });
    const again = await open(into);
    try {
      const restored = again.forScope(localScope()).documents;
      for (const id of before) expect((await restored.get(id)).id).toBe(id);
      expect(await again.check()).toEqual([]);
    } finally {
      await again.close();
    }
  });

  it('replace what is there where that is said, and keep it beside', async () => {
    const into = await emptyFolder();
    const other = await open(into);
    await other.forScope(localScope()).documents.add(note('harbour', 'The harbour has four cranes.\n'));
    await other.close();
    await expect(restore(into, file, { replace: false, signal })).rejects.toMatchObject({ code: 'conflict' });
    const { kept = '' } = await restore(into, file, { replace: true, signal });
    expect(await readdir(kept)).toContain('record.sqlite');
    const again = await open(into);
    const { data: found } = await again.forScope(localScope()).documents.list({});
    await again.close();
    expect(found.map(({ uri }) => uri)).toEqual(['lighthouse.md']);
  });

  it('refuse a folder that a process owns, and a file that is there', async () => {
    const into = await emptyFolder();
    const lock = await acquireLock(into, 'footnote serve');
    await expect(restore(into, file, { replace: true, signal })).rejects.toMatchObject({ code: 'already-running' });
    await lock.release();
    await expect(backUp({ folder: data }, file, signal)).rejects.toMatchObject({ code: 'conflict' });
    await expect(backUp({ folder: into }, join(folder, 'none.tar'), signal)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('change nothing where they are damaged, cut off, foreign or newer', async () => {
    const [[, manifestBytes] = ['', Buffer.alloc(0)], [, record] = ['', Buffer.alloc(0)]] = await entriesOf(file);
    const manifest = JSON.parse(manifestBytes.toString('utf8')) as Record<string, unknown>;
    const withManifest = (changed: object): Buffer => Buffer.from(JSON.stringify({ ...manifest, ...changed }));
    const facts = (bytes: Buffer) => ({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const flipped = Buffer.from(record);
    flipped[5000] = (flipped[5000] ?? 0) ^ 1;
    const newer = Buffer.from(record);
    newer.writeUInt32BE(9999, 60);
    const text = Buffer.from('no database');
    const whole = [
      ['manifest.json', manifestBytes],
      ['record.sqlite', record],
    ] as const;
    const cases: Readonly<Record<string, readonly [string, readonly (readonly [string, Buffer])[]]>> = {
      'one bit': ['invalid-media', [whole[0], ['record.sqlite', flipped]]],
      'no record': ['invalid-media', [whole[0]]],
      'no manifest': ['invalid-media', [whole[1]]],
      'a path that leaves': ['invalid-media', [whole[0], ['../record.sqlite', record], whole[1]]],
      'an absolute path': ['invalid-media', [whole[0], whole[1], ['/tmp/record.sqlite', record]]],
      'two records': ['invalid-media', [...whole, whole[1]]],
      'a newer form': ['migration-needed', [['manifest.json', withManifest({ formatVersion: 2 })], whole[1]]],
      'a newer schema': ['migration-needed', [['manifest.json', withManifest({ schema: 9999 })], whole[1]]],
      'a newer schema that its manifest hides': [
        'migration-needed',
        [
          ['manifest.json', withManifest({ record: facts(newer) })],
          ['record.sqlite', newer],
        ],
      ],
      'no database': [
        'data-corrupt',
        [
          ['manifest.json', withManifest({ record: facts(text) })],
          ['record.sqlite', text],
        ],
      ],
      'no JSON': ['invalid-media', [['manifest.json', text], whole[1]]],
    };
    const into = await emptyFolder();
    await restore(into, file, { replace: false, signal });
    const before = await readFile(join(into, 'record.sqlite'));
    const expectRefused = async (bad: string, code: string, what: string): Promise<void> => {
      await expect(restore(into, bad, { replace: true, signal }), what).rejects.toMatchObject({ code });
      expect((await readdir(into)).toSorted(), what).toEqual(['record.sqlite']);
      expect((await readFile(join(into, 'record.sqlite'))).equals(before), what).toBe(true);
    };
    const bad = join(folder, 'bad.tar');
    for (const [what, [code, entries]] of Object.entries(cases)) {
      await writeEntries(bad, entries);
      await expectRefused(bad, code, what);
    }
    const bytes = await readFile(file);
    for (let cut = 0; cut < 20; cut += 1) {
      await writeFile(bad, bytes);
      const end = 1024 + record.length + manifestBytes.length;
      await truncate(bad, Math.floor((end * cut) / 20));
      await expectRefused(bad, 'invalid-media', `cut ${cut}`);
    }
  });

  it('tell the doctor how old the last one is', async () => {
    const { at = '' } = (await readLastBackup(data)) ?? {};
    const daysLater = async (days: number) => examineBackup(data, Date.parse(at) + days * 86_400_000);
    expect(await daysLater(1)).toMatchObject([
      { state: 'ok', detail: expect.stringContaining('24 hours ago') as string },
    ]);
    expect(await daysLater(8)).toMatchObject([
      { state: 'warning', detail: expect.stringContaining('8 days ago') as string },
    ]);
    expect(await examineBackup(await emptyFolder())).toEqual([]);
  });

  it('leave nothing behind when they are cancelled', async () => {
    const place = join(folder, 'cancelled');
    await mkdir(place);
    const ending = new AbortController();
    ending.abort();
    await expect(backUp({ folder: data }, join(place, 'whole.tar'), ending.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(await readdir(place)).toEqual([]);
  });
});
