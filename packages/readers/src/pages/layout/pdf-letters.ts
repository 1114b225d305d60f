// Letters as readers know them, for code points by which fonts call them otherwise: Adobe's corporate use (figures of old style, small
// capitals, pieces of brackets: corporateuse.txt), symbol fonts (U+F000 and up), and the symbol fonts of TeX where a file has no character map.

/** Adobe's corporate use from U+F8E5 on, in its order; pieces of large brackets are Unicode's. */
const bracketPieces = [...'√⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭'];
const firstPiece = 0xf8e5;

/** Of Symbol and Wingdings: marks of list items and boxes, as word processors set them. */
const symbols = new Map([
  [0xf06c, '●'],
  [0xf06e, '■'],
  [0xf071, '□'],
  [0xf0a7, '▪'],
  [0xf0a8, '□'],
  [0xf0b7, '•'],
  [0xf0d8, '➢'],
  [0xf0e0, '→'],
  [0xf0fc, '✓'],
  [0xf0fe, '☑'],
  [0xf6be, 'ȷ'],
]);

/** What a code point of the private use area stands for; undefined where it is none, or nobody knows. */
export function knownPrivate(code: number): string | undefined {
  if (code < 0xe000 || code > 0xf8ff) return undefined;
  if (code >= 0xf730 && code <= 0xf739) return String.fromCodePoint(code - 0xf700);
  if (code >= 0xf761 && code <= 0xf77a) return String.fromCodePoint(code - 0xf720);
  return symbols.get(code) ?? bracketPieces[code - firstPiece];
}

/** From the code of the first one on; a blank stands for what the character map of a file may give rightly. */
function lettersFrom(first: string, letters: string): [string, string][] {
  const from = first.charCodeAt(0);
  return [...letters].flatMap((letter, at): [string, string][] =>
    letter === ' ' ? [] : [[String.fromCharCode(from + at), letter]],
  );
}

/** Operators and large brackets of the extension font (OMX), and signs of the symbol font (OMS): The TeXbook, appendix F. */
const extension = new Map([
  ...lettersFrom('\u0000', '()[]⌊⌋⌈⌉{    ‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\'),
  ...lettersFrom('0', '⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫'),
  ...lettersFrom('A', '⎠⎜⎟⟨⟩⊔⊔∮∮⊙⊙⊕⊕⊗⊗∑∏∫⋃⋂⨄⋀⋁∑∏∫'),
  ...lettersFrom('a', '∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}√√√√'),
]);
const signs = new Map([...lettersFrom('0', '′∞∈∋△▽  ∀∃'), ...lettersFrom('a', '⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡')]);

/**
 * The signs that a font of mathematics draws for characters that it does not have: neither font has figures or small letters, and the first
 * one has no letters at all. Where the file says nothing else, PDFium gives the characters of their codes.
 */
export function lettersOfFont(name: string): ReadonlyMap<string, string> | undefined {
  const family = name.slice(name.lastIndexOf('+') + 1);
  if (/^(?:CM|LM|EU)EX\d/i.test(family)) return extension;
  return /^CMB?SY\d/i.test(family) ? signs : undefined;
}
