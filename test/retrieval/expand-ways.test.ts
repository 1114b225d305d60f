// Each way to widen a query alone: what it reads from passages or from the query, and what it must not make of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherNames, shortFormsOf } from '../../src/retrieval/expand/acronyms.ts';
import { feedbackTexts } from '../../src/retrieval/expand/feedback.ts';
import type { BestPassage } from '../../src/retrieval/expand/reading.ts';
import { reformulate } from '../../src/retrieval/expand/reformulate.ts';

let count = 0;
const passage = (text: string, given: Partial<BestPassage> = {}): BestPassage => ({
  documentId: `doc_${count++}`,
  text,
  title: '',
  language: 'en',
  score: 1,
  ...given,
});
const defining = (text = 'The application programming interface (API) is stable.') => passage(text);
const named = (query: string, passages: readonly BestPassage[]) => otherNames(query, passages).map(({ name }) => name);

describe('otherNames', () => {
  it('gives the long form of a short one, in capitals or not, and the short form of a long one', () => {
    const long = 'application programming interface';
    for (const query of ['What does the API return?', 'APIs of the shop', 'the api of the shop', '“API” limits'])
      expect(named(query, [defining()])).toEqual([long]);
    expect(named('Application programming interfaces of the shop', [defining()])).toEqual(['API']);
  });

  it('leaves alone what the query says itself', () => {
    for (const query of [
      'limits of the shop',
      'the application programming interface (API) of the shop',
      'adverse pregnancy index (API) of mice',
      'interface for programming an application',
      'shop -API',
    ])
      expect(named(query, [defining()])).toEqual([]);
  });

  it('takes no common word for a short form', () => {
    const passages = [defining('The information technology (IT) office.')];
    expect(named('is it open?', passages)).toEqual([]);
    expect(named('is IT open?', passages)).toEqual(['information technology']);
  });

  it('believes letters inside of words only of two documents', () => {
    const loose = 'Acquired immunodeficiency syndrome (AIDS) was named.';
    expect(named('AIDS', [passage(loose), passage('AIDS is')])).toEqual([]);
    expect(named('AIDS', [passage(loose, { documentId: 'same' }), passage(loose, { documentId: 'same' })])).toEqual([]);
    expect(named('AIDS', [passage(loose), passage(loose)])).toEqual(['Acquired immunodeficiency syndrome']);
  });

  it('takes the commonest meaning, and none if there is none that most give', () => {
    const other = (): BestPassage => defining('The adverse pregnancy index (API) rose.');
    expect(named('the API', [other(), defining(), defining()])).toEqual(['application programming interface']);
    expect(named('the API', [other(), defining()])).toEqual([]);
  });

  it('does not take up a short form that hardly anybody uses', () => {
    const plain = (): BestPassage => passage('A vitamin dose is given.');
    const dose = 'A vitamin dose (VD) is given.';
    expect(named('vitamin dose', [passage(dose), plain()])).toEqual(['VD']);
    expect(named('vitamin dose', [passage(dose), plain(), plain()])).toEqual([]);
    // Passages of one document are one voice.
    expect(named('vitamin dose', [passage(dose), plain(), passage(dose), plain(), plain()])).toEqual(['VD']);
    const one = (text: string): BestPassage => passage(text, { documentId: 'one' });
    expect(named('vitamin dose', [one(dose), plain(), one(dose), plain(), plain()])).toEqual([]);
  });

  it('takes the longest name where one holds the other', () => {
    const passages = [
      defining('We grew embryonic stem cells (ESC).'),
      defining('Of embryonic stem (ES) origin.'),
      defining('We grew embryonic stem cells (ESC) again.'),
    ];
    expect(named('embryonic stem cells', passages)).toEqual(['ESC']);
  });

  it('gives at most four', () => {
    const shorts = ['AB', 'CD', 'EF', 'GH', 'KL'];
    const text = shorts.map((short) => `${short[0]}arrow ${short[1]}ield (${short})`).join('. ');
    expect(named(shorts.join(' and '), [passage(text)])).toHaveLength(4);
  });

  it('looks short forms up in queries that do not shout', () => {
    expect(shortFormsOf('Does the CPU, the GPU or “TPU” win? -NPU')).toEqual(['CPU', 'GPU', 'TPU']);
    expect(shortFormsOf('WHAT IS THE CPU')).toEqual([]);
    expect(shortFormsOf('CPU')).toEqual(['CPU']);
  });
});

describe('feedbackTexts', () => {
  const passages = [
    passage('otters hunt otters at night', { score: 3 }),
    passage('herons hunt 1234 by day', { score: 1, title: 'Herons of 1999' }),
  ];
  const all = { hits: 10, terms: 100, share: 0.5 };
  const sum = (texts: readonly { weight: number }[]): number => texts.reduce((total, { weight }) => total + weight, 0);

  it('adds words whose weights sum to their share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.double({ min: 0.05, max: 0.9, noNaN: true }), (terms, share) => {
        const texts = feedbackTexts('otter hunting', passages, { ...all, terms, share });
        expect(texts.length).toBeLessThanOrEqual(terms);
        // Two words of the query weigh 1 each: added / (added + 2) is the share.
        expect(sum(texts) / (sum(texts) + 2)).toBeCloseTo(share, 9);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('weighs a word by how often it stands in passages, and these by their scores', () => {
    const texts = feedbackTexts('otter', passages, all);
    const weightOf = (word: string): number => texts.find(({ text }) => text === word)?.weight ?? 0;
    expect(texts[0]?.text).toBe('otters');
    expect(weightOf('otters')).toBeCloseTo(2 * weightOf('night'), 9);
    expect(weightOf('night')).toBeGreaterThan(weightOf('day'));
    // 4 words and 50 that smooth it, with 3 of 4 parts of the score; 6 words with 1 of 4.
    expect(weightOf('hunt') / weightOf('night')).toBeCloseTo((0.75 / 54 + 0.25 / 56) / (0.75 / 54), 9);
    expect(texts.map(({ text }) => text)).not.toContain('1234');
    expect(texts.map(({ text }) => text)).not.toContain('at');
  });

  it('gives nothing where nothing was found, and reads no more passages than it should', () => {
    expect(feedbackTexts('otter', [], all)).toEqual([]);
    expect(feedbackTexts('otter', [passage('otters', { score: 0 })], all)).toEqual([]);
    const first = feedbackTexts('otter', passages, { ...all, hits: 1 });
    expect(first.map(({ text }) => text)).not.toContain('herons');
  });
});

describe('reformulate', () => {
  it.each([
    ['Please tell me about otter rivers', ['otter rivers']],
    ['Bitte nennen Sie mir die Flüsse der Otter', ['Flüsse Otter']],
    ['otter rivers', []],
    ['the otter', []],
    ['', []],
    ['please', []],
  ])('keeps the words that carry %s', (query, wanted) => {
    const language = /Bitte/u.test(query) ? 'de' : 'en';
    expect(reformulate(query, 0.5, language).map(({ text }) => text)).toEqual(wanted);
  });

  it('parts joined questions and lets them weigh the same', () => {
    const parts = reformulate('Where do otters sleep at night; and which rivers have herons?', 0.5, 'en');
    expect(parts.map(({ text }) => text)).toEqual(['otters sleep night', 'rivers herons']);
    expect(parts.map(({ weight }) => weight)).toEqual([(0.5 * 2.5) / 3, (0.5 * 2.5) / 2]);
    expect(reformulate('a1 and b1 and c1 and d1 and e1', 0.5, 'en')).toEqual([]);
  });

  it('says no word that the query does not say', () => {
    const word = fc.constantFrom('please', 'otter', 'and', 'the', 'river', ';', '?', 'explain', 'und', 'CPU');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const query = words.join(' ');
        for (const { text, weight } of reformulate(query, 0.5, 'en')) {
          expect(weight).toBeGreaterThan(0);
          for (const one of text.split(' ')) expect(words).toContain(one);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
