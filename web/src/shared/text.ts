// Words of others as they may be shown: characters that would turn the order of what is read (CVE-2021-42574) are shown as what they are.

/** Of the same length as the text, so that offsets stay. */
export const inPlace = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** For one line: without the marks of direction that show nothing. */
export const inOrder = (text: string): string => inPlace(text).replace(/[\u061c\u200e\u200f]/g, '');

/** `1 turn`, `2 turns`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The first `most` characters; no character is cut in two. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '') ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}
