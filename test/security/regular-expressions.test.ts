// No regular expression of the source takes more than linear time over what it is given (G27). Each is checked once (linear-time.ts) and known from then
// on (known-expressions.ts); a run checks what is new and a sample of what is known, the long run checks all.
import { expect, it } from 'vitest';
import { bounds } from './expression-bounds.ts';
import { callBuilders, notCalled } from './expressions-built.ts';
import { builtExpressions, expressionsOfSource } from './expressions-of-source.ts';
import { keyOf, knownKeys, toCheck } from './known-expressions.ts';
import { slownessOf, slowOnes } from './linear-time.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const known = isLong ? new Set<string>() : knownKeys();
/** More that are new than this cost a run more than a minute. */
const mostNew = 400;

it('tells an expression that takes quadratic time from one that does not', async () => {
  expect(await slownessOf({ pattern: '\\s+$', flags: 'u', files: [] })).toMatch(/quadratic|degree/u);
  expect(await slownessOf({ pattern: '^(a+)+$', flags: 'u', files: [] })).toMatch(/exponential/u);
  expect(await slownessOf({ pattern: '(?<!\\s)\\s+$', flags: 'u', files: [] })).toBeUndefined();
}, 60_000);

it('checks what is new, what is matched otherwise, and some of what is known', () => {
  const one = { pattern: '(?<!\\s)\\s+$', flags: 'u', files: ['src/one.ts'] };
  const keys = new Set([keyOf(one)]);
  const never = () => 1;
  expect(toCheck([one], keys, never)).toEqual([]);
  expect(toCheck([one], new Set(), never)).toEqual([one]);
  const others = [
    { ...one, pattern: '\\s+$' },
    { ...one, flags: 'gu' },
    { ...one, files: ['src/retrieval/route/route.ts'] },
  ];
  expect(toCheck(others, keys, never)).toEqual(others);
  const drawn = toCheck(
    Array.from({ length: 10_000 }, () => one),
    keys,
  );
  expect(drawn.length).toBeGreaterThan(300);
  expect(drawn.length).toBeLessThan(700);
});

it('finds a slow one that is known by mistake as soon as it is drawn', async () => {
  const slow = { pattern: '\\s+$', flags: 'u', files: ['src/one.ts'] };
  expect(await slowOnes(toCheck([slow], new Set([keyOf(slow)]), () => 0))).toHaveLength(1);
}, 60_000);

it('matches 100,000 hostile characters in linear time with every expression of the source', async () => {
  const { literals } = expressionsOfSource();
  expect(literals.length).toBeGreaterThan(500);
  const unknown = literals.filter((literal) => !known.has(keyOf(literal)));
  if (!isLong) expect(unknown.length, '`npm run expressions:renew` checks and keeps them.').toBeLessThan(mostNew);
  expect(await slowOnes(toCheck(literals, known))).toEqual([]);
}, 900_000);

it('and with every one that it builds, when its modules are loaded and when its functions are called', async () => {
  const { building } = expressionsOfSource();
  const { expressions, places } = await builtExpressions(building.keys(), callBuilders);
  const unseen = [...building].flatMap(([file, count]) => {
    const seen = (places.get(file) ?? 0) + notCalled.filter(({ files }) => files.includes(file)).length;
    return seen === count ? [] : [`${file}: ${seen} of ${count} places`];
  });
  expect(unseen, 'Write it as a literal, or let expressions-built.ts call what builds it.').toEqual([]);
  expect(await slowOnes(toCheck([...expressions, ...notCalled], known))).toEqual([]);
}, 300_000);

// A process that has compiled many expressions compiles the next ones without optimising them (V8, RegExpImpl::Compile), and then a group with
// flags of its own reads alternatives that begin alike as if it had none: "(?i:was|were|is)" no longer matches "Is".
it('has no expression that sets flags for a group', async () => {
  const { literals, building } = expressionsOfSource();
  const { expressions } = await builtExpressions(building.keys(), callBuilders);
  const found = [...literals, ...expressions].filter(({ pattern }) => /\(\?[a-z]*-?[a-z]+:/u.test(pattern));
  expect(found.map(({ pattern, files }) => `${files.join(', ')}: ${pattern}`)).toEqual([]);
}, 300_000);

it('has no bound for an expression that is gone', () => {
  const there = new Set(expressionsOfSource().literals.map(({ pattern }) => pattern));
  expect(bounds.filter(({ pattern }) => !there.has(pattern))).toEqual([]);
});
