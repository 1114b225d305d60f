// From analysed chunks to the weighted term-document matrix that latent semantic analysis decomposes: a
// bounded vocabulary, (1 + ln tf) ln(1 + N / df) (Salton & Buckley 1988). Invariant: the same chunks in the same order give the same
// matrix to the last bit.
import type { SparseMatrix } from './sparse-matrix.ts';

/** A chunk to learn from. */
export interface TermDocument {
  readonly terms: readonly string[];
}

export interface TermMatrix {
  readonly matrix: SparseMatrix;
  /** Sorted; a term's place is its column. */
  readonly terms: readonly string[];
  /** By column. */
  readonly idf: Float32Array;
}

/** Chunks that hold a term, at least: from one alone nothing is learned about its company. */
const leastFrequency = 2;

/** Chunks that one slice of work reads. */
const sliceDocuments = 256;

/** How much an occurrence count weighs, in documents and queries alike. */
export const termWeight = (count: number, idf: number): number => (1 + Math.log(count)) * idf;

/** A lone surrogate would not survive storage, so it is replaced at once. */
export const wellFormed = (term: string): string => (term.isWellFormed() ? term : term.toWellFormed());

/** A chunk of the sample with its terms as numbers: a tenth of the memory of maps. */
interface Counted {
  readonly terms: Uint32Array;
  readonly counts: Uint32Array;
}

/** Gives terms numbers in the order of their coming; nothing that is returned depends on them. */
function createNumbering() {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  /** Of the chunk at hand, by number; zeros between chunks. */
  let counts = new Uint32Array(1024);
  const numberOf = (given: string): number => {
    const known = numbers.get(given);
    if (known !== undefined) return known;
    const term = wellFormed(given);
    const number = numbers.get(term) ?? names.push(term) - 1;
    numbers.set(term, number);
    if (number < counts.length) return number;
    const longer = new Uint32Array(counts.length * 2);
    longer.set(counts);
    counts = longer;
    return number;
  };
  return {
    names,
    count({ terms }: TermDocument): Counted {
      const found: number[] = [];
      for (const term of terms) {
        const number = numberOf(term);
        const before = counts[number] as number;
        if (before === 0) found.push(number);
        counts[number] = before + 1;
      }
      const times = new Uint32Array(found.length);
      for (const [at, number] of found.entries()) {
        times[at] = counts[number] as number;
        counts[number] = 0;
      }
      return { terms: Uint32Array.from(found), counts: times };
    },
  };
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** `vocabulary`: terms at most, the most frequent ones. */
export function* buildTermMatrix(
  documents: Iterable<TermDocument>,
  vocabulary: number,
): Generator<void, TermMatrix, void> {
  const { names, count } = createNumbering();
  const sample: Counted[] = [];
  for (const document of documents) {
    sample.push(count(document));
    if (sample.length % sliceDocuments === 0) yield;
  }

  const frequencies = new Uint32Array(names.length);
  for (const { terms } of sample) for (const term of terms) frequencies[term] = (frequencies[term] as number) + 1;
  const nameOf = (term: number): string => names[term] as string;
  const known = names.map((_, term) => term).filter((term) => (frequencies[term] as number) >= leastFrequency);
  if (known.length > vocabulary) {
    known.sort(
      (left, right) =>
        (frequencies[right] as number) - (frequencies[left] as number) || compare(nameOf(left), nameOf(right)),
    );
    known.length = vocabulary;
  }
  known.sort((left, right) => compare(nameOf(left), nameOf(right)));
  const columnOf = new Int32Array(names.length).fill(-1);
  for (const [column, term] of known.entries()) columnOf[term] = column;
  const idf = Float32Array.from(known, (term) => Math.log(1 + sample.length / (frequencies[term] as number)));
  yield;
  return { matrix: yield* toMatrix(sample, columnOf, idf), terms: known.map(nameOf), idf };
}

/** Rows are divided by the root of their length: between raw rows, where long chunks rule, and unit rows (measured). */
function* toMatrix(
  sample: readonly Counted[],
  columnOf: Int32Array,
  idf: Float32Array,
): Generator<void, SparseMatrix, void> {
  let entries = 0;
  for (const { terms } of sample) for (const term of terms) if ((columnOf[term] as number) >= 0) entries++;
  const offsets = new Uint32Array(sample.length + 1);
  const places = new Uint32Array(entries);
  const values = new Float32Array(entries);
  let at = 0;
  /** Of the row at hand, by column. */
  const weights = new Float64Array(idf.length);
  for (const [row, { terms, counts }] of sample.entries()) {
    const columns = new Uint32Array(terms.length);
    let found = 0;
    for (let index = 0; index < terms.length; index++) {
      const column = columnOf[terms[index] as number] as number;
      if (column < 0) continue;
      columns[found++] = column;
      weights[column] = termWeight(counts[index] as number, idf[column] as number);
    }
    const inOrder = columns.subarray(0, found).sort();
    let squares = 0;
    for (let index = 0; index < found; index++) squares += (weights[inOrder[index] as number] as number) ** 2;
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(Math.sqrt(squares));
    for (let index = 0; index < found; index++) {
      const column = inOrder[index] as number;
      places[at] = column;
      values[at++] = (weights[column] as number) * scale;
    }
    offsets[row + 1] = at;
    if (row % sliceDocuments === 0) yield;
  }
  return { rows: sample.length, columns: idf.length, offsets, places, values };
}
