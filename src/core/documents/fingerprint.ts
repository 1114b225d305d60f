// What is kept of a text to tell whether another one says nearly the same, and how two of them compare: the smallest hashes of its
// runs of five words (A. Broder, On the resemblance and containment of documents, 1997). Pure; the same text always has the same.

export interface Fingerprint {
  /** SHA-256 (hex) of the words alone: case, white space and punctuation do not count. */
  readonly wordsHash: string;
  /** Different runs of words of the content; for long texts an estimate. */
  readonly runs: number;
  /** The smallest hashes of them, ascending, below 2^48; all of them where there are at most `sketchSize`. */
  readonly sketch: Float64Array;
}

/** Hashes kept of a text: resemblances of long texts are within about 0.06 (two standard deviations), those of short ones exact. */
export const sketchSize = 256;
/** Hashes by which a recorded text is found, and those that are looked up for a new one. */
const keyCount = 16;
const soughtCount = 64;
/** Documents that are found by one hash; what more texts than that share says little of any of them. */
export const documentsPerKey = 32;

export const keysOf = ({ sketch }: Pick<Fingerprint, 'sketch'>): readonly number[] => firstOf(sketch, keyCount);
export const soughtKeysOf = ({ sketch }: Fingerprint): readonly number[] => firstOf(sketch, soughtCount);

/** Spreading a typed array takes ten times as long. */
function firstOf(numbers: Float64Array, count: number): readonly number[] {
  const first: number[] = [];
  for (let at = 0; at < count && at < numbers.length; at++) first.push(numbers[at] as number);
  return first;
}

export interface Overlap {
  /** Shared runs of all runs of the two (Jaccard). */
  readonly resemblance: number;
  /** Shared runs of those of the text that has fewer: 1 where all of it stands in the other. */
  readonly containment: number;
}

/** Exact where both sketches are complete; else estimated from the hashes up to which both are. */
export function overlapOf(left: Fingerprint, right: Fingerprint): Overlap {
  const limit = Math.min(completeUpTo(left), completeUpTo(right));
  let shared = 0;
  let inLeft = 0;
  let inRight = 0;
  for (;;) {
    const a = left.sketch[inLeft] ?? Number.POSITIVE_INFINITY;
    const b = right.sketch[inRight] ?? Number.POSITIVE_INFINITY;
    const next = Math.min(a, b);
    if (next > limit || next === Number.POSITIVE_INFINITY) break;
    if (a === next) inLeft += 1;
    if (b === next) inRight += 1;
    if (a === b) shared += 1;
  }
  const all = inLeft + inRight - shared;
  const fewer = Math.min(inLeft, inRight);
  return { resemblance: all === 0 ? 0 : shared / all, containment: fewer === 0 ? 0 : shared / fewer };
}

const completeUpTo = ({ sketch }: Fingerprint): number =>
  sketch.length < sketchSize ? Number.POSITIVE_INFINITY : (sketch.at(-1) ?? 0);

export const duplicateKinds = ['exact', 'near', 'version'] as const;
export type DuplicateKind = (typeof duplicateKinds)[number];

/** What tells versions of one document apart, or that they are. */
export interface VersionFacts {
  readonly uri: string;
  readonly title: string;
  readonly version?: string | undefined;
}

/**
 * Five words of which one is changed are five runs that are: where one word in twenty is, three runs in four are left. Texts that
 * were written apart share next to none (bench/duplicates).
 */
const nearContainment = 0.6;
/** The larger text may hold as much again and more (a frame around a copy), but a quote in a book is no copy. */
const nearResemblance = 0.2;
const versionContainment = 0.4;
/** Fewer runs say nothing unless all of them are shared. */
const leastRuns = 8;

/** How the second text stands to the first; undefined: they are different texts. `similarity` is the containment, 0..1. */
export function duplicateOf(
  left: Fingerprint & VersionFacts,
  right: Fingerprint & VersionFacts,
): { readonly kind: DuplicateKind; readonly similarity: number } | undefined {
  if (left.runs === 0 || right.runs === 0) return undefined;
  if (left.wordsHash === right.wordsHash) return { kind: 'exact', similarity: 1 };
  if (Math.min(left.runs, right.runs) < leastRuns) return undefined;
  const { resemblance, containment } = overlapOf(left, right);
  if (resemblance < nearResemblance) return undefined;
  if (containment >= versionContainment && areVersions(left, right))
    return { kind: 'version', similarity: containment };
  return containment >= nearContainment ? { kind: 'near', similarity: containment } : undefined;
}

/** Version numbers, dates, states and copy marks in names of files and in titles. */
const versionMark =
  /(?<![\p{L}\d])(?:(?:version|ver|rev|revision|release|edition|v|r)[\s._-]*\d+(?:[._]\d+)*\p{L}?|\d{4}[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?(?:0[1-9]|[12]\d|3[01]))?|(?:19|20)\d{2}|\d+(?:\.\d+)+|\(\d+\)|final|draft|latest|old|new|copy|updated|signed)(?![\p{L}\d])/giu;

/** Whether both are the same name but for marks of a version, and differ in one, or in the version that they were given. */
export function areVersions(left: VersionFacts, right: VersionFacts): boolean {
  if (left.version !== undefined && right.version !== undefined && left.version !== right.version)
    if (stemOf(left.title) === stemOf(right.title) || stemOf(nameOf(left.uri)) === stemOf(nameOf(right.uri)))
      return true;
  return differInMarks(nameOf(left.uri), nameOf(right.uri)) || differInMarks(left.title, right.title);
}

function differInMarks(left: string, right: string): boolean {
  if (left === right || left.length > longestName || right.length > longestName) return false;
  const stem = stemOf(left);
  return stem.length >= 3 && stem === stemOf(right) && marksOf(left) !== marksOf(right);
}

const longestName = 300;
const marksOf = (name: string): string => (name.toLowerCase().match(versionMark) ?? []).join(' ');
const stemOf = (name: string): string =>
  name
    .slice(0, longestName)
    .toLowerCase()
    .replace(versionMark, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The last part of a path, without its extension. */
function nameOf(uri: string): string {
  const path = uri
    .slice(-longestName)
    .replace(/[?#].*$/s, '')
    .replace(/(?<!\/)\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\p{L}\w{0,4}$/u, '');
}
