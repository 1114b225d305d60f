// What servers ask to wait is read in every form that they use, and nothing else is taken for a time.
import { expect, it } from 'vitest';
import { parseRetryAfter, readRetryAfter } from '../../src/net/retry-after.ts';

it.each([
  ['2', 2000],
  ['0', 0],
  ['-5', 0],
  ['999999', 3_600_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 3_600_000],
  ['soon', undefined],
  [' ', undefined],
  [null, undefined],
])('Retry-After: %s is %s ms', (told, waitMs) => {
  expect(parseRetryAfter(told)).toBe(waitMs);
});

it('the exacter header counts where it can be read', () => {
  const of = (headers: Record<string, string>) => readRetryAfter((name) => headers[name]);
  expect(of({ 'retry-after-ms': '150', 'retry-after': '9' })).toBe(150);
  expect(of({ 'retry-after-ms': 'soon', 'retry-after': '9' })).toBe(9000);
  expect(of({})).toBeUndefined();
});
