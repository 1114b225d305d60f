// The labels that Word counts itself and shows before list items and headings (ECMA-376 part 1 §17.9): `1.2`, `(a)`, `iv.`, or a bullet. They
// stand in no text of the file, and are how people cite its sections.

import { attributeOf, childOf, childrenOf, parseXmlTree, type XmlElement } from '../containers/xml-text.ts';
import type { NumberingPlace } from './docx-styles.ts';

export interface ListLevel {
  readonly format: string;
  /** With %1 to %9 for the numbers of the levels. */
  readonly pattern: string;
  readonly start: number;
}

export interface List {
  readonly abstractId: string;
  readonly levels: ReadonlyMap<number, ListLevel>;
  /** Where this list begins anew what others of its kind count on. */
  readonly overrides: ReadonlyMap<number, number>;
}

/** A longer one would be said too often. */
const maxPattern = 100;

/** The label of the next paragraph at a place: a number, `-` for a bullet, '' for none; undefined where there is no such list. */
export type Numbering = (place: NumberingPlace) => string | undefined;

export function readNumbering(source: string | undefined, name: string): Numbering {
  return numberingOf(source === undefined ? new Map() : readLists(parseXmlTree(source, name)));
}

/** Lists by their id; those of one kind (`abstractId`) count on together. */
export function numberingOf(lists: ReadonlyMap<string, List>): Numbering {
  const counts = new Map<string, number[]>();
  const begun = new Set<string>();
  return ({ id, level }) => {
    const list = lists.get(id);
    const own = list?.levels.get(level);
    if (list === undefined || own === undefined) return undefined;
    const numbers = counts.get(list.abstractId) ?? [];
    counts.set(list.abstractId, numbers);
    const override = list.overrides.get(level);
    if (override !== undefined && !begun.has(`${id} ${level}`)) numbers[level] = override;
    else numbers[level] = numbers[level] === undefined ? own.start : (numbers[level] ?? 0) + 1;
    begun.add(`${id} ${level}`);
    numbers.length = level + 1;
    if (own.format === 'bullet') return '-';
    if (own.format === 'none') return '';
    return own.pattern.slice(0, maxPattern).replace(/%([1-9])/gu, (_, digit: string) => {
      const at = Number(digit) - 1;
      const shown = list.levels.get(at);
      return numberAs(numbers[at] ?? shown?.start ?? 1, shown?.format ?? 'decimal');
    });
  };
}

function readLists(root: XmlElement): Map<string, List> {
  const abstracts = new Map(
    childrenOf(root, 'abstractNum').map((element) => [
      attributeOf(element, 'abstractNumId') ?? '',
      new Map(childrenOf(element, 'lvl').map(levelOf)),
    ]),
  );
  return new Map(
    childrenOf(root, 'num').map((element) => {
      const abstractId = attributeOf(childOf(element, 'abstractNumId'), 'val') ?? '';
      const levels = new Map(abstracts.get(abstractId));
      const overrides = new Map<number, number>();
      for (const override of childrenOf(element, 'lvlOverride')) {
        const at = Number(attributeOf(override, 'ilvl'));
        const level = childOf(override, 'lvl');
        const start = attributeOf(childOf(override, 'startOverride'), 'val');
        if (level !== undefined) levels.set(at, levelOf(level)[1]);
        if (start !== undefined) overrides.set(at, Number(start) || 0);
      }
      return [attributeOf(element, 'numId') ?? '', { abstractId, levels, overrides }];
    }),
  );
}

function levelOf(element: XmlElement): [number, ListLevel] {
  const value = (name: string): string | undefined => attributeOf(childOf(element, name), 'val');
  return [
    Number(attributeOf(element, 'ilvl')),
    {
      format: value('numFmt') ?? 'decimal',
      pattern: (value('lvlText') ?? '').trim(),
      start: Number(value('start') ?? 1) || 0,
    },
  ];
}

/** A number as a list writes it: `decimal`, `lowerLetter`, `upperRoman` … */
export function numberAs(number: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
    case 'upperLetter': {
      // a … z, aa, bb … (§17.18.59)
      const letter = String.fromCharCode(97 + ((Math.max(number, 1) - 1) % 26));
      const letters = letter.repeat(Math.min(Math.ceil(Math.max(number, 1) / 26), 10));
      return format === 'upperLetter' ? letters.toUpperCase() : letters;
    }
    case 'lowerRoman':
      return roman(number).toLowerCase();
    case 'upperRoman':
      return roman(number);
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'none':
    case 'bullet':
      return '';
    default:
      return String(number);
  }
}

const romanDigits: readonly (readonly [value: number, digits: string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let rest = number;
  let digits = '';
  for (const [value, digit] of romanDigits)
    while (rest >= value) {
      digits += digit;
      rest -= value;
    }
  return digits;
}
