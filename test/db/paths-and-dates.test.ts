import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDocumentPath } from '../../src/db/document-path.ts';
import { createGlob, globFault } from '../../src/db/glob.ts';
import { toInstant } from '../../src/db/instant.ts';
import { globExpression } from '../../testkit/matches-filter.ts';

describe('createGlob', () => {
  it.each([
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/a/b.md', false],
    ['docs/**', 'docs/a/b.md', true],
    ['docs/**/b.md', 'docs/b.md', true],
    ['docs/**/b.md', 'docs/a/c/b.md', true],
    ['docs/**/b.md', 'docs/ab.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'x/y/a.md', true],
    ['*.md', 'x/a.md', false],
    ['a**z', 'a/b/z', true],
    ['a?.md', 'ab.md', false],
    ['[a].md', 'a.md', false],
    ['', '', true],
    ['*', '', true],
    ['**', 'a/b', true],
  ])('%s over %s is %s', (pattern, path, expected) => {
    expect(createGlob(pattern)(path)).toBe(expected);
  });

  it('means what a naive reading of the pattern means', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '/', '*', '**', '**/'), { maxLength: 9 });
    const path = fc.array(fc.constantFrom('a', 'b', '/', 'aa/'), { maxLength: 9 });
    fc.assert(
      fc.property(letters, path, (pattern, text) => {
        const naive = globExpression(pattern.join('')).test(text.join(''));
        expect(createGlob(pattern.join(''))(text.join('')), `${pattern.join('')} ${text.join('')}`).toBe(naive);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['many stars', '*'.repeat(512), 'a'],
    ['stars between letters', `${'*a'.repeat(31)}b`, 'a'],
    ['any folders between letters', `${'**a'.repeat(31)}b`, 'a'],
    ['folders', `${'**/a/'.repeat(31)}b`, 'a/'],
    ['a run that nearly fits', `*${'a'.repeat(500)}b*`, 'a'],
    ['names that nearly fit', `**/${'*a/'.repeat(31)}b`, 'aa/'],
  ])('takes time in the length of the path alone, however it is made to hurt: %s', (_, pattern, unit) => {
    const matches = createGlob(pattern);
    const count = (units: number): number => {
      let reads = 0;
      // Every unit of text that is looked at one by one is asked of this.
      const path = new Proxy(Object(unit.repeat(units)) as object, {
        get(target, key) {
          reads += 1;
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      matches(path as unknown as string);
      return reads;
    };
    const [short, long] = [count(1000), count(8000)];
    expect(long).toBeLessThan(9 * short + 1000);
    expect(long / (8000 * unit.length)).toBeLessThan(32 * 4);
  });

  it('refuses a pattern that nobody needs', () => {
    expect(globFault('*'.repeat(513))).toContain('longer than 512');
    expect(globFault('*a'.repeat(33))).toContain('more than 32 wildcards');
    expect(globFault('*'.repeat(512))).toBeUndefined();
    expect(globFault('docs/**/2024-*/report?.md')).toBeUndefined();
  });
});

describe('toInstant', () => {
  it('reads ISO 8601 dates as UTC, and nothing else', () => {
    expect(toInstant('2024')).toBe(Date.UTC(2024, 0, 1));
    expect(toInstant('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
    expect(toInstant('2024-05-01T12:00:00.123456+02:00')).toBe(Date.UTC(2024, 4, 1, 10, 0, 0, 123));
    expect(toInstant('2024-05-01T10:00')).toBe(Date.UTC(2024, 4, 1, 10));
    expect(toInstant('2024-05-01 10:00:00 -0330')).toBe(Date.UTC(2024, 4, 1, 13, 30));
    expect(toInstant('0099-01-01')).toBe(new Date('0099-01-01').getTime());
    for (const text of [
      '2023-02-29',
      '2024-13',
      '2024-00-01',
      '2024-01-32',
      '2024-01-01T24:00',
      'May 2024',
      '',
      '20240501',
      ' 2024',
    ])
      expect(toInstant(text), text).toBeUndefined();
  });
});

describe('toDocumentPath', () => {
  it('is what a person would type', () => {
    expect(toDocumentPath('file:///home/me/my%20notes/a.md')).toBe('/home/me/my notes/a.md');
    expect(toDocumentPath('https://example.org/docs/x?y#z')).toBe('/docs/x');
    expect(toDocumentPath('./docs/a.md')).toBe('docs/a.md');
    expect(toDocumentPath('docs/a.md')).toBe('docs/a.md');
    expect(toDocumentPath('https://%')).toBe('https://%');
  });
});
