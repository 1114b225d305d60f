// Texts on one line: as they are compared, and what a model wrote beside its decision, as it is shown and kept.

/** However white space parts the words, one blank does. */
export const withSingleBlanks = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** Without characters that print nothing, cut at a length. `most`: UTF-16 code units. */
export const onOneLine = (text: string, most: number): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
