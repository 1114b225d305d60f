// The labels that OpenDocument programs count themselves before headings and list items (ODF 1.3 part 3 §16.31 to §16.38, §19.476): `2.1`, `(a)`, `iv.`. They stand
// in no text of the file, and are how people cite its sections.

import { attributeOf, descendantsOf, elementsOf, type XmlElement } from '../containers/xml-text.ts';
import { numberAs } from '../words/docx-numbering.ts';

interface NumberedLevel {
  /** Of numbers, as in DOCX; '' for none. */
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  /** How many levels are shown, this one included. */
  readonly shown: number;
  readonly start: number;
}

export interface OpenDocumentNumbering {
  /** Counts the next item of a list at a level (from 1): its label, '' where it has none; undefined for what is no numbered list. */
  next(style: string, level: number, counts: number[]): string | undefined;
  /** The same for headings. */
  nextHeading(level: number, counts: number[]): string;
}

/** Of every list style and of the outline, which stands under ''. */
export function readNumbering(...roots: readonly (XmlElement | undefined)[]): OpenDocumentNumbering {
  const lists = new Map<string, ReadonlyMap<number, NumberedLevel>>();
  for (const root of roots) {
    if (root === undefined) continue;
    for (const name of ['list-style', 'outline-style'])
      for (const style of descendantsOf(root, name)) {
        const levels = new Map(elementsOf(style).flatMap(levelOf));
        lists.set(attributeOf(style, 'name') ?? 'Outline', levels);
        if (name === 'outline-style') lists.set('', levels);
      }
  }
  const next = (style: string, level: number, counts: number[]): string | undefined => {
    const levels = lists.get(style);
    const own = levels?.get(level);
    const before = counts[level - 1];
    counts[level - 1] = before === undefined ? (own?.start ?? 1) : before + 1;
    counts.length = level;
    if (levels === undefined || own === undefined) return undefined;
    if (own.format === '') return '';
    const numbers: string[] = [];
    for (let at = Math.max(1, level - own.shown + 1); at <= level; at++) {
      const shown = levels.get(at);
      // Levels without numbers are passed over.
      if (shown !== undefined && shown.format !== '')
        numbers.push(numberAs(counts[at - 1] ?? shown.start, shown.format));
    }
    return `${own.prefix}${numbers.join('.')}${own.suffix}`.trim().slice(0, maxLabel);
  };
  return { next, nextHeading: (level, counts) => next('', level, counts) ?? '' };
}

/** A longer one would be said too often. */
const maxLabel = 100;

const formats: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

function levelOf(element: XmlElement): (readonly [number, NumberedLevel])[] {
  if (element.name !== 'list-level-style-number' && element.name !== 'outline-level-style') return [];
  const value = (name: string): string => attributeOf(element, name) ?? '';
  const format = value('num-format');
  return [
    [
      Number(value('level')),
      {
        // Numbers in other scripts are written in ours.
        format: format === '' ? '' : (formats[format] ?? 'decimal'),
        prefix: value('num-prefix'),
        suffix: value('num-suffix'),
        shown: Math.min(Math.max(Number(value('display-levels')) || 1, 1), 10),
        start: Number(value('start-value') || 1) || 0,
      },
    ],
  ];
}
