// Query and text read together by a cross-encoder (Nogueira & Cho 2019, "Passage Re-ranking with BERT"; sbert.net "Cross-Encoders"):
// one ONNX graph of tokens in, one or two logits out. Invariants: of a pair that is too long the text is cut and the query is not
// (the usual longest-first cutting takes from both), special tokens inside a text are no special tokens, and every score is 0..1.
import { localFault } from './files.ts';
import type { TokenizedText } from './inference.ts';
import type { LocalRerankSetup } from './protocol.ts';
import { openLocalRuntime, type TokenRow, toFloats } from './runtime.ts';

/** Tokens that a query has for itself wherever the window has room for half as much text. */
const longestQueryTokens = 128;

export interface LocalRanking {
  /** Of a query, as far as it is read. */
  tokenizeQuery(query: string): readonly number[];
  pair(query: readonly number[], text: string): TokenizedText & TokenRow;
  /** One run: one score of 0..1 for each pair, or a chance for each class. */
  run(pairs: readonly TokenRow[]): Promise<readonly Float32Array[]>;
}

/** Throws `config-invalid` with the fault of what cannot be loaded, or is no cross-encoder. */
export async function openLocalRanking(setup: LocalRerankSetup): Promise<LocalRanking> {
  const { folder, graph, windowTokens, classes } = setup;
  const runtime = await openLocalRuntime(setup);
  const { before, between, after } = frameOf(
    runtime.tokensOf('a', { pair: 'a' }),
    runtime.tokensOf('a', { plain: true }),
  );
  const room = Math.max(2, windowTokens - before.length - between.length - after.length);

  return {
    tokenizeQuery: (query) =>
      runtime
        .tokensOf(query, { plain: true })
        .slice(0, Math.min(classes === undefined ? longestQueryTokens : Infinity, Math.floor((room * 2) / 3))),
    pair(query, text) {
      const tokens = runtime.tokensOf(text, { plain: true });
      const left = room - query.length;
      const first = [...before, ...query, ...between];
      return {
        tokens: [...first, ...tokens.slice(0, left), ...after],
        truncated: tokens.length > left,
        ...(setup.hasTypes && { secondFrom: first.length }),
      };
    },
    async run(pairs) {
      const { outputs } = await runtime.run(pairs);
      const logits = outputs['logits'] ?? Object.values(outputs).find(({ dims }) => dims.length === 2);
      const width = logits === undefined ? 0 : logits.dims.length === 1 ? 1 : (logits.dims.at(-1) ?? 0);
      if (logits === undefined || width < 1 || (classes === undefined ? width > 2 : width !== classes))
        throw localFault(
          'not-reranker',
          `${folder}/${graph} gives ${logits === undefined ? Object.keys(outputs).join(', ') : `${width} classes`}, not ${classes ?? 'one or two'} logits for a pair of texts. Choose ${classes === undefined ? 'a cross-encoder' : 'the ONNX file that belongs to its config.json'}, exported with --task text-classification.`,
        );
      const numbers = toFloats(logits);
      return pairs.map((_, row) => {
        const own = numbers.subarray(row * width, (row + 1) * width);
        if (!own.every(Number.isFinite))
          throw localFault(
            'not-a-number',
            `${folder}/${graph} gave numbers that are not finite. Use another of the model's ONNX files; half precision often does this on a processor.`,
          );
        if (classes !== undefined) return softmaxOf(own);
        const [first = 0, second = 0] = own;
        // The softmax of two logits is the logistic function of their difference.
        const logit = width === 1 ? first : setup.relevantClass === 1 ? second - first : first - second;
        return Float32Array.of(1 / (1 + Math.exp(-logit)));
      });
    },
  };
}

function softmaxOf(logits: Float32Array): Float32Array {
  const most = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - most));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / all);
}

/** The special tokens around two texts, from the tokens of a pair of one word: `[CLS] a [SEP] a [SEP]`. */
function frameOf(
  pair: readonly number[],
  word: readonly number[],
): { before: readonly number[]; between: readonly number[]; after: readonly number[] } {
  const placeFrom = (start: number): number => {
    for (let place = start; place + word.length <= pair.length; place++)
      if (word.every((token, at) => pair[place + at] === token)) return place;
    return -1;
  };
  const first = placeFrom(0);
  const second = first < 0 ? -1 : placeFrom(first + word.length);
  if (word.length === 0 || second < 0)
    throw localFault('file-damaged', 'The tokenizer does not put two texts together. Download tokenizer.json again.');
  return {
    before: pair.slice(0, first),
    between: pair.slice(first + word.length, second),
    after: pair.slice(second + word.length),
  };
}
