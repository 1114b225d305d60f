// Bits that rot, pages that vanish, files that are cut: whatever happened to the bytes, the record serves what was written or
// says that it is damaged. SQLite alone notices about one flipped bit in a hundred; the hashes notice the rest.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import type { DocumentWrite } from '../../src/db/repositories/changes.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { createRandom, type Random } from '../../testkit/history.ts';
import { putAll } from '../../testkit/record-changes.ts';
import { createWrite } from '../../testkit/record-fixture.ts';

const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_121);
const damages = process.env['FOOTNOTE_TEST_LONG'] ? 500 : 120;
const pageBytes = 4096;
const words = ['granite', 'lantern', 'meadow', 'quarrel', 'saffron', 'tundra', 'velvet', 'willow'];

let place = '';
let sound: Buffer;
const writes: DocumentWrite[] = [];

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'footnote-rot-'));
  const random = createRandom(seed);
  const record = openSqliteRecord({ folder: join(place, 'sound') });
  for (let number = 0; number < 10; number += 1) {
    const text = Array.from({ length: 150 + random.below(300) }, () => words[random.below(words.length)]).join(' ');
    const file = new TextEncoder().encode(`original ${number} ${text.slice(0, 500)}`);
    writes.push(createWrite(text, { id: `d${number}`, uri: `d${number}.md`, metadata: { number }, file }));
  }
  await record.forScope(localScope()).commit(putAll(writes));
  await record.close();
  sound = readFileSync(join(place, 'sound', 'record.sqlite'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Outcome {
  /** Something was refused as damaged, or the check found something. */
  readonly noticed: boolean;
  /** Something was served that was never written. */
  readonly wrong: string[];
}

async function readEverything(record: SqliteRecordDatabase): Promise<Outcome> {
  const { documents } = record.forScope(localScope());
  const wrong: string[] = [];
  let noticed = false;
  let missing = false;
  const compare = async (what: string, read: () => Promise<unknown>, expected: unknown): Promise<void> => {
    try {
      const value = await read();
      if (isDeepStrictEqual(value, expected)) return;
      // A broken index may hide an entry: nothing wrong is served, but the check has to notice.
      if (value === undefined || isPartOf(value, expected)) missing = true;
      else wrong.push(what);
    } catch (error) {
      if (!isFootnoteError(error) || error.code !== 'data-corrupt') wrong.push(`${what}: ${String(error)}`);
      noticed = true;
    }
  };
  for (const write of writes) {
    const { id } = write.document;
    await compare(`document ${id}`, () => documents.get(id), write.document);
    await compare(`text ${id}`, () => documents.text(id), write.text);
    await compare(`chunks ${id}`, () => documents.chunks(id), write.chunks);
    await compare(`structure ${id}`, () => documents.structure(id), write.structure);
    await compare(`file ${id}`, async () => hex(await documents.file(id)), hex(write.file));
    await compare(
      `chunks of ${id} by their ids`,
      async () => (await documents.chunksById(write.chunks.map((chunk) => chunk.id))).map((found) => found.chunk),
      write.chunks,
    );
  }
  const problems = await record.check();
  if (problems.length > 0) noticed = true;
  if (missing && !noticed) wrong.push('something is missing and nothing was noticed');
  return { noticed, wrong };
}

const hex = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex');

function isPartOf(value: unknown, expected: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(expected)) return false;
  return value.every((item) => expected.some((other) => isDeepStrictEqual(item, other)));
}

let images = 0;
async function open(bytes: Uint8Array): Promise<Outcome> {
  images += 1;
  const folder = join(place, `image-${images}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'record.sqlite'), bytes);
  try {
    const record = openSqliteRecord({ folder });
    try {
      return await readEverything(record);
    } finally {
      await record.close();
    }
  } catch (error) {
    const wrong = isFootnoteError(error) && error.code === 'data-corrupt' ? [] : [`opening: ${String(error)}`];
    return { noticed: true, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function flipAt(position: number, random: Random): Buffer {
  const bytes = Buffer.from(sound);
  bytes[position] = (bytes[position] ?? 0) ^ (1 << random.below(8));
  return bytes;
}

describe('a damaged record', () => {
  it('is read whole when nothing is wrong', async () => {
    expect(await open(sound)).toEqual({ noticed: false, wrong: [] });
  });

  it(`never serves what was not written, for ${damages} flipped bits anywhere`, async () => {
    const random = createRandom(seed + 1);
    let noticed = 0;
    for (let number = 0; number < damages; number += 1) {
      const position = random.below(sound.length);
      const outcome = await open(flipAt(position, random));
      expect(outcome.wrong, `bit at ${position}`).toEqual([]);
      if (outcome.noticed) noticed += 1;
    }
    console.log(`bit rot: ${damages} bits flipped anywhere, seed ${seed}: ${noticed} noticed, 0 served wrongly`);
  });

  it('notices every flipped bit in a text, a chunk or a file', async () => {
    const random = createRandom(seed + 2);
    for (let number = 0; number < damages / 2; number += 1) {
      const write = writes[random.below(writes.length)];
      const piece = write?.chunks[random.below(write.chunks.length)]?.text.slice(10, 40) ?? '';
      const places: number[] = [];
      for (let at = sound.indexOf(piece); at !== -1; at = sound.indexOf(piece, at + 1)) places.push(at);
      const at = places[random.below(places.length)];
      if (at === undefined) continue;
      const outcome = await open(flipAt(at + random.below(piece.length), random));
      expect(outcome).toEqual({ noticed: true, wrong: [] });
    }
  });

  it('lists what is sound, and is whole when the documents are written again, for flipped bits in names and facts', async () => {
    const random = createRandom(seed + 4);
    const places: number[] = [];
    for (const write of writes)
      for (const piece of [
        write.document.uri.slice(2),
        `Title of ${write.document.uri}`,
        'notes',
        '"number":',
        write.document.textHash,
      ])
        for (let at = sound.indexOf(piece); at !== -1; at = sound.indexOf(piece, at + 1))
          places.push(at + random.below(piece.length));
    let mended = 0;
    for (let number = 0; number < damages / 4; number += 1) {
      const position = places[random.below(places.length)] ?? 0;
      images += 1;
      const folder = join(place, `image-${images}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'record.sqlite'), flipAt(position, random));
      const record = openSqliteRecord({ folder });
      const tenant = record.forScope(localScope());
      const { data } = await tenant.documents.list({ limit: 1000 });
      expect(data.length, `bit at ${position}`).toBeGreaterThanOrEqual(writes.length - 1);
      for (const document of data) expect(writes.map((write) => write.document)).toContainEqual(document);
      for (const write of writes)
        await tenant.commit([
          { kind: 'put-document', write: { ...write, document: { ...write.document, revision: 2 } } },
        ]);
      for (const { document, text, chunks } of writes) {
        expect(await tenant.documents.get(document.id), `bit at ${position}`).toEqual({ ...document, revision: 2 });
        expect(await tenant.documents.text(document.id)).toBe(text);
        expect(await tenant.documents.chunks(document.id)).toEqual(chunks);
      }
      mended += 1;
      await record.close();
      rmSync(folder, { recursive: true });
    }
    console.log(`bit rot: ${mended} records with flipped names and facts written again, all whole`);
  });

  /**
   * Whether a page that another one replaced held nothing, where the other is empty as well or of another kind, or held a single row of bookkeeping
   * without an index (`document_change`) where the other is empty and of the same kind: the first takes no row away, and a page of another kind is an
   * error as soon as it is used; of the second nobody can tell that the row was there (https://sqlite.org/fileformat.html). What is served is
   * compared all the same.
   */
  const areAlike = (bytes: Buffer, page: number, other: number): boolean => {
    const rows = (at: number): number => bytes.readUInt16BE(at + 3);
    const isBtree = [2, 5, 10, 13].includes(bytes[page] ?? 0) && [2, 5, 10, 13].includes(bytes[other] ?? 0);
    const isOfOneKind = bytes[page] === bytes[other];
    return page > 0 && other > 0 && isBtree && (isOfOneKind ? rows(page) <= 1 && rows(other) === 0 : rows(page) === 0);
  };

  it('notices pages that were zeroed or swapped, and a file that was cut', async () => {
    const random = createRandom(seed + 3);
    const pages = sound.length / pageBytes;
    for (let number = 0; number < damages / 4; number += 1) {
      const bytes = Buffer.from(sound);
      const page = random.below(pages) * pageBytes;
      const other = random.below(pages) * pageBytes;
      if (number % 3 === 0) bytes.fill(0, page, page + pageBytes);
      else if (number % 3 === 1) bytes.copyWithin(page, other, other + pageBytes);
      const image = number % 3 === 2 ? bytes.subarray(0, pageBytes + random.below(sound.length - pageBytes)) : bytes;
      const outcome = await open(image);
      expect(outcome.wrong).toEqual([]);
      if (image.equals(sound) || (number % 3 === 1 && areAlike(sound, page, other))) continue;
      expect(outcome.noticed, `damage ${number}`).toBe(true);
    }
  });

  it('would go unnoticed by SQLite alone: the hashes are what notices', () => {
    const random = createRandom(seed + 2);
    const folder = join(place, 'alone');
    mkdirSync(folder);
    let seen = 0;
    const tries = 40;
    for (let number = 0; number < tries; number += 1) {
      const piece = writes[number % writes.length]?.chunks[0]?.text.slice(10, 40) ?? '';
      writeFileSync(join(folder, 'record.sqlite'), flipAt(sound.indexOf(piece) + random.below(piece.length), random));
      const database = new DatabaseSync(join(folder, 'record.sqlite'));
      const [line] = database.prepare('PRAGMA integrity_check').all();
      if (Object.values(line ?? {})[0] !== 'ok') seen += 1;
      database.close();
    }
    expect(seen).toBeLessThan(tries / 2);
  });
});
