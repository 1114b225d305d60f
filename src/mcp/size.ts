// How long what tools give may be: clients refuse what is long, and models read what they are given. What does not fit is cut, and the result says
// so, with how to get the rest.
import { FootnoteError } from '../core/errors.ts';
import { cutAtMarks, joinMarked, type MarkedText, withInertBrackets } from '../core/marked-text.ts';
import { countTokens } from '../text/tokens/tokens.ts';

/** o200k tokens of a result. */
export const mostTokens = 2_500;

/**
 * What is made in the first of some sizes, each smaller than the one before, in which all its texts fit; where they fit in none, in the last of them with as
 * many of its `items` as fit. Throws `too-large` where it does not even fit without any.
 */
export function fitting<Size, Shape>(
  sizes: readonly [Size, ...Size[]],
  shapeOf: (size: Size, items: number) => Shape,
  {
    items,
    textsOf = (shape: Shape) => [JSON.stringify(shape)],
    most = mostTokens,
  }: { readonly items: number; readonly textsOf?: (shape: Shape) => readonly string[]; readonly most?: number },
): Shape {
  const fits = (shape: Shape): boolean => textsOf(shape).every((text) => countTokens(text) <= most);
  for (const size of sizes) {
    const shape = shapeOf(size, items);
    if (fits(shape)) return shape;
  }
  const smallest = (count: number): Shape => shapeOf(sizes.at(-1) as Size, count);
  let found: Shape | undefined;
  for (let [least, end] = [0, items]; least < end; ) {
    const count = (least + end) >> 1;
    const shape = smallest(count);
    if (fits(shape)) [found, least] = [shape, count + 1];
    else end = count;
  }
  if (found !== undefined) return found;
  throw new FootnoteError('too-large', `This has more than ${most} tokens however it is cut. Ask for less of it.`);
}

/** Without the first half of a character whose second half is cut off. */
export const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/u, '');

/** The beginning of a text that is longer than `most` characters, with a sign that it goes on. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${whole(text.slice(0, most - 1)).trimEnd()}…`;

/** Characters. */
const longestNote = 1500;

/** Sentences as one note; undefined where there is nothing to say. */
export const noteOf = (...sentences: readonly (string | false | undefined)[]): { readonly note?: string } => {
  const said = new Set(sentences.filter((one) => typeof one === 'string' && one !== ''));
  return said.size === 0 ? {} : { note: shortened([...said].join(' '), longestNote) };
};

/** The same text, where only the marks look like marks. */
export const inert = (text: MarkedText): MarkedText =>
  joinMarked(
    cutAtMarks(text).map(({ text: piece, citation }) =>
      citation === undefined
        ? { text: withInertBrackets(piece), marks: [] }
        : { text: piece, marks: [{ start: 0, end: piece.length, citation }] },
    ),
  );
