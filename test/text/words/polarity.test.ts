import { describe, expect, it } from 'vitest';
import { unitOf } from '../../../src/text/quantities/units.ts';
import { hiddenCharacters, isStyled, skeletonOf } from '../../../src/text/words/confusables.ts';
import { doubtOf, isCondition, isReportingVerb, modalityOf, quantifierOf } from '../../../src/text/words/hedges.ts';
import { inflectionKeys } from '../../../src/text/words/inflect.ts';
import { negationAt, polarityOf } from '../../../src/text/words/negation.ts';
import { areOpposites } from '../../../src/text/words/opposites.ts';
import { areSynonyms, longForms } from '../../../src/text/words/synonyms.ts';

describe('negation', () => {
  it('counts denials', () => {
    expect(polarityOf('It does not work.').polarity).toBe('negative');
    expect(polarityOf("They can't and won't.").cues).toHaveLength(2);
    expect(polarityOf('It works.').polarity).toBe('affirmative');
    expect(polarityOf('北京不是').polarity).toBe('negative');
  });
  it('knows which words deny only with others', () => {
    expect(negationAt(['failed', 'to', 'start'], 0)).toBe('clause');
    expect(negationAt(['failed', 'engines'], 0)).toBeUndefined();
    expect(negationAt(['not', 'only', 'red'], 0)).toBeUndefined();
    expect(negationAt(['without', 'salt'], 0)).toBe('phrase');
  });
});

describe('hedges', () => {
  it('ranks doubt, obligation and amounts', () => {
    expect([doubtOf('may'), doubtOf('probably'), doubtOf('can'), doubtOf('is')]).toEqual([3, 2, 1, 0]);
    expect(modalityOf('has', 'to')).toBe('must');
    expect(quantifierOf('all')?.rank).toBeGreaterThan(quantifierOf('some')?.rank ?? 9);
    expect(isReportingVerb('said')).toBe(true);
    expect(isReportingVerb('found')).toBe(false);
    expect(isCondition('if', 'even', '')).toBe(true);
    expect(isCondition('unless', '', '')).toBe(true);
  });
});

describe('word forms', () => {
  const meet = (a: string, b: string): boolean => inflectionKeys(a).some((key) => inflectionKeys(b).includes(key));
  it.each([
    ['organised', 'organizing'],
    ['colours', 'color'],
    ['wrote', 'writes'],
    ['studies', 'studied'],
    ['travelled', 'traveling'],
    ['stopped', 'stop'],
    ['children', 'child'],
    ['analysed', 'analyze'],
    ['centres', 'center'],
    ['died', 'dies'],
    ['used', 'using'],
    ['fell', 'falling'],
  ])('%s and %s are forms of one word', (a, b) => expect(meet(a, b)).toBe(true));
  it.each([
    ['employer', 'employee'],
    ['high', 'higher'],
    ['happy', 'unhappy'],
    ['import', 'export'],
    ['new', 'news'],
  ])('%s and %s are not', (a, b) => expect(meet(a, b)).toBe(false));
  it('knows opposites and synonyms, and does not mix them', () => {
    for (const [a, b] of [
      ['increased', 'decreasing'],
      ['before', 'after'],
      ['happy', 'unhappy'],
      ['harmful', 'harmless'],
      ['rises', 'fell'],
    ] as const) {
      expect(areOpposites(a, b)).toBe(true);
      expect(areOpposites(b, a)).toBe(true);
      expect(areSynonyms(a, b)).toBe(false);
    }
    expect(areSynonyms('began', 'started')).toBe(true);
    expect(longForms('dr')).toContain('doctor');
    expect(unitOf('Mb')).toBeUndefined();
    expect(unitOf('kilometers')?.name).toBe('km');
  });
});

describe('look-alikes', () => {
  it('folds what looks the same and finds what cannot be seen', () => {
    expect(skeletonOf('раypal')).toBe(skeletonOf('paypal'));
    expect(skeletonOf('Goog1e')).toBe(skeletonOf('google'));
    expect(hiddenCharacters('a\u200bb\u202e')).toHaveLength(2);
    expect(hiddenCharacters('می\u200cروم')).toEqual([]);
    expect(isStyled('𝐩age')).toBe(true);
    expect(isStyled('page')).toBe(false);
  });
});
