// What a corpus-trained model takes to make and to use on an index: looking at its chunks, learning from a sample of them, and
// embedding rows. Generators, so that the same work runs on a thread or in slices beside others. Invariant: results are a
// function of the living chunks and the version alone.
import { createHash } from 'node:crypto';
import { sha256 } from '../../core/ids.ts';
import {
  type ChunkPlace,
  createPartReader,
  keyAt,
  livingPlaces,
  type NumberedPart,
  placeOfRow,
  termsAt,
} from './chunks.ts';
import { createCorpusModel } from './model.ts';
import { latentFromBytes, latentToBytes } from './latent-bytes.ts';
import { createLatentSemantics, type LatentSemantics, trainLatentSemantics } from './latent-semantics.ts';

/** Rows of one document, both ends included. */
export interface DocumentRows {
  readonly firstRow: number;
  readonly lastRow: number;
}

/** What is there to learn from. */
export interface Survey {
  /** Living chunks. */
  readonly chunks: number;
  /** Eight hexadecimal digits for each of the chunks whose hashes come first, ascending: two sketches tell what two corpora share. */
  readonly sketch: string;
}

export interface TrainedModel {
  /** Name of the model and its space. */
  readonly space: string;
  readonly dimensions: number;
  /** As `latentFromBytes` reads them. */
  readonly bytes: Uint8Array;
}

export interface CorpusResults {
  readonly survey: Survey;
  /** SHA-256 over ids and terms of the sample: equal digests give equal models. */
  readonly digest: Survey & { readonly digest: string };
  /** `model` is undefined where the chunks teach nothing. */
  readonly train: Survey & { readonly digest: string; readonly model: TrainedModel | undefined };
  /** Vectors of each document end to end; undefined where the index does not hold all its rows. */
  readonly embed: readonly (Float32Array | undefined)[];
}

export type CorpusWork =
  | { readonly kind: 'survey' | 'digest' | 'train'; readonly parts: readonly NumberedPart[]; readonly version: string }
  | {
      readonly kind: 'embed';
      readonly parts: readonly NumberedPart[];
      readonly model: { readonly space: string; readonly bytes: Uint8Array };
      readonly documents: readonly DocumentRows[];
    };

export type CorpusResult = CorpusResults[keyof CorpusResults];

/** Chunks that are learned from at most. */
const sampleSize = 20_000;
/** Chunks of a sketch: 512 estimate a share of 80 % with a standard error of 2 %. */
const sketchSize = 512;
const keysPerStep = 1024;
const chunksPerStep = 32;

interface Placed {
  /** 48 bits of SHA-256 of the key: any part of a corpus has the same chance. */
  readonly hash: string;
  readonly key: string;
  readonly place: ChunkPlace;
}

const byHash = (left: Placed, right: Placed): number =>
  left.hash < right.hash ? -1 : left.hash > right.hash ? 1 : left.key < right.key ? -1 : 1;

function* takeSample(places: Iterable<ChunkPlace>): Generator<void, Survey & { readonly sample: readonly Placed[] }> {
  let kept: Placed[] = [];
  let chunks = 0;
  for (const place of places) {
    const key = keyAt(place);
    kept.push({ hash: sha256(key).slice(0, 12), key, place });
    if (kept.length >= 2 * sampleSize) kept = kept.sort(byHash).slice(0, sampleSize);
    if (++chunks % keysPerStep === 0) yield;
  }
  const sample = kept.sort(byHash).slice(0, sampleSize);
  const sketch = sample
    .slice(0, sketchSize)
    .map(({ hash }) => hash.slice(0, 8))
    .join('');
  return { chunks, sketch, sample };
}

function* digestSample(sample: readonly Placed[], version: string): Generator<void, string> {
  const hash = createHash('sha256').update(JSON.stringify(['corpus', version]));
  for (const [at, { key, place }] of sample.entries()) {
    hash.update(JSON.stringify([key, termsAt(place)]));
    if (at % chunksPerStep === 0) yield;
  }
  return hash.digest('hex');
}

/** Work over indexes; it keeps the segments and the model of the last order, because the next is mostly about the same. */
export function createCorpusWork(): (work: CorpusWork) => Generator<void, CorpusResult> {
  const open = createPartReader();
  let held: { readonly space: string; readonly semantics: LatentSemantics } | undefined;

  function* learn({ kind, parts, version }: Exclude<CorpusWork, { kind: 'embed' }>): Generator<void, CorpusResult> {
    const { sample, chunks, sketch } = yield* takeSample(livingPlaces(open(parts)));
    if (kind === 'survey') return { chunks, sketch };
    const digest = yield* digestSample(sample, version);
    if (kind === 'digest') return { chunks, sketch, digest };
    const documents = sample.values().map(({ place }) => ({ terms: termsAt(place) }));
    const weights = yield* trainLatentSemantics(documents);
    if (!weights) return { chunks, sketch, digest, model: undefined };
    const { id, dimensions } = createCorpusModel({ weights, analyze: () => [] });
    yield;
    return { chunks, sketch, digest, model: { space: id, dimensions, bytes: latentToBytes(weights) } };
  }

  function* embed({ parts, model, documents }: Extract<CorpusWork, { kind: 'embed' }>): Generator<void, CorpusResult> {
    if (held?.space !== model.space)
      held = { space: model.space, semantics: createLatentSemantics(latentFromBytes(model.bytes)) };
    const { semantics } = held;
    const opened = open(parts);
    const found: (Float32Array | undefined)[] = [];
    let embedded = 0;
    for (const { firstRow, lastRow } of documents) {
      let vectors: Float32Array | undefined = new Float32Array((lastRow - firstRow + 1) * semantics.dimensions);
      for (let row = firstRow; vectors && row <= lastRow; row++) {
        const place = placeOfRow(opened, row);
        if (place) vectors.set(semantics.embed(termsAt(place)), (row - firstRow) * semantics.dimensions);
        else vectors = undefined;
        if (++embedded % chunksPerStep === 0) yield;
      }
      found.push(vectors);
    }
    return found;
  }

  return (work) => (work.kind === 'embed' ? embed(work) : learn(work));
}

/** What part of the larger corpus two corpora share, 0..1, from their sketches: exact up to 512 chunks, else an estimate (Broder 1997). */
export function sharedPart(left: Survey, right: Survey): number {
  const larger = Math.max(left.chunks, right.chunks);
  if (larger === 0) return 1;
  const hashesOf = ({ sketch }: Survey): Set<string> => new Set(sketch.match(/.{8}/gu));
  const [one, other] = [hashesOf(left), hashesOf(right)];
  const first = [...one.union(other)].sort().slice(0, sketchSize);
  const common = first.filter((hash) => one.has(hash) && other.has(hash)).length / first.length;
  // Of a Jaccard coefficient: the size of the intersection over that of the larger one.
  return Math.min(1, (common * (left.chunks + right.chunks)) / (1 + common) / larger);
}
