// Which paragraphs of a PDF are its headings, from their type, their words and the outline alone.
import { describe, expect, it } from 'vitest';
import type { PdfOutlineEntry } from '../../src/pages/layout/pdf-content.ts';
import { findHeadings, type PdfParagraph, textOf } from '../../src/pages/layout/pdf-headings.ts';

interface Typed {
  readonly size?: number;
  readonly bold?: boolean;
  readonly page?: number;
}

function paragraph(text: string, { size = 10, bold = false, page = 1 }: Typed = {}): PdfParagraph {
  const place = { x: 40, y: 40, right: 300, bottom: 50 };
  return { page, lines: [{ text, words: [], size, bold, isRow: false, startsBlock: true, ...place }] };
}

const prose = (count = 10, set: Typed = {}): PdfParagraph[] =>
  Array.from({ length: count }, (_, at) =>
    paragraph(`Sentence ${at} says what it says, and goes on for a while.`, set),
  );

const titlesIn = (paragraphs: readonly PdfParagraph[], outline: readonly PdfOutlineEntry[] = []): string[] =>
  [...findHeadings(paragraphs, outline).keys()].map(textOf);

describe('headings by type', () => {
  it.each(['परिचय', 'บทนำ', 'مقدمة', 'Εισαγωγή', '第一章', '사용 설명서', '1.2.3.4 API', 'pH–Wert'])(
    'are words of any script: %s',
    (title) => {
      expect(titlesIn([paragraph(title, { size: 14 }), ...prose()])).toEqual([title]);
    },
  );

  it.each(['œ œ œ ˙', 'h h h N ª', 'E x y z', '\ufffd u h \ufffd hP h h h', 'hhhh h hh'])(
    'are no notes and symbols: %s',
    (title) => {
      expect(titlesIn([paragraph(title, { size: 14 }), ...prose()])).toEqual([]);
    },
  );

  it('are bold only where the text is not', () => {
    const bold = { bold: true };
    const rest = [paragraph('Limits', { size: 14, bold: true }), paragraph('See also', bold)];
    expect(titlesIn([...rest, ...prose()])).toEqual(['Limits', 'See also']);
    expect(titlesIn([...rest, ...prose(10, bold), ...prose(4)])).toEqual(['Limits']);
  });
});

describe('headings by outline', () => {
  const outline = (...titles: string[]): PdfOutlineEntry[] => titles.map((title) => ({ title, level: 2, page: 1 }));
  const others = ['Scope', 'Terms'].map((title) => paragraph(title, { size: 12 }));
  const foundFor = (title: string, paragraphs: readonly PdfParagraph[]): PdfParagraph | undefined =>
    [...findHeadings([...others, ...paragraphs], outline('Scope', 'Terms', title)).keys()].find(
      (found) => !others.includes(found),
    );

  it.each([
    ['smaller', 9],
    ['alike', 12],
  ])('are not what repeats them at the head of their page, set %s', (_, size) => {
    const heading = paragraph('5.2 Limits', { size: 12 });
    expect(foundFor('Limits', [paragraph('40 5.2 Limits', { size }), ...prose(2), heading, ...prose(2)])).toBe(heading);
    expect(foundFor('5.2 Limits', [paragraph('5.2 Limits', { size }), ...prose(2), heading])).toBe(heading);
  });

  it('are not plain lines below that read alike', () => {
    const heading = paragraph('Limits', { bold: true });
    expect(foundFor('Limits', [heading, ...prose(2), paragraph('Limits')])).toBe(heading);
  });

  it('end with all of a word', () => {
    const heading = paragraph('7 Test');
    expect(foundFor('Test', [paragraph('the latest', { size: 12 }), heading])).toBe(heading);
    expect(foundFor('2 Limits', [paragraph('12 Limits', { size: 12 }), paragraph('2 Limits')])?.lines[0]?.size).toBe(
      10,
    );
  });

  it.each([
    ['Appendix A: Limits', 'Limits'],
    ['5.2Limits', 'Limits'],
    ['第一章绪论', '绪论'],
    ['บทที่ ๑บทนำ', 'บทนำ'],
  ])('may follow their number: %s', (text, title) => {
    expect(foundFor(title, [paragraph(text)])).toBeDefined();
  });

  it('are found once each, where two are called alike', () => {
    const twice = [paragraph('Notes', { size: 12 }), ...prose(2), paragraph('Notes', { size: 12 })];
    expect(titlesIn([...others, ...twice], outline('Scope', 'Notes', 'Notes'))).toEqual(['Scope', 'Notes', 'Notes']);
  });
});
