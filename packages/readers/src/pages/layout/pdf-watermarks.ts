// Words that are stamped over or under a page and are no part of what is read there: they stand askew, or where other words stand too. Those that come
// again at the same place of other pages are watermarks, as running heads are set aside; one that does not is read, and heads nothing.
import type { PdfPage, PdfWord } from './pdf-content.ts';

export interface Stamped {
  /** On most pages at the same place. */
  readonly watermarks: ReadonlySet<PdfWord>;
  /** Looks like one, and does not come again. */
  readonly stamps: ReadonlySet<PdfWord>;
}

/** Pages on which a stamp must come again to be a watermark, or all of fewer. */
const fewestRepeats = 3;
/** In sizes of the body: what overlaps others and is smaller is a sign of a formula or a raised figure. */
const smallestStamp = 1.4;
const fewestLetters = 3;
/** Large words of a page of which each is compared with all: where there are more they are its text. */
const mostLarge = 200;

export function findStamped(pages: readonly PdfPage[]): Stamped {
  const body = bodySize(pages);
  const places = new Map<string, { readonly words: PdfWord[]; readonly pages: Set<PdfPage> }>();
  for (const page of pages) {
    const large = page.words.filter(({ size }) => size >= body * smallestStamp);
    const mayLieOver = large.length <= mostLarge;
    for (const word of large) {
      const isStamp =
        word.isAskew || (mayLieOver && lettersIn(word) >= fewestLetters && liesOverAnother(word, page.words));
      if (!isStamp) continue;
      const key = [word.text, ...[word.x, word.y, word.size].map(Math.round)].join(' ');
      const place = places.get(key) ?? { words: [], pages: new Set() };
      place.words.push(word);
      place.pages.add(page);
      places.set(key, place);
    }
  }
  const [watermarks, stamps] = [new Set<PdfWord>(), new Set<PdfWord>()];
  for (const place of places.values()) {
    const isRepeated = place.pages.size > 1 && place.pages.size >= Math.min(fewestRepeats, pages.length);
    for (const word of place.words) (isRepeated ? watermarks : stamps).add(word);
  }
  return { watermarks, stamps };
}

const lettersIn = ({ text }: PdfWord): number => (text.match(/\p{L}/gu) ?? []).length;

/** Whether the middle of a smaller word lies within its box. */
function liesOverAnother({ x, y, width, height, size }: PdfWord, words: readonly PdfWord[]): boolean {
  return words.some((other) => {
    const [middle, centre] = [other.x + other.width / 2, other.y + other.height / 2];
    return other.size < size && middle > x && middle < x + width && centre > y && centre < y + height;
  });
}

/** The size that most characters of all pages are set in. */
function bodySize(pages: readonly PdfPage[]): number {
  const weights = new Map<number, number>();
  for (const { words } of pages)
    for (const { size, text } of words) weights.set(size, (weights.get(size) ?? 0) + text.length);
  return [...weights].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}
