// Patterns of paths: what others make of them (the packages that editors and build tools use), and the time that hostile ones take.
import ignore from 'ignore';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { below, seeded } from '../../../packages/readers/testkit/mutate.ts';
import { parseGitIgnore } from '../../../src/ingest/connectors/gitignore.ts';
import { globMatcher } from '../../../src/ingest/connectors/walk.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';

const random = seeded(20_261_122);
const pick = (from: readonly string[]): string => from[below(random, from.length)] ?? '';
const names = ['a', 'b', 'ab', 'a.b', 'bb', '.a', 'A', 'a b', 'b.a.b', 'ba'];
const bits = ['a', 'b', '.', '*', '?', '[ab]', '[!a]', 'a*', '*b', '[a-b]'];
const pathOf = (): string => Array.from({ length: 1 + below(random, 4) }, () => pick(names)).join('/');
const partOf = (): string =>
  random() < 0.2 ? '**' : Array.from({ length: 1 + below(random, 3) }, () => pick(bits)).join('');
/** Runs of stars inside a name, runs of `**` and `./` mean nothing of their own. */
const patternOf = (): string =>
  Array.from({ length: 1 + below(random, 3) }, partOf)
    .join('/')
    .replaceAll(/(?<=[^/*])\*\*+|\*\*+(?=[^/*])/gu, '*')
    .replaceAll(/\*\*(?:\/\*\*)+/gu, '**')
    .replaceAll(/(?<=^|\/)\.(?=\/)/gu, 'a');

describe('globs', () => {
  it.each([
    ['*.md', 'docs/a.md', true],
    ['*.md', 'docs/a.mdx', false],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/sub/a.md', false],
    ['docs/**', 'docs/sub/a.md', true],
    ['docs/**', 'docs', true],
    ['**/*.{ts,tsx}', 'src/web/a.tsx', true],
    ['**/*.{ts,tsx}', 'a.ts', true],
    ['*.{ts,{m,c}ts}', 'a.cts', true],
    ['*.{ts}', 'a.ts', false],
    ['src/{a,b/**}/x.ts', 'src/b/c/d/x.ts', true],
    ['./notes/', 'notes', true],
    // As the file is called: nothing else is meant.
    ['report (1).pdf', 'in/report (1).pdf', true],
    ['a[1].txt', 'a1.txt', true],
    ['a\\[1\\].txt', 'a[1].txt', true],
    ['[ab', '[ab', true],
    ['?.txt', '😀.txt', true],
  ])('%s and %s', (glob, path, isFit) => {
    expect(globMatcher([glob])(path)).toBe(isFit);
  });

  it('mean what they mean elsewhere', () => {
    const others: string[] = [];
    for (let round = 0; round < 20_000; round += 1) {
      // What is not in a class is written `^` there.
      const [glob, path] = [patternOf().replaceAll('[!', '[^'), pathOf()];
      const theirs = picomatch(glob, { dot: true, basename: !glob.includes('/') })(path);
      if (globMatcher([glob])(path) !== theirs) others.push(`${glob} ${path} ${theirs}`);
    }
    expect(others.slice(0, 10)).toEqual([]);
  });

  it('take no time that grows with their stars', () => {
    const name = 'a'.repeat(250);
    const deep = 'a/'.repeat(1900);
    const tookMs = startProcessorTime();
    for (const glob of [`${'*a'.repeat(60)}b`, `${'*?[a-z]'.repeat(20)}b`])
      expect(globMatcher([glob])(name)).toBe(false);
    expect(globMatcher([`${'**/a/'.repeat(60)}b`])(`${deep}c`)).toBe(false);
    expect(globMatcher(['{a,b}'.repeat(9)])(name)).toBe(false);
    // Backtracking takes years.
    expect(tookMs()).toBeLessThan(3000);
  });

  it.each([
    ['a'.repeat(501), 'longer than 500'],
    ['{a,b}'.repeat(10), 'more than 1000 patterns'],
    ['{a,b}'.repeat(100), 'more than 1000 patterns'],
  ])('that nobody needs are refused: %#', (glob, message) => {
    expect(() => globMatcher([glob])).toThrow(message);
  });
});

describe('.gitignore', () => {
  it.each([
    ['*.log', 'a/b.log', false, 'ignored'],
    ['*.log\n!keep.log', 'a/keep.log', false, 'kept'],
    ['build/', 'build', false, undefined],
    ['build/', 'x/build', true, 'ignored'],
    ['/build', 'x/build', true, undefined],
    ['a/b', 'x/a/b', false, undefined],
    ['**/a/b', 'x/a/b', false, 'ignored'],
    ['a/**', 'a', true, undefined],
    ['a/**', 'a/b/c', false, 'ignored'],
    ['a/**/b', 'a/b', false, 'ignored'],
    ['# no\n\\#yes', '#yes', false, 'ignored'],
    ['\\!yes', '!yes', false, 'ignored'],
    ['end   ', 'end', false, 'ignored'],
    ['end\\ ', 'end ', false, 'ignored'],
    ['*.PDF', 'a.pdf', false, 'ignored'],
    ['', 'a', false, undefined],
    ['/', 'a', false, undefined],
  ])('%j of %s', (text, path, isFolder, verdict) => {
    expect(parseGitIgnore(text).test(path, isFolder)).toBe(verdict);
  });

  it('says of files what it says elsewhere', () => {
    const others: string[] = [];
    for (let round = 0; round < 20_000; round += 1) {
      const rules = Array.from(
        { length: 1 + below(random, 3) },
        () => `${random() < 0.3 ? '!' : ''}${random() < 0.2 ? '/' : ''}${patternOf()}`,
      );
      const path = pathOf();
      const theirs = ignore().add(rules.join('\n'));
      // Of what lies in an ignored folder nothing is asked here: nobody enters it.
      const folders = path
        .split('/')
        .slice(0, -1)
        .map((_, at, all) => `${all.slice(0, at + 1).join('/')}/`);
      if (folders.some((folder) => theirs.test(folder).ignored || theirs.test(folder).unignored)) continue;
      const { ignored, unignored } = theirs.test(path);
      const verdict = parseGitIgnore(rules.join('\n')).test(path, false);
      if (verdict !== (ignored ? 'ignored' : unignored ? 'kept' : undefined))
        others.push(`${JSON.stringify(rules)} ${path} ${verdict} ${ignored} ${unignored}`);
    }
    expect(others.slice(0, 10)).toEqual([]);
  });

  it('takes no time that grows with its stars', () => {
    const tookMs = startProcessorTime();
    const deep = `${'a/'.repeat(1900)}c`;
    const rules = parseGitIgnore(
      Array.from({ length: 20 }, () => `${'**/a/'.repeat(60)}b\n${'*a'.repeat(60)}b`).join('\n'),
    );
    expect(rules.test(deep, false)).toBeUndefined();
    expect(rules.test('a'.repeat(250), false)).toBeUndefined();
    expect(tookMs()).toBeLessThan(3000);
  });
});
