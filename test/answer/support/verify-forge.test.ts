import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';
import { type ForgedPair, type ForgeSentence, forgePairs, forgeries, rewrites } from '../../../testkit/forge/forge.ts';
import { forgeTexts } from '../../../testkit/forge/forge-texts.ts';
import { sharedData } from '../../../testkit/shared-data.ts';

const own: ForgeSentence[] = forgeTexts.flatMap(({ language, sentences }) =>
  sentences.map((text) => ({ text, language })),
);
const wrong = (pairs: readonly ForgedPair[], wanted: 'supported' | 'unsupported'): ForgedPair[] =>
  pairs.filter(({ claim, quote }) => supportOf(claim, quote).verdict !== wanted);

describe('forged and faithful pairs from sentences of our own', () => {
  it('has 200 sentences and forges every kind', () => {
    expect(own.length).toBeGreaterThanOrEqual(200);
    const kinds = new Set(forgePairs(own, { count: 2_000, seed: 1, kinds: forgeries }).map((pair) => pair.kind));
    expect([...kinds].sort()).toEqual(Object.keys(forgeries).sort());
  });
  it('accepts none of 10,000 forgeries', { timeout: 240_000 }, () => {
    const pairs = forgePairs(own, { count: 10_000, seed: 20_261_121, kinds: forgeries });
    expect(pairs).toHaveLength(10_000);
    expect(wrong(pairs, 'unsupported').slice(0, 5)).toEqual([]);
  });
  it('accepts at least 95 % of 2,000 faithful rewrites, and of each kind', { timeout: 240_000 }, () => {
    const pairs = forgePairs(own, { count: 2_000, seed: 20_261_121, kinds: rewrites });
    expect(pairs).toHaveLength(2_000);
    const refused = wrong(pairs, 'supported');
    expect(refused.length / pairs.length).toBeLessThanOrEqual(0.05);
    for (const kind of Object.keys(rewrites)) {
      const of = pairs.filter((pair) => pair.kind === kind);
      expect(refused.filter((pair) => pair.kind === kind).length, kind).toBeLessThanOrEqual(Math.ceil(of.length * 0.1));
    }
  });
});

describe('forged and faithful pairs from Wikipedia paragraphs', () => {
  const path = sharedData('xquad-en', 'corpus.jsonl');
  it.skipIf(!path)('accepts fewer than 0.5 % of forgeries and at least 95 % of rewrites', { timeout: 240_000 }, () => {
    const sentences = readFileSync(path as string, 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { text: string }).text.split(/(?<=[a-z)]\.) (?=[A-Z])/u))
      .filter((text) => text.length > 40 && text.length < 300)
      .map((text): ForgeSentence => ({ text: text.trim(), language: 'en' }));
    const forged = forgePairs(sentences, { count: 1_500, seed: 4, kinds: forgeries });
    expect(wrong(forged, 'unsupported').length / forged.length).toBeLessThan(0.005);
    const faithful = forgePairs(sentences, { count: 600, seed: 4, kinds: rewrites });
    expect(wrong(faithful, 'supported').length / faithful.length).toBeLessThanOrEqual(0.05);
  });
});
