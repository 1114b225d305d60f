// A message in the clauses that its user says, each of which may be remembered by itself, with what only leads into them taken off.
import { segmentSentences } from '../../../text/sentences.ts';
import { ownVoice } from './own-voice.ts';

export interface Clause {
  readonly text: string;
  /** That it stands in. */
  readonly sentence: string;
  /** The user asked that it be remembered. */
  readonly isAsked: boolean;
  readonly isQuestion: boolean;
}

const longestSentence = 500;
const subject = String.raw`(?:i|we|my|our|im|ive|i['’]\w+|we['’]\w+|please|don['’]?t|always|never)\b`;
const splits = new RegExp(
  String.raw`(\s*[;–—]\s+|\s+-\s+|,?\s+(?:and|but|so|though|while|plus)\s+(?=${subject})|,\s+(?=${subject}|(?:so|can|could|what|which|how|where|any|is|are|do|does)\b))`,
  'iu',
);
/** A verb behind “and” that shares the subject before it. */
const sharedVerb =
  /,?\s{1,8}and\s{1,8}(?=(?:(?:also|now|always|never)\s{1,8})?(?:work|live|use|prefer|love|like|hate|speak|study|drive|have|play|own|run|teach|manage|write|code|host|eat|drink|moved|switched|quit|joined|bought|became)\b)/iu;
/** What begins like this says when or for what the rest is so, and stays with it. */
const dependent =
  /^\s*(?:from (?:now|here) on|in future|when(?:ever)?|if|before|after|for|from|in|at|on|to|as|once|every|each|while|until|since|with|over)\b[^,]*$/iu;
const askedFor =
  /^(?:please\s+|and\s+|also\s+)?(?:(?:can|could|would) you (?:please )?)?(?:remember(?: that| this)?(?! (?:when|how|the time|me|what|where|why|who|to)\b)|(?:do not|don['’]?t) forget(?: that)?(?! to\b)|(?:please )?note(?: down)?(?: that)?|(?:keep|bear) in mind(?: that)?|make a note(?: that| of)?|save (?:this|that)(?: to memory)?|for the record|note (?:to self|for later))\s*[:,-]?\s+/iu;
const askedBehind =
  /[,;–—-]\s*(?:so )?(?:please |pls )?(?:remember|rember|note|keep) (?:that|this|it)(?: in mind)?[.!]*$/iu;
const lead =
  /^(?:(?:hi|hello|hey)(?: there)?|ok(?:ay)?|well|so|also|and|but|oh|yes|no|btw|by the way|fyi|for context|(?:some )?(?:context|background)(?=:)|just so you know|to be honest|tbh|honestly|actually|thanks|thank you|correction|update|about me|unfortunately|sorry|anyway|since|because|as)(?=[\s,:;!.–—-])[\s,:;!.–—-]+(?=(?:i|we|my|our|im|ive|i['’]\w+|we['’]\w+|please|call|answer|use|always|never|just)\b)/iu;

function strip(text: string): { readonly text: string; readonly isAsked: boolean } {
  let rest = text.trim();
  let isAsked = false;
  for (let round = 0; round < 4; round += 1) {
    const asked = askedFor.exec(rest)?.[0] ?? '';
    const length = asked.length || (lead.exec(rest)?.[0].length ?? 0);
    if (length === 0 || length >= rest.length) break;
    isAsked ||= asked !== '';
    rest = rest.slice(length);
  }
  const behind = askedBehind.exec(rest);
  return { text: behind ? rest.slice(0, behind.index) : rest, isAsked: isAsked || behind !== null };
}

/** A piece that says when or for what, or is a word or two, stays with its neighbour. `parts`: pieces with what stood between them. */
function joined(parts: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const piece = parts[at] ?? '';
    const last = whole.at(-1);
    if (last !== undefined && (dependent.test(last) || piece.trim().split(/\s+/u).length < 3))
      whole[whole.length - 1] = `${last}${parts[at - 1] ?? ''}${piece}`;
    else whole.push(piece);
  }
  return whole.filter((piece) => piece.trim() !== '');
}

function withSubject(piece: string): readonly string[] {
  const subject = /^(i|we)(?:['’](?:m|ve|re))?\s/iu.exec(piece)?.[1];
  const [first = piece, ...others] = subject === undefined ? [piece] : piece.split(sharedVerb);
  return [first, ...others.map((other) => `${subject} ${other}`)];
}

export function clausesOf(message: string): readonly Clause[] {
  return ownVoice(message).flatMap((passage) =>
    segmentSentences(passage, { language: 'en' }).flatMap(({ start, end }) => {
      const sentence = passage.slice(start, end).trim();
      if (sentence.length > longestSentence) return [];
      const opened = strip(sentence);
      const pieces = joined(opened.text.split(splits)).flatMap(withSubject);
      return pieces.map((piece, at): Clause => {
        const { text, isAsked } = strip(piece);
        return {
          text: text.trim(),
          sentence,
          isAsked: isAsked || opened.isAsked,
          isQuestion: /\?[\s)"'”’]*$/u.test(sentence) && at === pieces.length - 1,
        };
      });
    }),
  );
}
