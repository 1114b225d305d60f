// What headers and tags of robots ask of one program.
import { expect, it } from 'vitest';
import { readRobotsDirectives } from '../../src/web/robots-directives.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

it.each<[string, boolean, boolean]>([
  ['', false, false],
  ['index, follow', false, false],
  ['noindex', true, false],
  [' NoIndex , nofollow', true, true],
  ['none', true, true],
  ['nofollow', false, true],
  ['max-image-preview:none, max-snippet:-1', false, false],
  ['max-snippet: 20, noindex', true, false],
  ['noarchive, noimageindex', false, false],
  ['footnote: noindex', true, false],
  ['Footnote: none', true, true],
  ['otherbot: noindex', false, false],
  ['otherbot: nofollow, noindex', false, false],
  ['otherbot: noindex, footnote: nofollow', false, true],
  ['otherbot: noindex, *: nofollow', false, true],
  ['*: noindex, otherbot: index', true, false],
  ['otherbot: noindex, *: otherbot: nofollow', false, false],
  ['unavailable_after: 25 Jun 2025 15:00:00 UTC', true, false],
  ['unavailable_after: Wednesday, 25-Jun-25 15:00:00 UTC, nofollow', true, true],
  ['unavailable_after: 2025-06-25T15:00:00Z', true, false],
  ['unavailable_after: 25 Jun 2031 15:00:00 UTC', false, false],
  ['unavailable_after: some day', false, false],
  ['otherbot: unavailable_after: 25 Jun 2025 15:00:00 UTC', false, false],
  ['footnote: unavailable_after: 25 Jun 2025 15:00:00 UTC', true, false],
  ['this page says noindex', false, false],
])('%s', (said, isPrivate, isClosed) => {
  expect(readRobotsDirectives(said, 'footnote', now)).toEqual({ isPrivate, isClosed });
});

it('takes time with its length alone', () => {
  const start = process.cpuUsage();
  for (const said of [
    ':'.repeat(200_000),
    ','.repeat(200_000),
    'a:'.repeat(100_000),
    'unavailable_after:,'.repeat(20_000),
  ])
    readRobotsDirectives(said, 'footnote', now);
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
});
