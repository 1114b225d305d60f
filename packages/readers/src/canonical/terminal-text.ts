// Text as a terminal shows it, from what programs write to one: colours and titles (ECMA-48 §5.4, §8.3.89) and letters struck over one another, by
// which manuals are bold and underlined, go. Invariant: no line end is added or taken, and text without such things stays as it is.

/** Titles and the like without an end are left to be read. */
const sequences =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)|[PX^_][^\u001b\n]{0,2000}\u001b\\|[ -/]{1,3}[0-~]|[0-Z\\\]^_`a-~])/gu;
/** A letter, and over it the same one (bold) or a line (underlined); the last one stays. */
const struckOver = /(?:[^\n\u0008]\u0008)+(?=[^\n\u0008])/gu;

/** Linear in the text. */
export function terminalText(text: string): string {
  const plain = text.includes('\u001b') ? text.replace(sequences, '') : text;
  return plain.includes('\u0008') ? plain.replace(struckOver, '') : plain;
}

/** Whether a byte is such a step back: between two characters. */
export const isStepBack = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x08 && (bytes[at - 1] ?? 0) >= 0x20 && (bytes[at + 1] ?? 0) >= 0x20;
