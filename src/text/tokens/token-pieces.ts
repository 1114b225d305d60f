// Cuts text into the pieces that o200k_base never merges across, as its published pattern does, by one look at each
// character. What the scanner does not decide (characters outside the BMP, marks without a letter) the pattern itself does:
// test/text/tokens/token-pieces.test.ts holds the two against each other.
import {
  caseless,
  codeClasses,
  lineEnd,
  lower,
  mark,
  number,
  other,
  space,
  surrogate,
  upper,
} from '../language/code-classes.ts';

const contraction = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?";
const upperCase = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const lowerCase = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
/** The pre-tokeniser of o200k_base, as published with tiktoken. */
export const tokenPattern: string = [
  `[^\\r\\n\\p{L}\\p{N}]?${upperCase}*${lowerCase}+${contraction}`,
  `[^\\r\\n\\p{L}\\p{N}]?${upperCase}+${lowerCase}*${contraction}`,
  '\\p{N}{1,3}',
  ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*',
  '\\s*[\\r\\n]+',
  '\\s+(?!\\S)',
  '\\s+',
].join('|');
const pattern = new RegExp(tokenPattern, 'uy');

/** The scanner leaves this piece to the pattern. */
const undecided = -1;

/** Calls `visit` for each piece of `text`, in order; together they are the whole text. */
export function forEachTokenPiece(text: string, visit: (start: number, end: number) => void): void {
  const classes = codeClasses();
  for (let start = 0; start < text.length; ) {
    let end = pieceEnd(text, start, classes);
    if (end === undecided) {
      pattern.lastIndex = start;
      pattern.test(text);
      end = pattern.lastIndex;
    }
    visit(start, end);
    start = end;
  }
}

function pieceEnd(text: string, start: number, classes: Uint8Array): number {
  const first = classAt(text, start, classes);
  if (first === upper || first === lower || first === caseless) return wordEnd(text, start, classes);
  if (first === number) return numberEnd(text, start, classes);
  if (first === surrogate || first === mark) return undecided;
  const second = classAt(text, start + 1, classes);
  if (second === surrogate) return undecided;
  if (first !== lineEnd && (second === upper || second === lower || second === caseless || second === mark))
    return wordEnd(text, start + 1, classes);
  if (first === other) return symbolsEnd(text, start, classes);
  if (second === other && text.charCodeAt(start) === 0x20) return symbolsEnd(text, start + 1, classes);
  return spaceEnd(text, start, classes);
}

/** The class at an index; past the end of the text -1 (a table asked for what it has not is slow ever after). */
function classAt(text: string, at: number, classes: Uint8Array): number {
  return at < text.length ? (classes[text.charCodeAt(at)] ?? other) : -1;
}

/** Capitals, then small letters; letters without case count as either. */
function wordEnd(text: string, start: number, classes: Uint8Array): number {
  let end = start;
  let lastCaseless = -1;
  let found = classAt(text, end, classes);
  while (found === upper || found === caseless || found === mark) {
    if (found !== upper) lastCaseless = end;
    found = classAt(text, ++end, classes);
  }
  if (found === lower) {
    do found = classAt(text, ++end, classes);
    while (found === lower || found === caseless || found === mark);
  } else if (lastCaseless >= 0 && found !== surrogate) end = lastCaseless + 1;
  if (found === surrogate) return undecided;
  return text.charCodeAt(end) === 0x27 ? contractionEnd(text, end) : end;
}

/** `'s`, `'t`, `'m`, `'d`, `'re`, `'ve` and `'ll` belong to their word. */
function contractionEnd(text: string, apostrophe: number): number {
  // A letter in small: other characters do not become these letters.
  const first = text.charCodeAt(apostrophe + 1) | 0x20;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) return apostrophe + 2;
  const second = text.charCodeAt(apostrophe + 2) | 0x20;
  const ends = first === 0x6c ? second === 0x6c : (first === 0x72 || first === 0x76) && second === 0x65;
  return ends ? apostrophe + 3 : apostrophe;
}

function numberEnd(text: string, start: number, classes: Uint8Array): number {
  for (let end = start + 1; end < start + 3; end++) {
    const found = classAt(text, end, classes);
    if (found === surrogate) return undecided;
    if (found !== number) return end;
  }
  return start + 3;
}

function symbolsEnd(text: string, start: number, classes: Uint8Array): number {
  let end = start;
  let found = classAt(text, end, classes);
  while (found === other || found === mark) found = classAt(text, ++end, classes);
  if (found === surrogate) return undecided;
  while (found === lineEnd || (found === other && text.charCodeAt(end) === 0x2f)) found = classAt(text, ++end, classes);
  return end;
}

/** Up to the last end of a line; without one, all but the space that the next word takes. */
function spaceEnd(text: string, start: number, classes: Uint8Array): number {
  let end = start;
  let afterLine = -1;
  let found = classAt(text, end, classes);
  while (found === space || found === lineEnd) {
    end++;
    if (found === lineEnd) afterLine = end;
    found = classAt(text, end, classes);
  }
  if (afterLine >= 0) return afterLine;
  return end === text.length || end === start + 1 ? end : end - 1;
}
