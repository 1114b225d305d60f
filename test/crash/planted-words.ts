// Looks for words in everything that a data folder holds: the bytes of every file as they stand (UTF-8, UTF-16, base64), and every
// value of every table, unpacked.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import type { Random } from '../../testkit/history.ts';

/** Every planted word starts so, and nothing else does. */
const mark = 'zqv';
const pattern = /zqv[0-9a-f]{13}/g;

/** A word that no stemmer changes. */
export const plantedWord = (random: Random): string =>
  `${mark}${Array.from({ length: 12 }, () => random.below(16).toString(16)).join('')}0`;

/** Where words that were sought were found, by file or by table and column. */
export type Found = ReadonlyMap<string, ReadonlySet<string>>;

function base64Forms(word: string): readonly string[] {
  // As it stands after none, one and two bytes of something else; the ends depend on their neighbours.
  return [0, 1, 2].map((before) =>
    Buffer.from(`${' '.repeat(before)}${word}`)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  );
}

function searchBytes(bytes: Buffer, words: ReadonlySet<string>): readonly string[] {
  const raw = bytes.toString('latin1');
  // UTF-16 of these letters is the same with zeros in between.
  const seen = [raw, raw.replaceAll('\u0000', '')]
    .flatMap((text) => text.toLowerCase().match(pattern) ?? [])
    .filter((word) => words.has(word));
  return [...seen, ...[...words].filter((word) => base64Forms(word).some((form) => raw.includes(form)))];
}

function searchTables(path: string, words: ReadonlySet<string>, note: (place: string, word: string) => void): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables)
      for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).iterate())
        for (const [column, value] of Object.entries(row)) {
          if (typeof value !== 'string' && !(value instanceof Uint8Array)) continue;
          const bytes = Buffer.from(value as string);
          for (const word of searchBytes(unpacked(bytes) ?? bytes, words)) note(`${String(name)}.${column}`, word);
        }
  } finally {
    database.close();
  }
}

function unpacked(bytes: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes);
  } catch {
    return undefined;
  }
}

/** The folder is copied first: opening its record would change it. */
export function findPlanted(folder: string, planted: Iterable<string>): Found {
  const words = new Set(planted);
  const found = new Map<string, Set<string>>();
  const note = (place: string, word: string): void => {
    const there = found.get(place) ?? new Set<string>();
    found.set(place, there);
    there.add(word);
  };
  const place = mkdtempSync(join(tmpdir(), 'footnote-planted-'));
  try {
    const copy = join(place, 'data');
    cpSync(folder, copy, { recursive: true });
    for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      for (const word of searchBytes(readFileSync(join(entry.parentPath, entry.name)), words)) note(entry.name, word);
    }
    searchTables(join(copy, 'record.sqlite'), words, note);
    return found;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
