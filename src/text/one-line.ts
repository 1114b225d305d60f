// What a model wrote beside its decision, as it is shown and kept: on one line, without characters that print nothing, cut at a length.

/** `most`: UTF-16 code units. */
export const onOneLine = (text: string, most: number): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
