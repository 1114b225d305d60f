// The n-gram tables of eld, packed: the package keeps them as one object of 105,000 objects, which cost 150 MB and half a second to
// load; here they are read from the package's own file into tables of numbers (4 MB, 0.1 s). The detection is eld's.
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
const entry = /,?(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|([^'":{},]+)):\{([\d:,]+)\}/uy;
const mostCharacters = 6;

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

function readNgrams(source: string, from: number): NgramTable {
  /** Six characters below 256 and none of them zero: a number of 48 bits tells each n-gram from all others. */
  const keys = new Float64Array(slotCount);
  const offsets = new Int32Array(slotCount);
  /** For each n-gram: how many scores, then language and score of each. */
  const scores: number[] = [];
  let size = 0;
  let at = from;
  entry.lastIndex = from;
  for (let found = entry.exec(source); found !== null; found = entry.exec(source)) {
    const [, single, double, bare, list = ''] = found;
    const key = keyOf((single ?? double ?? bare ?? '').replace(/\\(.)/gu, '$1'));
    const values = list.split(/[:,]/u).map(Number);
    if (key === undefined || values.length % 2 === 1 || values.some((value) => value > 255)) throw otherForm();
    if (++size * 2 > slotCount) throw otherForm();
    const slot = slotOf(keys, key);
    keys[slot] = key;
    offsets[slot] = scores.length;
    scores.push(values.length / 2, ...values);
    at = entry.lastIndex;
  }
  if (size === 0 || !source.startsWith('}}', at)) throw otherForm();
  const kept = Uint8Array.from(scores);
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
