// How long what tools give may be: clients refuse what is long, and models read what they are given. What does not fit is cut, and the result says
// so, with how to get the rest.
import { cutAtMarks, joinMarked, type MarkedText, withInertBrackets } from '../core/marked-text.ts';
import { countTokens } from '../text/tokens/tokens.ts';

/** o200k tokens of a result. */
export const mostTokens = 2_500;

/** What is made in the first of some sizes, each smaller than the one before, in which all its texts fit; in the last where it fits in none. */
export function fitting<Size, Shape>(
  sizes: readonly Size[],
  shapeOf: (size: Size) => Shape,
  { textsOf = (shape: Shape) => [JSON.stringify(shape)], most = mostTokens } = {},
): Shape {
  const [size, ...smaller] = sizes;
  const shape = shapeOf(size as Size);
  const fits = smaller.length === 0 || textsOf(shape).every((text) => countTokens(text) <= most);
  return fits ? shape : fitting(smaller, shapeOf, { textsOf, most });
}

/** Without the first half of a character whose second half is cut off. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/u, '');

/** The beginning of a text that is longer than `most` characters, with a sign that it goes on. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${whole(text.slice(0, most - 1)).trimEnd()}…`;

/** Sentences as one note; undefined where there is nothing to say. */
export const noteOf = (...sentences: readonly (string | false | undefined)[]): { readonly note?: string } => {
  const said = new Set(sentences.filter((one) => typeof one === 'string' && one !== ''));
  return said.size === 0 ? {} : { note: [...said].join(' ') };
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
