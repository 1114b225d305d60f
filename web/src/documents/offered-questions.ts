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
/** Whether it asks enough: one or two words say too little of what somebody would ask. */
const asks = (title: string): number => (/(?:\p{L}+\P{L}+){2}\p{L}/u.test(title) ? 1 : 0);

/** What words of a heading begin with, since endings differ; of signs that are words, each two in a row. */
function stemsOf(title: string): Set<string> {
  const stems = (title.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => {
    const letters = [...word];
    if (/\p{Lo}/u.test(word)) return letters.slice(1).map((sign, at) => `${letters[at]}${sign}`);
    return letters.length < 5 ? [] : letters.slice(0, 5).join('');
  });
  return new Set(stems);
}

/**
 * How many of the other headings of its document share a word with a heading, up to this. What a document is about comes again in it; a licence, a
 * notice or an imprint at its end is about nothing else that stands there, however long it is.
 */
const enoughKin = 3;
function kinOf(sections: readonly Section[]): (section: Section) => number {
  const headings = new Map<string, number>();
  for (const { title } of sections)
    for (const stem of stemsOf(title)) headings.set(stem, (headings.get(stem) ?? 0) + 1);
  return ({ title }) =>
    Math.min(enoughKin, Math.max(0, ...[...stemsOf(title)].map((stem) => (headings.get(stem) ?? 1) - 1)));
}

/**
 * Of each document in turn: a heading that is a question, one that others have to do with, one of several words, the one that most have to do with,
 * the one with the most beneath it; then the next. What heads a part of several documents is of none of them.
 */
export function questionsOf(documents: readonly (readonly Section[])[], most = 3): string[] {
  const inDocuments = new Map<string, number>();
  const folded = ({ title }: Section): string => title.trim().replace(numbering, '').toLowerCase();
  for (const sections of documents)
    for (const one of new Set(sections.map(folded))) inDocuments.set(one, (inDocuments.get(one) ?? 0) + 1);
  const isShared = (section: Section): number => Number((inDocuments.get(folded(section)) ?? 0) > 1);
  const ranked = documents.map((sections) => {
    const kin = kinOf(sections);
    return sections
      .filter(({ title, length }) => length > 0 && isAskable(title))
      .sort(
        (one, other) =>
          isShared(one) - isShared(other) ||
          Number(isQuestion(other.title)) - Number(isQuestion(one.title)) ||
          Number(kin(other) > 0) - Number(kin(one) > 0) ||
          asks(other.title) - asks(one.title) ||
          kin(other) - kin(one) ||
          other.length - one.length,
      )
      .map(({ title }) => title.trim().replace(numbering, ''));
  });
  const deepest = Math.max(0, ...ranked.map((titles) => titles.length));
  const inTurn = Array.from({ length: deepest }, (_, rank) => ranked.flatMap((titles) => titles[rank] ?? [])).flat();
  const unique = new Map(inTurn.map((title) => [title.toLowerCase(), title]));
  return [...unique.values()].slice(0, most).map((title) => (isQuestion(title) ? title : `${title}?`));
}
