// A reader that makes something else of a sound file is another edition of it: otherwise nobody would read again after an upgrade what it
// reads better now.
import { readFile } from 'node:fs/promises';
import { formats } from '@footnote/readers/media-types';
import { expect, it } from 'vitest';
import { isOutdated, isReadAgain, toReading } from '../../../src/ingest/read/reading-editions.ts';
import { cutting, digestsNow, type ReadingDigests } from '../reading-digests.ts';
import { withoutSample } from '../reading-samples.ts';

const advice = 'node scripts/reading-editions.ts';

it('has the edition of each reader raised since something else came out of it', async () => {
  const noted = JSON.parse(await readFile(new URL('reading-editions.json', import.meta.url), 'utf8')) as ReadingDigests;
  const now = await digestsNow();
  const changed = Object.keys(now).filter(
    (kind) => now[kind]?.digest !== noted[kind]?.digest && now[kind]?.edition === noted[kind]?.edition,
  );
  expect(
    changed,
    `Something else comes out of these kinds: raise their editions in src/ingest/read/reading-editions.ts, then ${advice}.`,
  ).toEqual([]);
  expect(noted, `The list of editions is not the one of now: ${advice}.`).toEqual(now);
}, 120_000);

it('has a sample of every kind of document, or says that it has none', async () => {
  const noted = Object.keys(await digestsNow());
  const kinds = formats.filter(({ isArchive }) => !isArchive).map(({ mime }) => mime);
  expect(noted.filter((kind) => kind !== cutting && !kinds.includes(kind))).toEqual([]);
  expect(kinds.filter((kind) => !noted.includes(kind) && !withoutSample.has(kind))).toEqual([]);
  expect(noted.filter((kind) => withoutSample.has(kind))).toEqual([]);
}, 120_000);

it('tells an earlier edition from this one and from one of which nobody knows', () => {
  const editionOf = (kind: string): number => (kind === 'text/html' ? 3 : 1);
  // Another name of the same kind is the same reader.
  expect(toReading('application/xhtml+xml; charset=utf-8', editionOf)).toBe('text/html 3');
  expect(isOutdated('text/html 2', editionOf)).toBe(true);
  expect(isOutdated('text/html 3', editionOf)).toBe(false);
  expect(isOutdated('text/plain 1', editionOf)).toBe(false);
  // Written by a newer version of the program.
  expect(isOutdated('text/html 10', editionOf)).toBe(false);
  expect(isOutdated(undefined, editionOf)).toBe(false);
  expect(isReadAgain('text/html 2', { editionOf })).toBe(true);
  expect(isReadAgain('text/html 2', { reread: false, editionOf })).toBe(false);
  expect(isReadAgain(undefined, { reread: true, editionOf })).toBe(true);
});
