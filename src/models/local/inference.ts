// Texts to vectors with one ONNX model: tokens, runs, pooling. Invariant: tokens are cut to the window with their closing token kept,
// padding changes no vector, and what is not a finite vector of the promised length is a fault, not a vector.
import { createRecent } from '../../core/values/recent.ts';
import { localFault } from './files.ts';
import {
  leastOf,
  matchesOf,
  meanOf,
  poolTokens,
  type TokenStates,
  type TokenVectors,
  tokenVectors,
  toUnitLength,
} from './pooling.ts';
import type { LocalEmbedSetup, MatchWork } from './protocol.ts';
import { type Outputs, openLocalRuntime, toFloats } from './runtime.ts';

/** Bytes of vectors of tokens that are kept: those of the last 800 passages, of 100 tokens and 384 dimensions. Passages that answer are found again. */
const keptBytes = 32e6;

export interface TokenizedText {
  readonly tokens: readonly number[];
  readonly truncated: boolean;
}

export interface LocalInference {
  tokenize(text: string): TokenizedText;
  /** Tokens that stand before every text with this prefix. */
  prefixTokens(prefix: string): number;
  /** One run; vectors of length 1 in the order of the texts. */
  run(texts: readonly (readonly number[])[], prefixTokens: number): Promise<readonly Float32Array[]>;
  /** What gives one number of a text, how well its tokens match those of the query: one run for each text, and one for the query with the first. */
  matcherOf(query: readonly number[], by: MatchWork['by']): (text: readonly number[]) => Promise<Float32Array>;
}

/** Throws `config-invalid` with the fault of what cannot be loaded. */
export async function openLocalInference(setup: LocalEmbedSetup): Promise<LocalInference> {
  const { folder, dimensions, windowTokens, pooling } = setup;
  const runtime = await openLocalRuntime(setup);
  const { tokensOf } = runtime;

  // Special tokens around every text, such as [CLS] and [SEP]: those of the empty text, parted where a word would stand.
  const around = tokensOf('');
  const word = tokensOf('a');
  let before = 0;
  while (before < around.length && around[before] === word[before]) before++;
  const closing = around.slice(before);

  function tokenize(text: string): TokenizedText {
    const tokens = tokensOf(text);
    if (tokens.length <= windowTokens) return { tokens, truncated: false };
    return { tokens: [...tokens.slice(0, windowTokens - closing.length), ...closing], truncated: true };
  }

  const notEmbedding = (what: string) =>
    localFault('not-embedding', `${folder}/${setup.graph} ${what}. Choose a sentence embedding model.`);

  /** What the outputs of a run are: pooled by the graph, or states of the tokens. */
  function readOutputs(outputs: Outputs, length: number): TokenStates | Float32Array {
    const names = Object.keys(outputs);
    const pooled = outputs['sentence_embedding'];
    const perToken =
      outputs['last_hidden_state'] ??
      outputs['token_embeddings'] ??
      Object.entries(outputs).find(
        ([name, { dims }]) => name !== 'logits' && dims.length === 3 && dims[1] === length,
      )?.[1];
    const wanted = setup.needsSentenceOutput ? pooled : (perToken ?? pooled);
    if (wanted === undefined && setup.needsSentenceOutput)
      throw localFault(
        'architecture',
        `${folder} has layers behind the pooling (modules.json) that its graph does not compute: it gives ${names.join(', ')}, not sentence_embedding. Export it with sentence-transformers, or choose a model without them.`,
      );
    if (wanted === undefined) throw notEmbedding(`gives ${names.join(', ')}, neither states of tokens nor a vector`);
    const width = wanted.dims.at(-1);
    if (width !== dimensions)
      throw localFault(
        'dimensions',
        `${folder}/${setup.graph} gives vectors of ${width} numbers, but the model's settings say ${dimensions}. The files belong to different models: take all of them from one place.`,
      );
    const floats = toFloats(wanted);
    return wanted === pooled ? floats : { states: floats, length, dimensions };
  }

  async function read(texts: readonly (readonly number[])[]): Promise<TokenStates | Float32Array> {
    const { outputs, length } = await runtime.run(texts.map((tokens) => ({ tokens })));
    return readOutputs(outputs, length);
  }

  async function run(texts: readonly (readonly number[])[], prefixTokens: number): Promise<readonly Float32Array[]> {
    const states = await read(texts);
    return texts.map((tokens, text) => {
      const vector =
        states instanceof Float32Array
          ? toUnitLength(states.slice(text * dimensions, (text + 1) * dimensions))
          : poolTokens(states, {
              text,
              mask: tokens.map((_, place) => (place < prefixTokens ? 0 : 1)),
              pooling,
            });
      if (!vector.every((value) => Number.isFinite(value)))
        throw localFault(
          'not-a-number',
          `${folder}/${setup.graph} gave numbers that are not finite. Use another of the model's ONNX files; half precision often does this on a processor.`,
        );
      return vector;
    });
  }

  const kept = createRecent<string, TokenVectors>(keptBytes, ({ shares }) => shares.length);

  /** Vectors of the tokens of a text, but for the special ones around it. */
  async function vectorsOf(tokens: readonly number[]): Promise<TokenVectors> {
    const key = tokens.join(' ');
    const known = kept.get(key);
    if (known) return known;
    const states = await read([tokens]);
    if (states instanceof Float32Array) throw notEmbedding('gives one vector of a text and none of its tokens');
    const vectors = tokenVectors(states, { from: before, to: tokens.length - closing.length });
    kept.set(key, vectors);
    return vectors;
  }

  return {
    tokenize,
    matcherOf(query, by) {
      const numberOf = { mean: meanOf, least: leastOf }[by];
      let asked: Promise<TokenVectors> | undefined;
      return async (text) => {
        asked ??= vectorsOf(query);
        return Float32Array.of(numberOf(matchesOf(await asked, await vectorsOf(text))));
      };
    },
    prefixTokens: (prefix) =>
      setup.poolsPrefix || prefix === '' ? 0 : Math.max(0, tokensOf(prefix).length - closing.length),
    run,
  };
}
