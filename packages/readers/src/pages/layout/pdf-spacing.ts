// Decides where a word of a PDF ends: PDFium guesses spaces from the gaps between text objects, and guesses wrong where letters are set apart, where
// fonts lie about their widths, and where a space is narrow. Spaces that the file itself writes always count.
import type { Rectangle } from '../../engines/pdf-module.ts';

/** What PDFium has between a letter and the one before it; `doubtful`: a guess beside a character that was left out. */
export type Parting = 'none' | 'doubtful' | 'guessed' | 'written';

export interface Letter {
  readonly text: string;
  /** As it is seen. Ink that reaches over the next letter is part of it. */
  readonly box: Rectangle;
  readonly style: { readonly size: number; readonly turn: number; readonly isFixedPitch: boolean };
  readonly parting: Parting;
}

/** How letters are set on a line, in sizes of the type. */
export interface Setting {
  /** The gap between letters of one word: 0 where they stand as the font has it. */
  readonly tracking: number;
  /** The gaps are alike enough to tell others from them. */
  readonly isEven: boolean;
  /** From one character of a typewriter to the next, where PDFium takes all of them for words; else 0. */
  readonly pitch: number;
}

/** Gaps by which letters are set apart on purpose. */
const leastTracking = 0.1;
const mostTracking = 0.25;
/** What a gap must exceed those of the other letters by: less is no space, more is one. */
const leastSpace = 0.07;
const clearSpace = 0.13;
/** Between figures (thousands are parted by thin spaces), and between sizes of type (formulas, indices). */
const clearSpaceOfFigures = 0.24;
const fewestPairs = 2;
/** Between the lower and the upper tenth of the gaps: fonts whose widths are not known spread more. */
const mostSpread = 0.08;
const fewestTyped = 4;
const typedShare = 0.6;
/** Characters of a typewriter are no wider; what is further apart has a space between. */
const widestPitch = 0.72;
/** Share of its pitch by which a typewriter may miss it. */
const samePitch = 0.12;

export function settingOf(letters: readonly Letter[]): Setting {
  const gaps: number[] = [];
  const pitches: number[] = [];
  let typed = 0;
  for (let at = 1; at < letters.length; at++) {
    const [before, letter] = [letters[at - 1] as Letter, letters[at] as Letter];
    if (letter.parting === 'written' || letter.style.size !== before.style.size) continue;
    const gap = gapBetween(before, letter);
    if (gap === undefined) continue;
    if (letter.parting === 'none') gaps.push(gap);
    if (!before.style.isFixedPitch || !letter.style.isFixedPitch) continue;
    typed++;
    if (letter.parting === 'guessed') pitches.push(pitchBetween(before, letter));
  }
  gaps.sort((a, b) => a - b);
  pitches.sort((a, b) => a - b);
  const isTold = gaps.length >= fewestPairs;
  const at = (share: number): number => gaps[Math.floor((gaps.length - 1) * share)] ?? 0;
  const pitch = pitches[pitches.length >> 1] ?? 0;
  const alike = pitches.filter((each) => Math.abs(each - pitch) < pitch * samePitch).length;
  return {
    tracking: isTold ? Math.max(0, Math.min(mostTracking, at(0.5))) : 0,
    isEven: at(0.9) - at(0.1) <= mostSpread,
    pitch: pitch <= widestPitch && alike >= fewestTyped && alike >= typed * typedShare ? pitch : 0,
  };
}

/** Whether a letter begins a new word. */
export function isParted(before: Letter, letter: Letter, { tracking, isEven, pitch }: Setting): boolean {
  const { parting } = letter;
  if (parting === 'written') return true;
  const gap = gapBetween(before, letter);
  if (gap === undefined) return parting !== 'none';
  if (parting === 'none') return isEven && gap > tracking + clearSpaceBetween(before, letter);
  if (pitch > 0 && Math.abs(pitchBetween(before, letter) - pitch) < pitch * samePitch) return false;
  // Where letters stand as the font has them, PDFium knows their gaps better: it has their widths without the ink that overhangs.
  return (parting === 'guessed' && tracking < leastTracking) || gap >= tracking + leastSpace;
}

/** In sizes of the type; undefined where one does not follow the other on one upright line. */
function gapBetween({ box: a, style }: Letter, { box: b, style: other }: Letter): number | undefined {
  if (style.turn !== 0 || other.turn !== 0) return undefined;
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (shared < 0.5 * Math.min(a.bottom - a.top, b.bottom - b.top)) return undefined;
  const size = Math.max(style.size, other.size);
  const gap = b.left + b.right > a.left + a.right ? b.left - a.right : a.left - b.right;
  return gap < -size ? undefined : gap / size;
}

const pitchBetween = ({ box: a, style }: Letter, { box: b }: Letter): number => (b.left - a.left) / style.size;

/** Letters that are at least this far apart belong to two words, even where PDFium gives no space between them. */
function clearSpaceBetween({ text: a, style }: Letter, { text: b, style: other }: Letter): number {
  if (!isSpaced(a) || !isSpaced(b) || style.isFixedPitch) return Number.POSITIVE_INFINITY;
  const isOther = Math.abs(style.size - other.size) > 0.1 * Math.max(style.size, other.size);
  return isOther || (/\d$/.test(a) && /^\d/.test(b)) ? clearSpaceOfFigures : clearSpace;
}

/** Of a script whose letters do not overlap and whose words are parted; not a leader, and no mark beside its letter. */
function isSpaced(text: string): boolean {
  const code = text.charCodeAt(0);
  if (code < 0x80) return !/[.·_…]/.test(text);
  return code < 0x600 && !/[\p{M}\p{Lm}\p{Sk}]/u.test(text);
}
