// Finds words: maximal runs of letters, marks and digits, with the joiners that hold identifiers, numbers and
// abbreviations together. Every character belongs to at most one word; offsets are UTF-16 and words come in order.
// Scripts without spaces come as whole runs (`cjk`, `hangul`, `complex`) that the analyzer cuts further (UAX #29).

export type WordKind = 'word' | 'cjk' | 'hangul' | 'complex';

const other = 0;
const letter = 1;
const digit = 2;
const cjk = 3;
const hangul = 4;
const complex = 5;
/** Part of a word only between letters or digits: full stop, apostrophe, comma, ampersand, low line. */
const joiner = 6;
const surrogate = 7;
/** Combining marks and invisible characters: go with whatever stands before them. */
const extending = 8;

function classOf(character: string): number {
  if (/[.'’,&_]/u.test(character)) return joiner;
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return extending;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\uFF70\u3005]/u.test(character))
    return /[\p{L}\p{N}\p{M}]/u.test(character) ? cjk : other;
  if (/\p{Script=Hangul}/u.test(character)) return hangul;
  if (/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(character))
    return /[\p{L}\p{M}]/u.test(character) ? complex : /\p{N}/u.test(character) ? digit : other;
  if (/\p{M}/u.test(character)) return extending;
  if (/\p{L}/u.test(character)) return letter;
  if (/\p{N}/u.test(character)) return digit;
  return other;
}

let table: Uint8Array | undefined;

/** One class per UTF-16 code unit, made at first use (about 60 ms less than a regex on every text would cost). */
function classes(): Uint8Array {
  if (table) return table;
  const made = new Uint8Array(0x10000);
  for (let code = 0; code < 0x10000; code++)
    made[code] = code >= 0xd800 && code <= 0xdfff ? surrogate : classOf(String.fromCharCode(code));
  table = made;
  return made;
}

const kinds: Readonly<Record<number, WordKind>> = {
  [letter]: 'word',
  [digit]: 'word',
  [cjk]: 'cjk',
  [hangul]: 'hangul',
  [complex]: 'complex',
};

/** Whether this joiner holds its neighbours together; `before` and `after` are the classes beside it. */
function joins(code: number, before: number, after: number): boolean {
  if (code === 0x2c) return before === digit && after === digit;
  if (code === 0x27 || code === 0x2019) return before === letter && after === letter;
  return true;
}

/** `c++`, `c#` and `f#` (words of one letter) keep their signs: without them they are single letters. */
function languageSigns(text: string, start: number, end: number): number {
  const following = text[end];
  if (following !== '+' && following !== '#') return 0;
  if (/[cC]/u.test(text[start] ?? '') && text.startsWith('++', end)) return 2;
  return following === '#' && /[cCfF]/u.test(text[start] ?? '') ? 1 : 0;
}

/** Calls `visit` for each word of `text`, in order. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function forEachWord(text: string, visit: (start: number, end: number, kind: WordKind) => void): void {
  const classTable = classes();
  const { length } = text;
  const classAt = (index: number): number => {
    if (index >= length) return other;
    const found = classTable[text.charCodeAt(index)] ?? other;
    return found === surrogate ? classOfPair(text, index) : found;
  };
  let index = 0;
  while (index < length) {
    const plain = classTable[text.charCodeAt(index)];
    // Nearly all that is between words.
    if (plain === other || plain === joiner || plain === extending) {
      index++;
      continue;
    }
    const first = classAt(index);
    const wide = plain === surrogate && first !== other ? 2 : 1;
    const kind = kinds[first];
    if (kind === undefined) {
      index += wide;
      continue;
    }
    const start = index;
    let last = first;
    index += wide;
    for (;;) {
      if (kind === 'word') {
        // Nearly all that is inside words.
        let next: number = other;
        while (index < length) {
          next = classTable[text.charCodeAt(index)] ?? other;
          if (next !== letter && next !== digit) break;
          last = next;
          index++;
        }
        if (index >= length || next === other) break;
      }
      const next = classAt(index);
      if (next === extending) index++;
      else if (next === first || (kind === 'word' && (next === letter || next === digit))) {
        last = next;
        index += classTable[text.charCodeAt(index)] === surrogate ? 2 : 1;
      } else if (next === joiner && kind === 'word') {
        let after = index + 1;
        while (text.charCodeAt(after) === 0x5f) after++;
        const following = classAt(after);
        if (following !== letter && following !== digit) break;
        if (after > index + 1 && text.charCodeAt(index) !== 0x5f) break;
        if (!joins(text.charCodeAt(index), last, following)) break;
        index = after;
      } else break;
    }
    if (kind === 'word' && index - start === 1) index += languageSigns(text, start, index);
    visit(start, index, kind);
  }
}

function classOfPair(text: string, index: number): number {
  const point = text.codePointAt(index) ?? 0;
  return point > 0xffff ? classOf(String.fromCodePoint(point)) : other;
}
