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
