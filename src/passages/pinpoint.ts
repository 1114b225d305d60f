// The sentence, item, row or value of a passage that answers: what is marked in it, and, where that is sure, what the answer leads with. Invariant: a
// pinpoint is one part of the passage, exactly.
import type { SourceSpan } from '../core/document.ts';
import { termSet } from '../text/terms.ts';
import { coverOf, type Frame } from './frame.ts';
import type { Passage, PassagePart } from './passage.ts';

export interface Pinpoint {
  readonly part: PassagePart;
  /** Offsets into the text of the passage. */
  readonly span: SourceSpan;
  /** Cover of the question by the part alone, and with what stands over it. */
  readonly own: number;
  readonly whole: number;
  /** How much better it is than the next best part, in the same measure. */
  readonly margin: number;
  /** It has a value of the kind that is asked for, or none is. */
  readonly isFitting: boolean;
}

const weights = { own: 1, fitting: 0.45, label: -0.6, first: 0.1, asking: -1 };

/** Undefined where the passage has one part alone, or none that says anything of the question. */
export function pinpointOf({ terms, kinds }: Frame, passage: Passage): Pinpoint | undefined {
  const { text, start, parts, headingPath, label } = passage;
  const columns = columnsOf(passage);
  const over = termSet([...headingPath, label ?? '', columns].join('\n'));
  const cover = (held: ReadonlySet<string>): number => coverOf(terms, held);
  const wantsFigure = kinds.has('value') || kinds.has('time');
  const found = parts.map((part, at) => {
    const span = { start: part.start - start, end: part.end - start };
    const said = text.slice(span.start, span.end);
    const held = termSet(said);
    const own = cover(held);
    const isFitting = !wantsFigure || value.test(said);
    // The names of columns, which every row may repeat, do not tell which row is asked for.
    const telling = part.form === 'row' ? cover(held.difference(over)) : own;
    const score =
      weights.own * telling +
      (isFitting ? weights.fitting : 0) +
      (part.form === 'label' || said === columns ? weights.label : 0) +
      (at === 0 ? weights.first : 0) +
      (/[?？]\s*$/u.test(said) ? weights.asking : 0);
    return { part, span, own, telling, whole: cover(held.union(over)), isFitting, score };
  });
  const [best, next] = [...found].sort((a, b) => b.score - a.score);
  if (!best || best.telling === 0 || best.part.form === 'label') return undefined;
  const { score, telling: _, ...pinpoint } = best;
  return { ...pinpoint, margin: score - (next?.score ?? 0) };
}

/** The first row of a table that has a rule below it; empty: none. */
function columnsOf({ text, start, parts: [first, second] }: Passage): string {
  if (first?.form !== 'row' || !second) return '';
  const between = text.slice(first.end - start, second.start - start);
  return /^[\s|:+-]+$/u.test(between) && between.includes('---')
    ? text.slice(first.start - start, first.end - start)
    : '';
}

/** A figure, or a value in words. */
const value =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|none|null|off|on|true|false|unlimited|infinity)\b/iu;

/** A figure in digits or words, in English, German, Spanish, French or signs of Chinese. */
export const holdsFigure = (text: string): boolean => /\p{N}/u.test(text) || figureWords.test(text);

const figureWords =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|none|free|unlimited|infinity|daily|weekly|monthly|yearly|eine?[rnsm]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|keine?|un[oae]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix|aucune?)\b|[一二三四五六七八九十百千万两]/iu;
