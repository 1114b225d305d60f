import { describe, expect, it } from 'vitest';
import { areVersions, duplicateOf, type Fingerprint } from '../../../src/core/documents/fingerprint.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';

const named = (uri: string, title = uri, version?: string) => ({ uri, title, version });
const sketchOf = (from: number, to: number): Fingerprint => ({
  wordsHash: `${from}-${to}`,
  runs: to - from,
  sketch: Float64Array.from({ length: to - from }, (_, index) => from + index),
});
const stands = (left: Fingerprint, right: Fingerprint, names = [named('a.md'), named('b.md')] as const) =>
  duplicateOf({ ...left, ...names[0] }, { ...right, ...names[1] });

describe('areVersions', () => {
  it.each([
    ['docs/report-v1.pdf', 'docs/report-v2.pdf'],
    ['Report 2023.docx', 'archive/report_2024.docx'],
    ['plan.md', 'plan (1).md'],
    ['plan-2024-03-01.md', 'plan-2024-04-01.md'],
    ['contract_draft.docx', 'contract_final.docx'],
    ['guide 1.2.md', 'guide 1.10.md'],
  ])('takes %s and %s for versions', (left, right) => {
    expect(areVersions(named(left), named(right))).toBe(true);
  });

  it.each([
    ['docs/report.pdf', 'docs/invoice.pdf'],
    ['a/readme.md', 'b/readme.md'],
    ['2024-03-01.md', '2024-04-01.md'],
    ['chapter-one.md', 'chapter-two.md'],
  ])('does not take %s and %s for versions', (left, right) => {
    expect(areVersions(named(left), named(right))).toBe(false);
  });

  it('goes by the version that a document was given', () => {
    expect(areVersions(named('x/guide.md', 'Guide', '1'), named('y/guide.md', 'Guide', '2'))).toBe(true);
    expect(areVersions(named('x/guide.md', 'Guide', '2'), named('y/guide.md', 'Guide', '2'))).toBe(false);
  });

  it('takes linear time for names made to hurt', () => {
    const tookMs = startProcessorTime();
    areVersions(named(`${'v1.'.repeat(100_000)}a`), named(`${'v1.'.repeat(100_000)}b`));
    expect(tookMs()).toBeLessThan(500);
  });
});

describe('duplicateOf', () => {
  it('tells equal words, near copies and different texts', () => {
    expect(stands(sketchOf(0, 100), { ...sketchOf(0, 100), wordsHash: '0-100' })).toEqual({
      kind: 'exact',
      similarity: 1,
    });
    expect(stands(sketchOf(0, 100), sketchOf(20, 120))).toEqual({ kind: 'near', similarity: 0.8 });
    expect(stands(sketchOf(0, 100), sketchOf(60, 160))).toBeUndefined();
  });

  it('does not take a quote in a long text for a copy of it', () => {
    expect(stands(sketchOf(0, 30), sketchOf(0, 200))).toBeUndefined();
    expect(stands(sketchOf(0, 60), sketchOf(0, 200))).toEqual({ kind: 'near', similarity: 1 });
  });

  it('is content with less where the names are those of versions', () => {
    const names = [named('plan-v1.md'), named('plan-v2.md')] as const;
    expect(stands(sketchOf(0, 100), sketchOf(50, 150), names)).toEqual({ kind: 'version', similarity: 0.5 });
    expect(stands(sketchOf(0, 100), sketchOf(90, 190), names)).toBeUndefined();
  });

  it('says nothing of texts without words or with only a few that are not the same', () => {
    expect(stands({ ...sketchOf(0, 0), wordsHash: '' }, { ...sketchOf(0, 0), wordsHash: '' })).toBeUndefined();
    expect(stands(sketchOf(0, 4), sketchOf(0, 5))).toBeUndefined();
  });
});
