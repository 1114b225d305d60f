import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCorpusModel } from '../../../src/models/corpus/model.ts';
import { latentFromBytes, latentToBytes } from '../../../src/models/corpus/latent-bytes.ts';
import {
  createLatentSemantics,
  finish,
  type LatentWeights,
  leastChunks,
  type TrainingOptions,
  trainLatentSemantics,
} from '../../../src/models/corpus/latent-semantics.ts';
import { buildTermMatrix, type TermDocument } from '../../../src/models/corpus/term-matrix.ts';

const themes = [
  ['ship', 'harbour', 'sail', 'captain', 'mast', 'tide'],
  ['bread', 'oven', 'flour', 'yeast', 'baker', 'crust'],
  ['orbit', 'rocket', 'moon', 'thrust', 'lander', 'fuel'],
  ['court', 'judge', 'verdict', 'appeal', 'lawyer', 'trial'],
];

/** Chunks of one theme each; `vessel` and `ship` never meet but keep the same company. */
function corpus(chunks: number): TermDocument[] {
  return Array.from({ length: chunks }, (_, index) => {
    const theme = themes[index % themes.length]!;
    const terms = theme.filter((_term, at) => (index >> 2) % (at + 2) !== 0);
    const named = terms.map((term) => (term === 'ship' && index % 16 === 4 ? 'vessel' : term));
    return { terms: [...named, ...theme.slice(1, 4), 'common', `only ${index}`] };
  });
}

function train(documents: readonly TermDocument[], options: TrainingOptions = {}): LatentWeights {
  const weights = finish(trainLatentSemantics(documents, options));
  if (!weights) throw new Error('nothing was learned');
  return weights;
}
const cosine = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * right[at]!, 0);
const matrixOf = (documents: readonly TermDocument[], vocabulary: number) =>
  finish(buildTermMatrix(documents, vocabulary));
const bytes = (weights: LatentWeights): Buffer => Buffer.from(latentToBytes(weights));

describe('trainLatentSemantics', () => {
  it('learns that words in the same company are alike, though they never meet', () => {
    const semantics = createLatentSemantics(train(corpus(80), { dimensions: 4 }));
    const vessel = semantics.embed(['vessel']);
    expect(cosine(vessel, semantics.embed(['ship']))).toBeGreaterThan(0.9);
    expect(cosine(vessel, semantics.embed(['bread']))).toBeLessThan(0.5);
  });

  it('does not depend on the order of terms within a chunk, to the last bit', () => {
    const documents = corpus(48);
    const reversed = documents.map(({ terms }) => ({ terms: terms.toReversed() }));
    expect(bytes(train(reversed)).equals(bytes(train(documents)))).toBe(true);
  });

  it('keeps to a quarter of the chunks in dimensions, and to the bound', () => {
    expect(train(corpus(40)).dimensions).toBeLessThanOrEqual(10);
    expect(train(corpus(80), { dimensions: 3 }).dimensions).toBe(3);
  });

  it('learns nothing from a handful of chunks, or from chunks without words', () => {
    expect(finish(trainLatentSemantics(corpus(leastChunks - 1)))).toBeUndefined();
    const empty = Array.from({ length: 100 }, () => ({ terms: [] }));
    expect(finish(trainLatentSemantics(empty))).toBeUndefined();
  });

  it('works in slices that others can run between', () => {
    const work = trainLatentSemantics(corpus(60));
    let slices = 0;
    while (!work.next().done) slices++;
    expect(slices).toBeGreaterThan(8);
  });
});

describe('the vocabulary', () => {
  const documents: TermDocument[] = [
    { terms: ['x', 'y', 'z'] },
    { terms: ['x', 'y', 'x', 'z'] },
    { terms: ['x'] },
  ];
  it('keeps the most frequent terms, equal ones by name', () => {
    expect(matrixOf(documents, 2).terms).toEqual(['x', 'y']);
  });
  it('weighs by count and rarity, rows divided by the root of their length', () => {
    const { matrix, idf } = matrixOf(documents, 9);
    expect([...idf]).toEqual([Math.fround(Math.log(2)), ...[2, 2].map((df) => Math.fround(Math.log(1 + 3 / df)))]);
    const single = [...Array(3).keys()].find((row) => matrix.offsets[row + 1]! - matrix.offsets[row]! === 1)!;
    expect(matrix.values[matrix.offsets[single]!]).toBeCloseTo(Math.sqrt(Math.log(2)), 6);
  });
});

describe('a trained model', () => {
  const weights = train(corpus(80));
  const semantics = createLatentSemantics(weights);

  it('gives vectors of length 1 that do not depend on the order of the terms', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...themes.flat(), 'unheard'), { minLength: 1, maxLength: 30 }), (terms) => {
        const vector = semantics.embed(terms);
        const length = Math.sqrt(cosine(vector, vector));
        const known = terms.some((term) => term !== 'unheard');
        expect(semantics.embed([...terms].reverse())).toEqual(vector);
        return known ? Math.abs(length - 1) < 1e-6 : length === 0;
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('says how much of a text it knows', () => {
    const indexed = (term: string): boolean => term !== 'nowhere';
    expect(semantics.coverage(['ship', 'tide'], indexed)).toBe(1);
    expect(semantics.coverage(['ship', 'nowhere'], indexed)).toBe(1);
    expect(semantics.coverage(['unheard'], indexed)).toBe(0);
    expect(semantics.coverage([], indexed)).toBe(0);
    const half = semantics.coverage(['ship', 'unheard'], indexed);
    expect(half).toBeGreaterThan(0.1);
    expect(half).toBeLessThan(0.5);
  });

  it('comes back from its bytes to the last bit, wherever they lie', () => {
    const written = latentToBytes(weights);
    const shifted = new Uint8Array(written.length + 3);
    shifted.set(written, 3);
    const read = latentFromBytes(shifted.subarray(3));
    expect(read).toEqual(weights);
    expect(bytes(read).equals(Buffer.from(written))).toBe(true);
    expect(createLatentSemantics(read).embed(['ship', 'oven'])).toEqual(semantics.embed(['ship', 'oven']));
  });

  it('keeps terms of any script; what is no text becomes a mark', () => {
    const documents = Array.from({ length: 40 }, (_, at) => ({
      key: String(at),
      terms: at % 2 ? ['海', '港', '\ud800'] : ['Übung', 'weiß', '😀'],
    }));
    const model = train(documents);
    expect(latentFromBytes(latentToBytes(model)).terms).toEqual(model.terms);
    const own = createLatentSemantics(model);
    expect(own.embed(['\ud800'])).toEqual(own.embed(['\ufffd']));
    expect(cosine(own.embed(['😀']), own.embed(['weiß']))).toBeGreaterThan(0.9);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['a cut end', latentToBytes(weights).slice(0, -1)],
    ['another version', latentToBytes(weights).fill(7, 0, 4)],
    ['no dimensions', latentToBytes(weights).fill(0, 4, 8)],
  ])('refuses %s', (_what, damaged) => {
    expect(() => latentFromBytes(damaged)).toThrow(expect.objectContaining({ code: 'data-corrupt' }));
  });

  it('refuses parts that do not fit together', () => {
    const broken = { ...weights, scales: weights.scales.slice(1) };
    expect(() => createLatentSemantics(broken)).toThrow(expect.objectContaining({ code: 'data-corrupt' }));
  });
});

describe('createCorpusModel', () => {
  const analyze = (text: string): string[] => text.split(' ');

  it('embeds texts through the analysis of the index, as terms would be', async () => {
    const asked: string[] = [];
    const model = createCorpusModel({
      weights: train(corpus(60)),
      analyze: (text, kind) => {
        asked.push(kind);
        return analyze(text);
      },
    });
    const [vector] = await model.embed(['ship sail'], { kind: 'query' });
    expect(vector).toEqual(model.embedTerms(['sail', 'ship']));
    expect(asked).toEqual(['query']);
    expect([model.kind, model.metric, model.dimensions]).toEqual(['corpus', 'cosine', vector?.length]);
  });

  it('has an id that changes with what was learned, and with nothing else', () => {
    const idOf = (chunks: readonly TermDocument[]): string => createCorpusModel({ weights: train(chunks), analyze }).id;
    expect(idOf(corpus(60))).toBe(idOf(corpus(60)));
    expect(idOf(corpus(61))).not.toBe(idOf(corpus(60)));
  });

  it('stops when it is told to', async () => {
    const model = createCorpusModel({ weights: train(corpus(60)), analyze });
    await expect(model.embed(['ship'], { kind: 'document', signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
