// Finds evaluation data that lives outside the repository. Tests that need it skip, with a clear line, where it is absent.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Where the evaluation data stands, if it is there. */
export const sharedRoot = process.env['FOOTNOTE_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../shared/data');

/** The path of a file or folder of the evaluation data, or undefined where it is not there. */
export function sharedData(...parts: string[]): string | undefined {
  const path = join(sharedRoot, ...parts);
  if (existsSync(path)) return path;
  console.log(`skipped: evaluation data ${join(...parts)} is not beside this checkout`);
  return undefined;
}

/** The rows of a file of JSON lines, packed or not; undefined where it is not there. */
export function sharedLines<Row>(...parts: string[]): Row[] | undefined {
  const path = join(sharedRoot, ...parts);
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/** The questions of a judged set, packed or not. Throws where the set is not there. */
export function sharedQueries(set: string): readonly string[] {
  const rows =
    sharedLines<{ readonly text: string }>(set, 'queries.jsonl') ??
    sharedLines<{ readonly text: string }>(set, 'queries.jsonl.gz');
  if (rows === undefined) throw new Error(`FOOTNOTE_SHARED_DATA names no folder with ${set}.`);
  return rows.map(({ text }) => text);
}
