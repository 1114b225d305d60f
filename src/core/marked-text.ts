// Text with its marks: the places at which `[n]` stands for a citation. Invariant: a mark is put where the text is made and is never looked for in it,
// since words of documents hold `[2]` too.
import { z } from 'zod';

export const markSchema = z
  .strictObject({
    /** UTF-16 offsets: `text.slice(start, end)` is `[n]`. */
    start: z.int().min(0),
    end: z.int().min(0),
    /** The index of the citation: the `n` of `[n]`. */
    citation: z.int().min(1),
  })
  .meta({ id: 'Mark' });
export type Mark = z.infer<typeof markSchema>;

export interface MarkedText {
  readonly text: string;
  /** In the order of the text. */
  readonly marks: readonly Mark[];
}

/** Texts behind each other. */
export function joinMarked(parts: readonly MarkedText[], between = ''): MarkedText {
  const texts: string[] = [];
  const marks: Mark[] = [];
  let at = 0;
  for (const part of parts) {
    if (texts.length > 0) at += between.length;
    for (const { start, end, citation } of part.marks) marks.push({ start: at + start, end: at + end, citation });
    texts.push(part.text);
    at += part.text.length;
  }
  return { text: texts.join(between), marks };
}

/** The marks of citations: `[1][2]`. */
export const marksOf = (citations: readonly number[]): MarkedText =>
  joinMarked(
    citations.map((citation) => {
      const text = `[${citation}]`;
      return { text, marks: [{ start: 0, end: text.length, citation }] };
    }),
  );

/** A template whose values keep their marks. */
export function marked(words: TemplateStringsArray, ...values: readonly (string | MarkedText)[]): MarkedText {
  const parts = words.flatMap((text, at) => {
    const value = values[at] ?? '';
    return [{ text, marks: [] }, typeof value === 'string' ? { text: value, marks: [] } : value];
  });
  return joinMarked(parts);
}

/** The text cut at its marks; a mark at which no `[n]` stands is none. */
export function cutAtMarks({
  text,
  marks,
}: MarkedText): readonly { readonly text: string; readonly citation?: number }[] {
  const pieces: { readonly text: string; readonly citation?: number }[] = [];
  let from = 0;
  for (const { start, end, citation } of marks) {
    if (start < from || text.slice(start, end) !== `[${citation}]`) continue;
    pieces.push({ text: text.slice(from, start) }, { text: text.slice(start, end), citation });
    from = end;
  }
  pieces.push({ text: text.slice(from) });
  return pieces;
}

/** Programs make a chip of any number in brackets, and Markdown a link where its definition stands; behind a word joiner neither does. */
const bracket = /[[［【](?=[\s^#]*\p{Nd}|$)/gu;
/** A text of which nothing looks like a mark to other programs. */
export const withInertBrackets = (text: string): string => text.replace(bracket, '$&\u2060');
