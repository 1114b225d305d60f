// Which numbers and signs make a run doubtful, and which are usual.
import { describe, expect, it } from 'vitest';
import { type Findings, judge, type Replaced } from '../../src/ingest/doubts.ts';

const page = (uri: string, text: string, more: Partial<Replaced> = {}): Replaced => ({
  uri,
  words: new Set(text.split(' ')),
  isLost: false,
  signs: [],
  ...more,
});
const judged = (findings: Partial<Findings>) => judge({ had: 10, vanished: 0, found: 10, replaced: [], ...findings });

describe('what vanished', () => {
  it.each([
    // had, vanished, new beside them
    [1, 1, 0, true],
    [2, 2, 0, true],
    [3, 3, 0, true],
    [3, 3, 1, true],
    [4, 3, 0, true],
    [10, 6, 0, true],
    [10, 10, 4, true],
    [1000, 999, 100, true],
    [1, 1, 1, false],
    [2, 1, 0, false],
    [3, 2, 0, false],
    [4, 2, 0, false],
    [10, 5, 0, false],
    [10, 10, 5, false],
    [1000, 1, 0, false],
  ])('of %i things, %i of them, with %i new ones', (had, vanished, added, isDoubtful) => {
    const found = had - vanished + added;
    expect(judged({ had, vanished, found }).vanished).toBe(isDoubtful ? 'found-little' : undefined);
    // What somebody declared anew counts, unless there is nothing at all.
    expect(judged({ had, vanished, found, isDeclaredAnew: true }).vanished).toBe(
      found === 0 ? 'found-little' : undefined,
    );
  });

  it('is doubted at a tenth on another device, and at once where the listing is lost', () => {
    expect(judged({ vanished: 1, found: 9, isOnOtherDevice: true }).vanished).toBeUndefined();
    expect(judged({ vanished: 2, found: 8, isOnOtherDevice: true }).vanished).toBe('other-device');
    expect(judged({ vanished: 0, found: 10, isOnOtherDevice: true, isListedOtherwise: true }).vanished).toBeUndefined();
    expect(judged({ vanished: 1, found: 9, isListedOtherwise: true }).vanished).toBe('other-listing');
  });
});

describe('what lost its text', () => {
  it('is doubted for what gates show, and for one page in place of several', () => {
    const gate = 'please wait while your browser is checked ray';
    const { replaced, vanished } = judged({
      replaced: [
        page('a', `${gate} 1`),
        page('b', `${gate} 2`),
        page('c', 'a page of its own about ropes'),
        page('d', 'enter here', { signs: ['password'] }),
      ],
    });
    expect([...replaced].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['a', 'same-page'],
      ['b', 'same-page'],
      ['d', 'sign-in'],
    ]);
    expect(vanished).toBeUndefined();
  });

  it('is doubted as a whole where most shrank or went, and so is what vanished beside one page for many', () => {
    const shrunk = ['a', 'b', 'c', 'd'].map((uri) => page(uri, `own words of ${uri}`, { isLost: true }));
    expect(judged({ replaced: shrunk }).replaced.size).toBe(0);
    expect(judged({ replaced: shrunk, vanished: 2, found: 8 })).toMatchObject({ vanished: 'texts-lost' });
    expect(judged({ had: 6, found: 6, replaced: shrunk }).replaced.size).toBe(4);
    for (const had of [1, 2, 3])
      expect(judged({ had, found: had, replaced: shrunk.slice(0, 1) }).replaced.size).toBe(had === 1 ? 1 : 0);
    const same = [page('a', 'we are back'), page('b', 'we are back')];
    expect(judged({ replaced: same, vanished: 1, found: 9 }).vanished).toBe('same-page');
  });

  it('hides what it led to, where pages lead to pages', () => {
    const gate = [page('a', 'enter here', { signs: ['led-away'] })];
    expect(judged({ replaced: gate, vanished: 2, found: 8 }).vanished).toBeUndefined();
    expect(judged({ replaced: gate, vanished: 2, found: 8, isCrawled: true }).vanished).toBe('sign-in');
  });
});
