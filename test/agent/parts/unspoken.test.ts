// What nothing around a claim speaks of.
import { describe, expect, it } from 'vitest';
import { unspokenIn, unspokenNoun } from '../../../src/agent/parts/unspoken.ts';
import type { VerifiedClaim } from '../../../src/answer/claims/draft.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

describe('what nothing around a claim speaks of', () => {
  const text = 'The board approved the budget of the depot.';
  const one = evidenceOf('Board', text);
  const span = { documentId: one.documentId, chunkId: one.chunkId, start: 0, end: text.length, quote: text };
  const claim = {
    text,
    spans: [{ ...span, title: 'Board', uri: 'Board', source: 's' }],
    support: 1,
    relevance: 1,
  } as VerifiedClaim;

  it('is the noun that is asked for, unless texts speak of it without its word', () => {
    expect(unspokenNoun('What is the warranty of the depot?', claim, [one])).toBe('warranty');
    expect(unspokenNoun('What is the budget of the depot?', claim, [one])).toBeUndefined();
    expect(unspokenNoun('What was the reason for the vote?', claim, [one])).toBeUndefined();
    expect(unspokenNoun('Who approved the depot?', claim, [one])).toBeUndefined();
  });

  it('or a word of a short question', () => {
    expect(unspokenIn('Who approves exceptions?', [claim], [one])).toEqual(['exceptions']);
    expect(unspokenIn('Who approved the budget?', [claim], [one])).toEqual([]);
    expect(unspokenIn('Who approved the long and costly works at the old depot?', [claim], [one])).toEqual([]);
  });
});
