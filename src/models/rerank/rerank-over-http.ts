// A reranker behind HTTP: `POST {address}/rerank` as Jina defined it and Cohere v2, vLLM, llama.cpp, LiteLLM and OpenVINO share it
// ({model, query, documents, top_n} -> {results: [{index, relevance_score}]}), or as Text Embeddings Inference has it
// ({query, texts} -> [{index, score}]). Invariants: requests leave through the egress alone, retries end with the deadline, and an
// answer that names a text twice, one that is not there or a score that is no number is refused whole.
// https://docs.cohere.com/reference/rerank (a field that it does not know is an error: only shared ones are sent),
// https://docs.vllm.ai/en/latest/models/pooling_models/scoring, https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md,
// https://huggingface.github.io/text-embeddings-inference, https://docs.openvino.ai/2025/model-server/ovms_docs_rest_api_rerank.html
import { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Fetch } from '../../net/egress.ts';
import { type AttemptTarget, type AttemptTiming, attemptWhole, passing, systemTiming } from '../calls/attempts.ts';
import type { Circuit } from '../calls/circuit.ts';
import { type ProviderFacts, toModelError } from '../language/ai-sdk/errors.ts';
import type { CallOptions } from '../language/call-options.ts';
import type { ModelAttempt, ModelUsage } from '../language/generation.ts';
import { modelName } from '../language/model-name.ts';
import { countAll, readingTokens } from '../language/reading-tokens.ts';
import { costOf, type Prices } from '../money/prices.ts';
import { toRanking } from './ranking.ts';
import type { RerankModel, RerankRequest } from './rerank-model.ts';

/** `shared`: the form of Jina and Cohere. `tei`: that of Text Embeddings Inference. */
type Form = 'shared' | 'tei';

export interface HttpRerankerOptions extends Partial<AttemptTiming> {
  readonly model: string;
  /** With its path, without `/rerank`: `https://api.jina.ai/v1`, `https://api.cohere.com/v2`, `http://127.0.0.1:8080/v1`. */
  readonly address: string;
  readonly apiKey?: string | undefined;
  /** Of an egress that knows the address. */
  readonly fetch: Fetch;
  readonly circuit: Circuit;
  /** Cost by `service:<model>`; unknown without it. */
  readonly prices?: Prices;
}

/** Attempts for one request. */
const mostAttempts = 3;
/** A search waits for it. */
const firstPauseMs = 100;
const longestPauseMs = 1000;
/** Cohere advises at most 1,000; Text Embeddings Inference refuses more than 32 unless told otherwise (--max-client-batch-size). */
const mostTexts: Readonly<Record<Form, number>> = { shared: 1000, tei: 32 };

const sharedSchema = z.object({
  results: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
  usage: z.object({ total_tokens: z.unknown(), prompt_tokens: z.unknown() }).partial().nullish().catch(undefined),
});
const teiSchema = z.array(z.object({ index: z.int(), score: z.number() }));

interface Answer {
  readonly scores: ReadonlyMap<number, number>;
  /** As the service says, where that can be true. */
  readonly inputTokens: number | undefined;
}
/** As the service says: anything. */
type Told = Omit<Answer, 'inputTokens'> & { readonly inputTokens: unknown };

/** What the calls of one request took together. */
interface Taken {
  readonly attempts: ModelAttempt[];
  /** Undefined where no price is known. */
  costUsd: number | undefined;
}

/** Nothing is called. Throws like every model; `details.isFinal` where another attempt cannot help. */
export function createHttpReranker(options: HttpRerankerOptions): RerankModel {
  const { model, apiKey, circuit, prices } = options;
  const { random, wait, elapsedMs } = { ...systemTiming, ...options };
  const timing: AttemptTiming = { random, wait, elapsedMs };
  const url = `${options.address.replace(/(?<!\/)\/+(rerank\/*)?$/u, '')}/rerank`;
  const name = modelName({ provider: 'service', id: model });
  const facts: ProviderFacts = {
    provider: 'service',
    title: 'The rerank service',
    keySetting: 'RERANK_API_KEY',
    addressSetting: 'RERANK_BASE_URL',
    isKeyless: apiKey === undefined,
    model,
  };
  const targets: readonly AttemptTarget[] = [{ name, circuit }];
  const price = prices?.of(name);
  /** A service that once sent a score outside 0..1 sends logits (llama.cpp): all of its scores are read so from then on. */
  let sendsLogits = false;

  /** Known from the first answer on: a service that refuses the one form is asked in the other. */
  let known: Form | undefined;

  const bodyOf = ({ query, texts }: RerankRequest, form: Form): unknown =>
    form === 'tei'
      ? { query, texts, raw_scores: false, truncate: true }
      : { model, query, documents: texts, top_n: texts.length };

  async function send(request: RerankRequest, form: Form, signal: AbortSignal): Promise<Told> {
    const response = await options.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(bodyOf(request, form)),
      signal,
    });
    const text = await response.text();
    if (!response.ok) throw refused(response, text);
    return readAnswer(text, form, request.texts.length);
  }

  function refused({ status, headers }: Response, text: string): FootnoteError {
    if (status === 400 || status === 422)
      return invalid(
        `refused the request as invalid (HTTP ${status}). Check the model name, and that RERANK_BASE_URL is a rerank service.`,
        { status },
      );
    return toModelError(
      new APICallError({
        message: '',
        url,
        requestBodyValues: {},
        statusCode: status,
        responseHeaders: Object.fromEntries(headers),
        responseBody: text,
      }),
      facts,
    );
  }

  const invalid = (what: string, details: Readonly<Record<string, unknown>> = {}): FootnoteError =>
    new FootnoteError('upstream-invalid', `${facts.title} (${model}) ${what}`, {
      details: { ...details, model: name, isFinal: true },
    });

  function readAnswer(text: string, form: Form, count: number): Told {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw invalid('did not answer with JSON. Check RERANK_BASE_URL: it may be the address of something else.');
    }
    const found = readScores(value, form);
    if (!found)
      throw invalid('answered with no list of scores. Check RERANK_BASE_URL: it may be the address of something else.');
    const scores = new Map<number, number>();
    for (const { index, score } of found.scored) {
      if (index < 0 || index >= count) throw invalid(`scored text ${index} of ${count}, which is not there.`);
      if (scores.has(index)) throw invalid(`scored text ${index} twice.`);
      scores.set(index, score);
    }
    if (scores.size === 0) throw invalid(`scored none of ${count} texts.`);
    return { scores, inputTokens: found.inputTokens };
  }

  function readScores(
    value: unknown,
    form: Form,
  ): { scored: readonly { index: number; score: number }[]; inputTokens: unknown } | undefined {
    if (form === 'tei') {
      const read = teiSchema.safeParse(value);
      return read.success ? { scored: read.data, inputTokens: undefined } : undefined;
    }
    const read = sharedSchema.safeParse(value);
    if (!read.success) return undefined;
    const { results, usage } = read.data;
    return {
      scored: results.map(({ index, relevance_score: score }) => ({ index, score })),
      inputTokens: usage?.total_tokens ?? usage?.prompt_tokens,
    };
  }

  /** One request with its retries. */
  async function ask(
    request: RerankRequest,
    call: CallOptions,
    { form, taken }: { readonly form: Form; readonly taken: Taken },
  ): Promise<Answer> {
    const reading = readingTokens({ provider: 'service', model }, pairsOf(request), (told: Told) => told.inputTokens);
    const told = await attemptWhole<AttemptTarget, Told>(
      {
        targets,
        rounds: mostAttempts,
        firstPauseMs,
        longestPauseMs,
        timing,
        attempt: (_target, deadline) =>
          send(request, form, deadline.signal).catch((thrown: unknown) => {
            throw named(thrown);
          }),
        finish(answered, { costUsd }) {
          taken.costUsd = taken.costUsd === undefined || costUsd === undefined ? undefined : taken.costUsd + costUsd;
          return answered;
        },
        tokens: reading,
        costOf: (_target, tokens) => price && costOf(price, tokens),
        // Unlike a model that writes, one that ranks has no reason to be slow: a service that hangs is kept away from searches.
        isOutage: ({ code }) => passing.has(code) || code === 'deadline-exceeded',
        attempts: taken.attempts,
      },
      call,
    );
    return { ...told, inputTokens: reading.reported(told) };
  }

  /** All texts, as many at a time as the form allows. */
  async function askInForm(
    { query, texts }: RerankRequest,
    call: CallOptions,
    { form, taken }: { readonly form: Form; readonly taken: Taken },
  ): Promise<Answer> {
    const scores = new Map<number, number>();
    let inputTokens: number | undefined = 0;
    for (let start = 0; start < texts.length; start += mostTexts[form]) {
      const part = texts.slice(start, start + mostTexts[form]);
      const answer = await ask({ query, texts: part }, call, { form, taken });
      for (const [index, score] of answer.scores) scores.set(start + index, score);
      inputTokens =
        inputTokens === undefined || answer.inputTokens === undefined ? undefined : inputTokens + answer.inputTokens;
    }
    if (texts.length > 0) known = form;
    return { scores, inputTokens };
  }

  async function askAll(request: RerankRequest, call: CallOptions, taken: Taken): Promise<Answer> {
    try {
      return await askInForm(request, call, { form: known ?? 'shared', taken });
    } catch (refusal) {
      const isRefused = isFootnoteError(refusal) && [400, 422].includes(Number(refusal.details['status']));
      if (known !== undefined || !isRefused) throw refusal;
      return askInForm(request, call, { form: 'tei', taken }).catch((second: unknown) => {
        // Where neither is taken, the form is not what is wrong.
        throw call.deadline.signal.aborted ? second : refusal;
      });
    }
  }

  const named = (thrown: unknown): FootnoteError =>
    isFootnoteError(thrown) && thrown.details['model'] !== undefined ? thrown : toModelError(thrown, facts);

  return {
    id: model,
    provider: 'service',
    method: 'service',
    async rerank({ query, texts }, call) {
      const taken: Taken = { attempts: [], costUsd: 0 };
      const { scores, inputTokens } = await askAll({ query, texts }, call, taken);
      sendsLogits ||= [...scores.values()].some((score) => score < -rounding || score > 1 + rounding);
      const shares = new Map([...scores].map(([index, score]) => [index, toShare(score, sendsLogits)]));
      const usage = toUsage(inputTokens, { query, texts });
      const { attempts, costUsd } = taken;
      return {
        ranking: toRanking(shares, texts.length),
        model: name,
        usage,
        attempts,
        ...(costUsd === undefined ? {} : { costUsd }),
      };
    },
  };
}

/** Half precision may put a probability a little outside of 0..1. */
const rounding = 1e-3;

const toShare = (score: number, isLogit: boolean): number =>
  isLogit ? 1 / (1 + Math.exp(-score)) : Math.min(1, Math.max(0, score));

/** What a cross-encoder reads: the query with each text. */
const pairsOf = ({ query, texts }: RerankRequest): readonly string[] => texts.flatMap((text) => [query, text]);

function toUsage(told: number | undefined, request: RerankRequest): ModelUsage {
  return {
    inputTokens: told ?? countAll(pairsOf(request)),
    outputTokens: 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    isEstimated: told === undefined,
  };
}
