// Definitions of short forms: the cases of the paper, what it gets wrong, and what is refused on purpose.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDefinitions, isShortForm, shortFormKey } from '../../../src/text/words/acronyms.ts';

describe('findDefinitions', () => {
  it.each([
    ['The central processing unit (CPU) runs.', 'CPU', 'central processing unit', true],
    ['We bought CPUs (central processing units).', 'CPUs', 'central processing units', true],
    ['application programming interfaces (APIs) are', 'APIs', 'application programming interfaces', true],
    ['one application programming interface (APIs)', 'APIs', 'application programming interface', true],
    ['Internet of Things (IoT; see above)', 'IoT', 'Internet of Things', true],
    ['the World Health Organization (“WHO”)', 'WHO', 'World Health Organization', true],
    ['World Health Organisation（WHO）', 'WHO', 'World Health Organisation', true],
    ['methicillin-resistant Staphylococcus aureus (MRSA)', 'MRSA', 'methicillin-resistant Staphylococcus aureus', true],
    ['API (the application programming interface)', 'API', 'application programming interface', true],
    // Letters inside of words, line ends, other languages.
    ['the heat shock protein-70 (HSP70) binds', 'HSP70', 'heat shock protein-70', false],
    ['messenger RNA (mRNA)', 'mRNA', 'messenger RNA', false],
    ['Acquired immunodeficiency\n  syndrome (AIDS)', 'AIDS', 'Acquired immunodeficiency syndrome', false],
    ['das Bundesministerium für Gesundheit (BMG)', 'BMG', 'Bundesministerium für Gesundheit', false],
  ])('reads %s', (text, short, long, exact) => {
    expect(findDefinitions(text)).toEqual([{ short, long, exact }]);
  });

  it.each([
    ['no letters in the long form', 'World Wide Web Consortium (W3C)'],
    ['a year', 'as was seen before (Smith 2003)'],
    ['a remark', 'the results (see Figure 2) agree'],
    ['a remark after a short form', 'PCR (which is a method for copying)'],
    ['a long form that starts in the sentence before', 'Arrays passed. Interfaces did not (API).'],
    ['a Roman numeral', 'type II (non-insulin-dependent) diabetes'],
    ['a long form that begins with a stop word', 'in Ireland (II)'],
    ['the short form in its own long form', 'advanced photo imaging API (API)'],
    ['a short form that is too long', 'a big company of electric instruments (ABCDEFGHIJKL)'],
    ['small letters', 'application programming interface (api)'],
    ['a first letter inside of a word', 'they saw scabies (CAB)'],
    ['a paragraph between', 'application programming\n\ninterface (API)'],
  ])('refuses %s', (_why, text) => {
    expect(findDefinitions(text)).toEqual([]);
  });

  it('knows the stop words of a language', () => {
    expect(findDefinitions('zur Innovation (ZI)', 'de')).toEqual([]);
  });

  it('finds many, in order, and goes through any text', () => {
    const text = 'A unique resource locator (URL) is no uniform resource name (URN).';
    expect(findDefinitions(text).map(({ short }) => short)).toEqual(['URL', 'URN']);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('(', ')', 'A', 'b', ' ', '.', '（', '😀', 'ß', '\n') }), (any) => {
        for (const { short, long } of findDefinitions(any)) {
          expect(isShortForm(short)).toBe(true);
          expect(any.replace(/\s+/gu, ' ')).toContain(long);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('takes linear time on parentheses that never close', () => {
    const started = process.cpuUsage();
    findDefinitions('central processing unit (CPU '.repeat(20_000));
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });
});

it('tells short forms, and what their spellings share', () => {
  expect(['CPU', 'mRNA', 'IoT', 'U.S.', 'CPUs', 'HSP70', 'G-CSF', 'GmbH'].filter((one) => !isShortForm(one))).toEqual(
    [],
  );
  expect(['cpu', 'Cpu', 'A', 'III', 'Figure', '2003', 'NASA space', ''].filter((one) => isShortForm(one))).toEqual([]);
  expect(new Set(['CPU', 'cpu', 'CPUs', 'C.P.U.'].map(shortFormKey))).toEqual(new Set(['CPU']));
});
