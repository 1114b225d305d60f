// Pairs of statements that nothing was fitted on: what is told of them is nearly always right, and at least half of what was written is found.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparePair, conflictFrom, type Side, sayTheSame } from '../../src/passages/pairs/compare-pair.ts';

interface Labelled {
  readonly part: 'fit' | 'sealed';
  readonly label: 'conflict' | 'same' | 'other';
  readonly left: Side;
  readonly right: Side;
}

const pairs = readFileSync(resolve(import.meta.dirname, '../../testkit/conflicts/pairs.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Labelled)
  .filter(({ part }) => part === 'sealed');
const conflictOf = (left: Side, right: Side): number => comparePair(left, right)?.conflict ?? 0;

describe('the model of pairs', () => {
  it('tells conflicts of pairs that it was not fitted on: at least 85 % of them are, and at least 35 % are found', () => {
    const told = pairs.filter(({ left, right }) => conflictOf(left, right) >= conflictFrom);
    const right = told.filter(({ label }) => label === 'conflict').length;
    expect(right / told.length).toBeGreaterThanOrEqual(0.85);
    expect(right / pairs.filter(({ label }) => label === 'conflict').length).toBeGreaterThanOrEqual(0.35);
  });

  it('says of no two that tell different values that they say the same, and finds some that do', () => {
    const told = pairs.filter(({ left, right }) => sayTheSame(left, right));
    expect(told.length).toBeGreaterThan(3);
    expect(told.map(({ label }) => label)).not.toContain('conflict');
  });

  it('says the same the other way round', () => {
    for (const { left, right } of pairs) {
      expect(conflictOf(left, right)).toBeCloseTo(conflictOf(right, left));
      expect(sayTheSame(left, right)).toBe(sayTheSame(right, left));
    }
  });

  it('tells no conflict without two values that exclude each other', () => {
    const over = ['Bridges'];
    for (const [left, right] of [
      ['The bridge is 340 metres long.', 'The bridge is 0.34 kilometres long.'],
      ['The cache holds at least 500 entries.', 'The cache holds 800 entries.'],
      ['The museum opened on 3 May 1912.', 'The museum opened in 1912.'],
    ] as const)
      expect(conflictOf({ text: left, over }, { text: right, over })).toBe(0);
  });

  it('says what a pair is about in words of both', () => {
    const released = (day: number): Side => ({ text: `Pigeonpost 3.0 was released on ${day} March 2025.`, over: [] });
    expect(comparePair(released(14), released(21))).toMatchObject({ kind: 'date', about: 'Pigeonpost released' });
  });
});
