// The n-gram tables of eld, packed: the package keeps them as one object of 105,000 objects, which cost 150 MB and half a second to
// load; here they are read from the package's own file into tables of numbers (4 MB, 30 ms). The detection is eld's.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface LanguageDetector {
  detect(text: string): { readonly language: string; isReliable(): boolean };
}

/** What the package calls an n-gram's scores: by number of the language. */
type Scores = Readonly<Record<number, number>>;

interface Tables {
  readonly languages: Readonly<Record<number, string>>;
  readonly type: string;
  readonly ngrams: NgramTable;
}

export interface NgramTable {
  scoresOf(ngram: string): Scores | undefined;
  /** How many there are. */
  readonly size: number;
}

interface Eld {
  createEld(): { readonly instance: LanguageDetector; loadData(data: unknown): void };
}

/** A power of two, more than twice the n-grams there are. */
const slotCount = 0x4_0000;
const header = /type:'(\w+)',languages:\{([^{}]*)\},isSubset:false,ngrams:\{/u;
/** Of the file, in which an n-gram stands in quotes or bare before its scores: `' a':{11:52,12:7}`. */
const signs = {
  ...{ comma: 0x2c, colon: 0x3a, open: 0x7b, close: 0x7d },
  ...{ single: 0x27, double: 0x22, backslash: 0x5c, zero: 0x30, nine: 0x39 },
};
const mostCharacters = 6;
/** That the scores of one n-gram may take: their number, and two for each of 127 languages. */
const mostBytes = 255;

let opened: LanguageDetector | undefined;

/** The detector, made at first use. */
export function openNgramDetector(): LanguageDetector {
  if (opened) return opened;
  const { languages, type, ngrams } = readTables();
  const { createEld } = createRequire(import.meta.url)(fileURLToPath(fileOf('../languageDetector.js'))) as Eld;
  const { instance, loadData } = createEld();
  const scores = new Proxy<Record<string, Scores>>({}, { get: (_, ngram) => ngrams.scoresOf(String(ngram)) });
  loadData({ languages, type, ngrams: scores });
  opened = instance;
  return instance;
}

/** A file of the package, which names only its entries: this is the one that `eld/medium` is. */
const fileOf = (path: string): URL => new URL(path, import.meta.resolve('eld/medium'));

/** Throws where the file of the package is not as this release of it has it. */
export function readTables(): Tables {
  const source = readFileSync(fileOf('../ngrams/medium.js'), 'utf8');
  const head = header.exec(source);
  if (head === null) throw new Error('The n-grams of the package eld do not stand where they stood.');
  const [whole, type = '', names = ''] = head;
  const languages: Record<number, string> = {};
  for (const [, number, name = ''] of names.matchAll(/(?<!\d)(\d+):'(\w+)'/gu)) languages[Number(number)] = name;
  return { languages, type, ngrams: readNgrams(source, head.index + whole.length) };
}

/** Reads character by character: matching an expression 105,000 times and splitting what it found took three times as long. */
function readNgrams(source: string, from: number): NgramTable {
  /** Six characters below 256 and none of them zero: a number of 48 bits tells each n-gram from all others. */
  const keys = new Float64Array(slotCount);
  const offsets = new Int32Array(slotCount);
  /** For each n-gram: how many scores, then language and score of each. */
  let scores = new Uint8Array(0x8_0000);
  let used = 0;
  let size = 0;
  let at = from;
  const take = (): number => source.charCodeAt(at++);
  const skip = (sign: number): void => {
    if (take() !== sign) throw otherForm();
  };

  const readKey = (): number => {
    const first = source.charCodeAt(at);
    const quote = first === signs.single || first === signs.double ? first : undefined;
    if (quote !== undefined) at++;
    const end = quote ?? signs.colon;
    let key = 0;
    let length = 0;
    for (let code = take(); code !== end; code = take()) {
      if (code === signs.backslash && quote === signs.single) code = take();
      // Beyond the end there is no number.
      if (!(code > 0 && code < 256) || ++length > mostCharacters) throw otherForm();
      key = key * 256 + code;
    }
    if (quote !== undefined) skip(signs.colon);
    if (length === 0) throw otherForm();
    return key;
  };

  const readScores = (): void => {
    const start = used++;
    for (let value = 0; ; ) {
      const code = take();
      if (code >= signs.zero && code <= signs.nine) {
        value = value * 10 + code - signs.zero;
        continue;
      }
      // A language ends at a colon, its score at a comma or at the end of all.
      const isLanguage = (used - start) % 2 === 1;
      const isEnd = code === signs.close;
      if (isLanguage ? code !== signs.colon : code !== signs.comma && !isEnd) throw otherForm();
      if (value > 255 || used - start >= mostBytes) throw otherForm();
      scores[used++] = value;
      value = 0;
      if (isEnd) break;
    }
    scores[start] = (used - start - 1) / 2;
  };

  while (source.charCodeAt(at) !== signs.close) {
    if (size > 0) skip(signs.comma);
    const key = readKey();
    skip(signs.open);
    if (++size * 2 > slotCount) throw otherForm();
    const slot = slotOf(keys, key);
    keys[slot] = key;
    offsets[slot] = used;
    if (used + mostBytes > scores.length) scores = larger(scores);
    readScores();
  }
  if (size === 0 || source.charCodeAt(at + 1) !== signs.close) throw otherForm();
  const kept = scores.slice(0, used);
  return {
    size,
    scoresOf(ngram) {
      const key = keyOf(ngram);
      const slot = key === undefined ? undefined : slotOf(keys, key);
      if (slot === undefined || keys[slot] !== key) return undefined;
      const at = offsets[slot] ?? 0;
      const found: Record<number, number> = {};
      for (let pair = 0; pair < (kept[at] ?? 0); pair++)
        found[kept[at + 1 + 2 * pair] ?? 0] = kept[at + 2 + 2 * pair] ?? 0;
      return found;
    },
  };
}

const otherForm = (): Error => new Error('The n-grams of the package eld are not of the form that they had.');

function larger(scores: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const room = new Uint8Array(scores.length * 2);
  room.set(scores);
  return room;
}

function keyOf(ngram: string): number | undefined {
  if (ngram === '' || ngram.length > mostCharacters) return undefined;
  let key = 0;
  for (let at = 0; at < ngram.length; at++) {
    const code = ngram.charCodeAt(at);
    if (code === 0 || code > 255) return undefined;
    key = key * 256 + code;
  }
  return key;
}

/** Where a key stands, or could. */
function slotOf(keys: Float64Array, key: number): number {
  const high = Math.floor(key / 0x1_0000);
  let slot = (Math.imul(high ^ Math.imul(key % 0x1_0000, 0x9e37_79b1), 0x85eb_ca6b) >>> 13) & (slotCount - 1);
  while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & (slotCount - 1);
  return slot;
}
