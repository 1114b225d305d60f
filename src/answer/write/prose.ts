// Reads the plain sentences of a model as claims: each with the passage, or the one sentence of it, that carries most of it. The numbers that a small
// model writes behind its sentences are often wrong, so that alignment alone tells the passage. Invariant: what is quoted stands in a passage that was shown.
import { countWords, segmentPieces } from '../../text/sentences.ts';
import { termSet } from '../../text/terms.ts';
import { nearestTo } from '../claims/nearest.ts';
import type { NumberedBlock } from '../context/evidence.ts';
import { notFound } from '../prompts/answer-in-prose.ts';
import { supportOf } from '../support.ts';
import type { ModelClaim } from './output.ts';

/** A passage of more sentences is quoted by so many around the nearest one. */
const mostQuoted = 8;

export interface SentenceReader {
  /** The sentences that are whole by now, each once. */
  push(text: string): readonly string[];
  /** What is left. */
  end(): readonly string[];
}

/** Numbers of passages around the end of a sentence, where they would be taken for one; what stands elsewhere is the claim's. */
const mark = '\\[\\s{0,4}\\d{1,3}(?:\\s{0,4}[,;–-]\\s{0,4}\\d{1,3}){0,8}\\s{0,4}\\]';
const marks = new RegExp(
  `(?<=[.!?…。！？]["”’)]?)(?: ?${mark})+|(?: |(?<![\\p{L}\\p{N}_)\\]\\s]))${mark}(?: ?${mark})*(?=[.!?…。！？])`,
  'gu',
);
const openMark = /\[[\s\d,;–-]*$/u;

/** The number of an item of a list; "5. Mai" in a sentence is none. */
const itemNumber = /^\s*(\d{1,2})[.)]\s+(?=\S)/u;

export function createSentenceReader(): SentenceReader {
  let held = '';
  let items: number | undefined;
  /** Numbers count after a sentence that announces a list, from 1 on; a model writes them, no passage has them. */
  const withoutNumber = (sentence: string): string => {
    const number = itemNumber.exec(sentence);
    if (number && items !== undefined && Number(number[1]) === items + 1) {
      items += 1;
      return sentence.slice(number[0].length);
    }
    items = /[:：]$/u.test(sentence.trimEnd()) ? 0 : items;
    return sentence;
  };
  const wholeOnes = (): readonly { readonly start: number; readonly end: number }[] =>
    segmentPieces(held, { maxWords: 400 }).filter(({ start, end }) => /[\p{L}\p{N}]/u.test(held.slice(start, end)));
  return {
    push(text) {
      held += text;
      if (openMark.test(held)) return [];
      held = held.replace(marks, '');
      const pieces = wholeOnes();
      const last = pieces.at(-1);
      if (!last || pieces.length < 2) return [];
      const sentences = pieces.slice(0, -1).map(({ start, end }) => withoutNumber(held.slice(start, end)));
      held = held.slice(last.start);
      return sentences;
    },
    end() {
      held = held.replace(marks, '');
      const sentences = wholeOnes().map(({ start, end }) => withoutNumber(held.slice(start, end)));
      held = '';
      return sentences;
    },
  };
}

const plainNotFound = notFound.toLowerCase();
/** Of a model that says in a sentence of its own that the passages have no answer. */
const ofPassages =
  /\b(?:passages?|documents?|texts?|context|information|sources?)\b.{0,80}(?:\b(?:not|no|none|nothing|neither)|n['’]t)\b/isu;

/** Whether the sentence says that nothing answers; such a sentence is no claim. Where a passage carries it, it says what stands there. */
export function saysNotFound(sentence: string, isCarried: () => boolean): boolean {
  const plain = sentence
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  if (plain === plainNotFound) return true;
  const soundsLike = plain.startsWith(plainNotFound) || (countWords(sentence) <= 40 && ofPassages.test(sentence));
  return soundsLike && !isCarried();
}

export interface ProseClaim extends ModelClaim {
  /** A sentence of a passage supports it word by word. */
  readonly isCarried?: boolean;
}

const opener = /^(?:yes|no|ja|nein|oui|non|s[ií])\s{0,2}[,.!:;–—-]\s{0,4}(?=\p{L})/iu;

/** The sentence with what carries it; no quotes where no passage has a word of it. What is cut out of a sentence gives way to it, whole. */
export function claimOf(sentence: string, blocks: readonly NumberedBlock[], question: string): ProseClaim {
  // A small model says "Yes, dogs are not allowed": what follows is said by the passage, or it is not.
  const statement = sentence.replace(opener, '');
  const readings = [
    sentence,
    ...(statement === sentence ? [] : [`${statement[0]?.toUpperCase()}${statement.slice(1)}`]),
  ];
  const under = blocks.map(({ block: { evidence } }) => ({
    quote: evidence.text,
    title: evidence.title,
    headingPath: evidence.headingPath,
  }));
  const near = nearestTo(sentence, under, question).flatMap((at) => {
    const [block, passage] = [blocks[at], under[at]];
    return block && passage
      ? [{ id: block.id, ...passage, pieces: segmentPieces(passage.quote, { maxWords: 400 }) }]
      : [];
  });
  for (const text of readings)
    for (const { id, quote, title, headingPath, pieces } of near)
      for (const { start, end } of pieces) {
        const piece = quote.slice(start, end);
        const context = [title, ...headingPath].join('. ');
        if (supportOf(text, piece, { context }).verdict === 'supported')
          return { text, quotes: [{ id, quote: piece }], isCarried: true };
        if (isCutOut(text, piece, question)) return { text: piece.trim(), quotes: [{ id, quote: piece }] };
      }
  return {
    text: sentence,
    quotes: near.map(({ id, quote, pieces }) => ({ id, quote: aroundNearest(sentence, quote, pieces) })),
  };
}

/** The words stand in the sentence as they are, and the rest of it says of what they are, in words of the question: an order in a passage does not. */
function isCutOut(text: string, sentence: string, question: string): boolean {
  const cut = text.replace(/(?<![\s.])[\s.]+$/u, '').toLowerCase();
  const at = sentence.toLowerCase().indexOf(cut);
  const isWordAt = (place: number): boolean => /[\p{L}\p{N}]/u.test(sentence[place] ?? '');
  if (!/\p{L}/u.test(cut) || at < 0 || isWordAt(at - 1) || isWordAt(at + cut.length)) return false;
  const rest = termSet(`${sentence.slice(0, at)} ${sentence.slice(at + cut.length)}`);
  return !rest.isDisjointFrom(termSet(question));
}

function aroundNearest(
  sentence: string,
  quote: string,
  pieces: readonly { readonly start: number; readonly end: number }[],
): string {
  if (pieces.length <= mostQuoted) return quote;
  const [nearest = 0] = nearestTo(
    sentence,
    pieces.map(({ start, end }) => ({ quote: quote.slice(start, end), title: '' })),
  );
  const from = Math.max(0, Math.min(nearest - mostQuoted / 2, pieces.length - mostQuoted));
  return quote.slice(pieces[from]?.start, pieces[from + mostQuoted - 1]?.end);
}
