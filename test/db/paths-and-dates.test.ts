import { describe, expect, it } from 'vitest';
import { toDocumentPath } from '../../src/db/document-path.ts';
import { createGlob } from '../../src/db/glob.ts';
import { toInstant } from '../../src/db/instant.ts';

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

  it('takes no longer for a pattern made to hurt', () => {
    const matches = createGlob(`${'**a'.repeat(60)}b`);
    const startedAt = performance.now();
    expect(matches('a'.repeat(2000))).toBe(false);
    // A backtracking matcher would need longer than the age of the universe; the bound only catches that.
    expect(performance.now() - startedAt).toBeLessThan(5000);
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
