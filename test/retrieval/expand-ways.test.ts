// Other names of what a query asks for: those that passages define are read, and nothing else is made of them.
import { describe, expect, it } from 'vitest';
import { otherNames, shortFormsOf } from '../../src/retrieval/expand/acronyms.ts';
import type { BestPassage } from '../../src/retrieval/expand/reading.ts';

let count = 0;
const passage = (text: string, given: Partial<BestPassage> = {}): BestPassage => ({
  documentId: `doc_${count++}`,
  text,
  title: '',
  language: 'en',
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
