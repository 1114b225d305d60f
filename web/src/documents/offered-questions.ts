// Questions to begin with, made of the headings of documents and of nothing else: a heading with a question mark asks in the language of its document.

/** A heading of a document with the length of what stands beneath it. */
export interface Section {
  readonly title: string;
  readonly length: number;
}

interface OutlineHeading {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}
/** What stands between a heading and the next one is its own. */
export const sectionsOfOutline = (headings: readonly OutlineHeading[]): Section[] =>
  headings.map(({ title, start, end }, at) => ({
    title,
    length: Math.min(end, headings[at + 1]?.start ?? end) - start - title.length,
  }));

interface Piece {
  readonly headingPath: readonly string[];
  readonly start: number;
  readonly end: number;
}
/** Of a long document: the headings that its pieces stand under. */
export function sectionsOfPieces(pieces: readonly Piece[]): Section[] {
  const lengths = new Map<string, number>();
  for (const { headingPath, start, end } of pieces) {
    const title = headingPath.at(-1);
    if (title !== undefined) lengths.set(title, (lengths.get(title) ?? 0) + end - start);
  }
  return [...lengths].map(([title, length]) => ({ title, length }));
}

/** `7.5 `, `Chapter 3. `: 1,154 of 1,552 headings of ten manuals begin so, and nobody asks so. */
const numbering = /^(?:\p{L}+ +)?\d[\d.]*[.)]? +(?=\S{2})/u;

/** Whatever is listed beneath them, they are among the longest. */
const listing =
  /^(?:table of contents|contents|.*\bindex|inhalt(?:sverzeichnis)?|índice.*|table des matières|sommaire|indice.*|目次|索引|目录)$/iu;
/** A line that names something, and fits on a button. */
const isAskable = (title: string): boolean =>
  title.length <= 100 && /\p{L}{2}|\p{Lo}/u.test(title) && !listing.test(title.trim());
const isQuestion = (title: string): boolean => /[?？؟]$/u.test(title.trim());
/** How well it asks: one or two words say too little of what somebody would ask. */
const asks = (title: string): number => (isQuestion(title) ? 2 : /(?:\p{L}+\P{L}+){2}\p{L}/u.test(title) ? 1 : 0);

/** Of each document in turn the heading that asks best, of those that ask alike the one with the most beneath it; then the next. */
export function questionsOf(documents: readonly (readonly Section[])[], most = 3): string[] {
  const ranked = documents.map((sections) =>
    sections
      .filter(({ title, length }) => length > 0 && isAskable(title))
      .sort((one, other) => asks(other.title) - asks(one.title) || other.length - one.length)
      .map(({ title }) => title.trim().replace(numbering, '')),
  );
  const deepest = Math.max(0, ...ranked.map((titles) => titles.length));
  const inTurn = Array.from({ length: deepest }, (_, rank) => ranked.flatMap((titles) => titles[rank] ?? [])).flat();
  const unique = new Map(inTurn.map((title) => [title.toLowerCase(), title]));
  return [...unique.values()].slice(0, most).map((title) => (isQuestion(title) ? title : `${title}?`));
}
