// What a quote says of a thing that could be compared: its sentences and its rows, each by itself. Invariant: a figure is the thing's own, of one event or
// attribute; where the same quote gives two, both are told, and whoever compares has to refuse.
import { findDates } from '../../../text/quantities/dates.ts';
import { segmentSentences } from '../../../text/sentences.ts';
import { type Columns, isFieldLine, isTabular, type Row, rowsOf } from '../../tables/rows.ts';
import { type AmountReading, amountOfCell, amountsIn, attributes, type Measured, nounsOf } from './amounts.ts';
import { type EventKind, type EventReading, eventOf, eventsIn, type ThingReading } from './events.ts';
import { isDoubtful, isMeant, isMeantByTitle, isRowUnder, isSameThing, isTitled, isTitledBy } from './things.ts';

export interface Quoted {
  readonly quote: string;
  readonly columns?: Columns | undefined;
  /** Of its document. */
  readonly title?: string | undefined;
}

interface Sentence {
  readonly text: string;
  /** The one before it in its paragraph. */
  readonly before?: string;
}

const longestQuote = 8_000;
const mostSentences = 60;

function sentencesOf(quote: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const paragraph of quote.slice(0, longestQuote).split(/\n[ \t]*\n/u)) {
    let before: string | undefined;
    for (const { start, end } of segmentSentences(paragraph, { language: 'en' })) {
      const text = paragraph.slice(start, end).replace(/\s+/gu, ' ').trim();
      if (text === '' || sentences.length >= mostSentences) continue;
      sentences.push({ text, ...(before !== undefined && { before }) });
      before = text;
    }
  }
  return sentences.filter(({ text }) => !isTabular(text) && (!isFieldLine(text) || colonInBrackets.test(text)));
}
/** "Ada Brook (Welsh: Ada Nant; 15 June 1924 – 24 April 2005) was …" is no field. */
const colonInBrackets = /^\p{Lu}[^:|()\n]{1,80}\([^):]{1,40}:/u;

/** Columns that say what a row is of, wherever they stand. */
const callsRow =
  /^(?:(?:product|item|model|article|service|plan|company|vendor|device|title|project|tool|asset|equipment|type)(?: name)?|name)$/iu;

/** The cells by which a row may be called: "Article: 2001; Model: Dune" has two, "L07; Italian" as well. */
export const labelsOf = (cells: Row['cells']): readonly Row['cells'][number][] => [
  ...new Set([
    ...cells.filter(({ name }) => callsRow.test(name.trim())),
    ...cells.slice(0, numbersRow.test(cells[0]?.name ?? '') ? 2 : 1),
  ]),
];
/** What it numbers stands behind it. */
const numbersRow =
  /^(?:code|no\.?|nr\.?|number|id|ref\.?|reference|sku|#|(?:course|item|order|article) (?:code|no\.?|number|id))$/iu;

/** Rows that are called by the thing; where things stand over the columns, what the row says of it as a cell of its own. */
function rowsOfThing({ quote, columns, title = '' }: Quoted, thing: string): readonly Pick<Row, 'cells'>[] {
  if (quote.length > longestQuote) return [];
  return rowsOf(quote, columns).flatMap((row): readonly Pick<Row, 'cells'>[] => {
    const { heading, cells } = row;
    if (heading !== undefined) return isTitledBy(heading.replace(/^#+ /u, ''), thing) ? [row] : [];
    const called = labelsOf(cells).some(
      (cell) => isSameThing(cell.value, thing) || isRowUnder(cell.value, { title, column: cell.name }, thing),
    );
    if (called) return [row];
    const [label, value, ...more] = cells;
    // A table of properties, in what is called by the thing: its rows are called by them.
    if (
      label &&
      value &&
      more.length === 0 &&
      isTitledBy(title, thing) &&
      /^(?:property|feature|item|specification|parameter|attribute|)$/iu.test(label.name)
    )
      return [{ cells: [{ name: label.value, value: value.value }] }];
    const under = cells.slice(1).filter(({ name }) => isSameThing(name, thing));
    return label?.name === '' && under.length > 0
      ? [{ cells: under.map(({ value }) => ({ name: label.value, value })) }]
      : [];
  });
}

/** Neither a maker nor a place can be what this happened to. */
const ofProducts: ReadonlySet<EventKind | undefined> = new Set(['released', 'published', 'written', 'introduced']);

const inReading = ({ text, before }: Sentence, thing: string, title = ''): ThingReading | undefined =>
  isDoubtful(text)
    ? undefined
    : {
        thing,
        meant: (subject, kind) =>
          isMeant(subject, before, thing, ofProducts.has(kind)) ||
          isMeantByTitle(subject, before, title, thing) ||
          isTitled(subject, title, thing),
        isTitle: isSameThing(title, thing),
      };

/** `First release date (UTC)`: the event that a column is of. */
export function eventOfColumn(name: string): { kind: EventKind; word: string } | undefined {
  const bare = name
    .toLowerCase()
    .replace(/ \([^()]*\)$/u, '')
    .replace(/^(?:date|year|day) (?:of )?|^(?:first|initial) | (?:date|year|on|in|from)$/gu, '')
    .replace(/^(?:first|initial) /u, '')
    .replace(/^release$/u, 'released')
    .replace(/^(?:birth|founding|publication|launch|opening|foundation)$/u, (noun) => nounEvents[noun] ?? noun);
  const kind = eventOf(bare);
  return kind && { kind, word: bare };
}
const nounEvents: Readonly<Record<string, string>> = {
  birth: 'born',
  founding: 'founded',
  foundation: 'founded',
  publication: 'published',
  launch: 'launched',
  opening: 'opened',
};

const lifeDates = /^\p{Lu}[^().]{1,80}(?:\. [^().]{1,40})? \([^()]{3,200}\)/u;

export function eventReadings(quoted: Quoted, thing: string): readonly EventReading[] {
  const said = sentencesOf(quoted.quote).flatMap((sentence) => {
    // What is doubtful of the rest of a sentence says nothing of the dates of a life behind the name.
    const [life = ''] = isDoubtful(sentence.text) ? (lifeDates.exec(sentence.text) ?? []) : [];
    const read = life === '' ? sentence : { ...sentence, text: life };
    const reading = inReading(read, thing, quoted.title);
    return reading ? eventsIn(read.text, reading) : [];
  });
  const listed = rowsOfThing(quoted, thing).flatMap(({ cells }) =>
    cells.flatMap(({ name, value }): EventReading[] => {
      const event = eventOfColumn(name);
      const [date, ...more] = event ? findDates(value) : [];
      const isWhole = date && more.length === 0 && date.text.length >= value.replace(/[.;]$/u, '').trim().length;
      const isPlain = date?.year !== undefined && !date.alternative && /^(?:day|month|year)$/u.test(date.precision);
      return event && isWhole && isPlain ? [{ ...event, date }] : [];
    }),
  );
  return [...said, ...listed];
}

/** Of a row that names it in a column of its own. */
const currencyOf = (cells: Row['cells']): string | undefined =>
  cells.find(({ name }) => /^currency$/iu.test(name.trim()))?.value.trim();

/** "5 pallets": a figure with what it counts behind it. */
function countedCell(value: string): AmountReading | undefined {
  const [, figure = '', noun = ''] = /^(\p{Nd}[\p{Nd}.,]{0,12}) (\p{Ll}[\p{L}-]{1,30})$/u.exec(value.trim()) ?? [];
  const read = figure === '' ? undefined : amountOfCell(figure, ['none']);
  return read && { ...read, text: `${read.text} ${noun}`, per: noun.replace(/s$/u, '') };
}

export function amountReadings(quoted: Quoted, thing: string, what: Measured): readonly AmountReading[] {
  const said = sentencesOf(quoted.quote).flatMap((sentence) => {
    const reading = inReading(sentence, thing, quoted.title);
    return reading ? amountsIn(sentence.text, what, reading) : [];
  });
  // A column of prices leaves out of which money they are; those with a currency are never set against those without.
  const isPrice = 'attribute' in what && what.attribute === 'price';
  const dimensions =
    'column' in what
      ? undefined
      : 'counted' in what
        ? ['none']
        : [...attributes[what.attribute].dimensions, ...(isPrice ? ['none'] : [])];
  const nouns = nounsOf(what);
  const listed = rowsOfThing(quoted, thing).flatMap(({ cells }) =>
    cells.flatMap(({ name, value }): readonly AmountReading[] => {
      const [, bare = name, inside, money] =
        /^(.{1,60}?)(?: \(([^()]{1,20})\)| (EUR|USD|GBP|CHF|[€$£]))?$/u.exec(name) ?? [];
      const unit = inside ?? money;
      const isNoun = (words: string): boolean =>
        nouns.some((noun) =>
          'column' in what
            ? ` ${words.toLowerCase().replace(/ (?:kg|g|t|km|m|cm|mm|h|min|s|l|ml|%)$/u, '')}`.endsWith(
                ` ${noun.toLowerCase()}`,
              )
            : noun.toLowerCase() === words.toLowerCase(),
        );
      // "Price per month": of each of its figures.
      const [, of = '', per] =
        (isPrice && !isNoun(bare) && /^(.{1,40}?) (per \p{L}{1,20}(?: (?:and|per) \p{L}{1,20})?)$/iu.exec(bare)) || [];
      if (!isNoun(per === undefined ? bare : of)) return [];
      const limit = per === undefined ? '' : ` ${per.toLowerCase()}`;
      const read =
        amountOfCell(`${value.trim()}${limit}`, dimensions, unit ?? (isPrice ? currencyOf(cells) : undefined)) ??
        ('column' in what ? countedCell(value) : undefined);
      return read && !isDoubtful(value) ? [read] : [];
    }),
  );
  return [...said, ...listed];
}
