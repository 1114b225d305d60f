// Questions are headings and nothing else, spread over the documents; what a list says of a document is plain.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageOf, isBundled, kindOf, sourceChoices } from '../../src/documents/facts.ts';
import { questionsOf, sectionsOfOutline, sectionsOfPieces } from '../../src/documents/offered-questions.ts';

describe('offered questions', () => {
  it('are the headings with the most beneath them, of each document in turn', () => {
    const mill = sectionsOfOutline([
      { title: 'The mill', start: 0, end: 500 },
      { title: 'Grain', start: 20, end: 120 },
      { title: 'Who built it?', start: 120, end: 500 },
    ]);
    const wheel = sectionsOfPieces([
      { headingPath: ['水车', '轮子'], start: 0, end: 90 },
      { headingPath: ['水车', '谷物'], start: 90, end: 200 },
      { headingPath: ['水车', '轮子'], start: 200, end: 300 },
      { headingPath: [], start: 300, end: 900 },
    ]);
    expect(questionsOf([mill, wheel])).toEqual(['Who built it?', '轮子?', 'Grain?']);
    expect(questionsOf([])).toEqual([]);
  });

  it('are those that ask, before the longest; what only lists is none', () => {
    const titles = [
      'Table of Contents',
      'Function Index',
      'Statements',
      'Reading a spreadsheet',
      'Why are two numbers not equal?',
    ];
    const sections = titles.map((title, at) => ({ title, length: 900 - at * 100 }));
    expect(questionsOf([sections])).toEqual([
      'Why are two numbers not equal?',
      'Reading a spreadsheet?',
      'Statements?',
    ]);
  });

  it('are what more of the document has to do with, before what stands at its end and is long', () => {
    const manual = [
      { title: 'Copyright and all that', length: 4000 },
      { title: 'Drivers of the printer', length: 300 },
      { title: 'Printers in a network', length: 200 },
      { title: 'Networks', length: 100 },
      { title: 'Terms of the Free Licence', length: 20_000 },
    ];
    expect(questionsOf([manual])).toEqual(['Drivers of the printer?', 'Printers in a network?', 'Networks?']);
    // What stands in both is of neither.
    const licence = { title: 'Appendix 2. The Free Printer Licence', length: 9000 };
    const other = [licence, { title: 'Looms and their yarn', length: 50 }];
    const offered = questionsOf([[...manual, licence], other]);
    expect(offered).toEqual(['Drivers of the printer?', 'Looms and their yarn?', 'Printers in a network?']);
    expect(questionsOf([[licence], [licence]])).toEqual(['The Free Printer Licence?']);
  });

  it('leave out what is empty, a number, too long or there already', () => {
    const numbered = ['Chapter 3. The Root', '7.5 The lock', '9) Grain', '2024 in figures', 'Pump 7'];
    expect(numbered.flatMap((title) => questionsOf([[{ title, length: 9 }]]))).toEqual([
      'The Root?',
      'The lock?',
      'Grain?',
      'in figures?',
      'Pump 7?',
    ]);
    const sections = ['7', '1.2', 'x'.repeat(101), 'Pumps', 'PUMPS', 'Oil'].map((title) => ({ title, length: 9 }));
    expect(questionsOf([[...sections, { title: 'Nothing beneath', length: 0 }]])).toHaveLength(2);
  });

  it('hold no word that no heading holds', () => {
    const section = fc.record({ title: fc.string({ unit: 'grapheme', maxLength: 120 }), length: fc.nat(9999) });
    fc.assert(
      fc.property(fc.array(fc.array(section, { maxLength: 5 }), { maxLength: 5 }), (documents) => {
        const titles = documents.flat().map(({ title }) => title.trim());
        const questions = questionsOf(documents);
        expect(questions.length).toBeLessThanOrEqual(3);
        for (const one of questions)
          expect([one, one.slice(0, -1)].some((text) => titles.some((title) => title.endsWith(text)))).toBe(true);
      }),
    );
  });
});

describe('what is told of a document', () => {
  it('is its kind and age in plain words', () => {
    expect(kindOf('application/pdf')).toBe('PDF');
    expect(kindOf('text/plain; charset=utf-8')).toBe('Text');
    expect(kindOf('constructor')).toBe('constructor');
    const now = Date.parse('2026-11-29T12:00:00Z');
    expect(ageOf('2026-11-29T11:59:30Z', now, 'en')).toBe('this minute');
    expect(ageOf('2026-11-29T09:00:00Z', now, 'en')).toBe('3 hours ago');
    expect(ageOf('2026-11-28T11:00:00Z', now, 'en')).toBe('yesterday');
    expect(ageOf('2024-11-20T12:00:00Z', now, 'en')).toBe('2 years ago');
  });

  it('is which sources files may be put into, the usual one first', () => {
    const source = (name: string, more: object = {}) => ({ name, documents: 1, ...more });
    const sources = [source('about-footnote'), source('notes'), source('site', { connector: {} }), source('uploads')];
    expect(sourceChoices(sources)).toEqual(['uploads', 'notes']);
    expect(sourceChoices([])).toEqual(['uploads']);
    expect(sourceChoices([source('uploads', { watch: true }), source('web-search')])).toEqual([]);
    // A key that is limited to sources, one of which nobody made yet.
    expect(sourceChoices(sources, ['site', 'letters', 'notes'])).toEqual(['letters', 'notes']);
    expect(isBundled(source('about-footnote'))).toBe(true);
  });
});
