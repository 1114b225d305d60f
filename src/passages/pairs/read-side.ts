// One side of a pair as it is compared: its terms, figures and what stands over it. Invariant: a reading depends on the texts alone.
import { guessLanguage } from '../../text/language/language.ts';
import { type DateMention, findDates } from '../../text/quantities/dates.ts';
import { findQuantities, type Quantity } from '../../text/quantities/quantities.ts';
import { type Term, termSet, termsOf } from '../../text/terms.ts';
import { cacheTexts } from '../../text/tokens/text-cache.ts';
import { polarityOf } from '../../text/words/negation.ts';

export interface Side {
  readonly text: string;
  /** The title of the document and the headings over the text, outermost first. */
  readonly over: readonly string[];
  /** The text that it was taken from. */
  readonly around?: string;
}

export interface SideWord extends Term {
  readonly written: string;
  /** Written with a capital inside a sentence, a digit or a mark of code. */
  readonly isName: boolean;
}

export interface Reading extends Side {
  readonly words: readonly SideWord[];
  /** Words that are no figures. */
  readonly plain: readonly SideWord[];
  readonly terms: ReadonlySet<string>;
  /** With those that stand over it. */
  readonly all: ReadonlySet<string>;
  readonly quantities: readonly Quantity[];
  readonly dates: readonly DateMention[];
  readonly isNegative: boolean;
  readonly isAsking: boolean;
  /** A row, a labelled value, or a sentence that opens with a pronoun: what it speaks of stands over it. */
  readonly isUnnamed: boolean;
}

const unnamed = /^(?:\||[^:.!?|]{1,60}:\s|(?:it|its|they|their|he|she|his|her|es|sie|er|il|elle)\b)/iu;

interface Head {
  readonly terms: ReadonlySet<string>;
  /** Words with digits: years, versions, codes, numbers of invoices. */
  readonly figures: ReadonlySet<string>;
}

/** "3.2 Pressure": the place of a section in its document names nothing. */
const numbering = /^(?:\d+\.)*\d+\.?\s+(?=\p{L})/u;
/** Of a document that is called as its file is. */
const extension = /\.\p{L}{2,4}$/u;
const figure = /[\p{L}\p{N}]+(?:[-./_][\p{L}\p{N}]+)*/gu;

const headIn = cacheTexts(
  (joined: string): Head => {
    const text = joined
      .split('\n')
      .map((one) => one.replace(extension, '').replace(numbering, ''))
      .join('\n');
    const figures = (text.toLowerCase().match(figure) ?? []).filter((word) => /\p{Nd}/u.test(word));
    return { terms: termSet(text), figures: new Set(figures) };
  },
  { characters: 100_000, shortest: 0 },
);

export const headOf = ({ over }: Side): Head => headIn(over.join('\n'));

type OwnReading = Omit<Reading, 'over' | 'all' | 'around'>;

const readText = cacheTexts(
  (text: string): OwnReading => {
    const dates = findDates(text);
    const isIn = (
      { start, end }: { readonly start: number; readonly end: number },
      spans: readonly { readonly start: number; readonly end: number }[],
    ): boolean => spans.some((one) => one.start < end && start < one.end);
    const quantities = findQuantities(text, { language: guessLanguage(text) }).filter((one) => !isIn(one, dates));
    const words = termsOf(text).map(({ term, start, end }) => {
      const written = text.slice(start, end);
      return { term, start, end, written, isName: isName(text, start, written) };
    });
    const plain = words.filter((word) => !/^\p{Nd}/u.test(word.term) && !isIn(word, quantities) && !isIn(word, dates));
    return {
      text,
      words,
      plain,
      terms: new Set(words.map(({ term }) => term)),
      quantities,
      dates,
      isNegative: polarityOf(text).polarity === 'negative',
      isAsking: /[?？]\s*$/u.test(text),
      isUnnamed: unnamed.test(text),
    };
  },
  { characters: 300_000, shortest: 0 },
);

/** A side is compared with many others. */
const readings = new WeakMap<Side, Reading>();

/** Reads a side; texts are remembered. */
export function readSide(side: Side): Reading {
  const known = readings.get(side);
  if (known) return known;
  const own = readText(side.text);
  const reading = { ...own, ...side, all: own.terms.union(headOf(side).terms) };
  readings.set(side, reading);
  return reading;
}

const isName = (text: string, start: number, written: string): boolean =>
  /\p{L}\p{Lu}|\d|[_/]/u.test(written) ||
  (/^\p{Lu}/u.test(written) && /[\p{L}\p{N},;:)]\s+["'“‘(]?$/u.test(text.slice(Math.max(0, start - 4), start)));
