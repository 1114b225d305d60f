// A reranker behind HTTP: `POST {address}/rerank` as Jina defined it and Cohere v2, vLLM, llama.cpp, LiteLLM and OpenVINO share it
// ({model, query, documents, top_n} -> {results: [{index, relevance_score}]}), or as Text Embeddings Inference has it
// ({query, texts} -> [{index, score}]). Invariants: requests leave through the egress alone, retries end with the deadline, and an
// answer that names a text twice, one that is not there or a score that is no number is refused whole.
// https://docs.cohere.com/reference/rerank (a field that it does not know is an error: only shared ones are sent),
// https://docs.vllm.ai/en/latest/models/pooling_models/scoring, https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md,
// https://huggingface.github.io/text-embeddings-inference, https://docs.openvino.ai/2025/model-server/ovms_docs_rest_api_rerank.html
import { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
import type { Fetch } from '../net/egress.ts';
import { countTokens } from '../text/tokens.ts';
import { type ProviderFacts, toModelError } from './ai-sdk-errors.ts';
import type { Circuit } from './circuit.ts';
import { type CallOptions, type ModelAttempt, type ModelUsage, modelName } from './language-model.ts';
import type { Spending } from './model-budget.ts';
import { believedInput } from './model-usage.ts';
import { costOf, type Prices } from './prices.ts';
import { type RerankModel, type RerankRequest, toRanking } from './rerank-model.ts';

/** `shared`: the form of Jina and Cohere. `tei`: that of Text Embeddings Inference. */
type Form = 'shared' | 'tei';

export interface HttpRerankerOptions {
  readonly model: string;
  /** With its path, without `/rerank`: `https://api.jina.ai/v1`, `https://api.cohere.com/v2`, `http://127.0.0.1:8080/v1`. */
  readonly address: string;
  readonly apiKey?: string | undefined;
  /** Of an egress that knows the address. */
  readonly fetch: Fetch;
  readonly circuit: Circuit;
  /** Cost by `service:<model>`; unknown without it. */
  readonly prices?: Prices;
  /** 0 <= x < 1. */
  readonly random: () => number;
  /** Resolves after so long, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly elapsedMs: () => number;
}

/** Attempts for one request. */
const mostAttempts = 3;
/** First pause between attempts; it doubles, and what is waited is drawn below it (full jitter, as in model-chain.ts). */
const firstPauseMs = 100;
/** Cohere advises at most 1,000; Text Embeddings Inference refuses more than 32 unless told otherwise (--max-client-batch-size). */
const mostTexts: Readonly<Record<Form, number>> = { shared: 1000, tei: 32 };

const sharedSchema = z.object({
  results: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
  usage: z.object({ total_tokens: z.unknown(), prompt_tokens: z.unknown() }).partial().nullish().catch(undefined),
});
const teiSchema = z.array(z.object({ index: z.int(), score: z.number() }));

interface Answer {
  readonly scores: ReadonlyMap<number, number>;
  /** As the service says, where that can be. */
  readonly inputTokens: number | undefined;
}
/** As the service says: anything. */
type Told = Omit<Answer, 'inputTokens'> & { readonly inputTokens: unknown };

/** Nothing is called. Throws like every model; `details.isFinal` where another attempt cannot help. */
export function createHttpReranker(options: HttpRerankerOptions): RerankModel {
  const { model, apiKey, circuit, prices, random, wait, elapsedMs } = options;
  const url = `${options.address.replace(/\/+(rerank\/*)?$/u, '')}/rerank`;
  const name = modelName({ provider: 'service', id: model });
  const facts: ProviderFacts = {
    provider: 'service',
    title: 'The rerank service',
    keySetting: 'RERANK_API_KEY',
    addressSetting: 'RERANK_BASE_URL',
    model,
  };
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
    { form, attempts }: { readonly form: Form; readonly attempts: ModelAttempt[] },
  ): Promise<Answer> {
    const estimate = call.budget ? countRequest(request) : 0;
    const spending = (inputTokens: number): Spending => ({
      calls: 1,
      inputTokens,
      outputTokens: 0,
      // What took nothing costs nothing, whatever the price.
      costUsd: inputTokens === 0 ? 0 : price && costOf(price, { inputTokens, outputTokens: 0 }),
    });
    const signal = call.signal ? AbortSignal.any([call.deadline.signal, call.signal]) : call.deadline.signal;
    const check = (): void => {
      if (call.signal?.aborted)
        throw new FootnoteError('cancelled', 'The call of the rerank service was cancelled.', {
          cause: call.signal.reason,
        });
      call.deadline.check();
    };
    for (let attempt = 1; ; attempt++) {
      check();
      const closedForMs = circuit.enter();
      if (closedForMs > 0)
        throw new FootnoteError(
          'upstream-unavailable',
          `${facts.title} failed several times in a row; it is asked again in ${Math.ceil(closedForMs / 1000)} s.`,
          { details: { model: name, retryAfterMs: closedForMs } },
        );
      const reservation = reserve(call, spending(estimate));
      const startedAt = elapsedMs();
      try {
        const told = await send(request, form, signal);
        const inputTokens = believedInput(told.inputTokens, () => countRequest(request));
        circuit.succeeded();
        reservation?.settle(spending(inputTokens ?? estimate));
        attempts.push({ model: name, latencyMs: elapsedMs() - startedAt });
        return { ...told, inputTokens };
      } catch (thrown) {
        const isLate = call.deadline.signal.aborted && call.deadline.remainingMs() === 0;
        const isLeft = signal.aborted && !isLate;
        const error = signal.aborted ? ended(isLate) : named(thrown);
        attempts.push({ model: name, code: error.code, latencyMs: elapsedMs() - startedAt });
        // Unlike a model that writes, one that ranks has no reason to be slow: a service that hangs is kept away from searches.
        if (isLate || outages.has(error.code)) circuit.failed();
        else circuit.undecided();
        // Refused requests are free; one that was left, or whose answer was of no use, may have been billed.
        const isOfNoUse = error.code === 'upstream-invalid' && error.details['status'] === undefined;
        reservation?.settle(spending(isLate || isLeft || isOfNoUse ? estimate : 0));
        const waitMs = Math.max(random() * firstPauseMs * 2 ** (attempt - 1), toldToWait(error));
        const isWorthMore = retried.has(error.code) && attempt < mostAttempts && waitMs < call.deadline.remainingMs();
        if (signal.aborted || !isWorthMore) throw error;
        await wait(waitMs, signal).catch(check);
      }
    }
  }

  /** All texts, as many at a time as the form allows. */
  async function askInForm(
    { query, texts }: RerankRequest,
    call: CallOptions,
    { form, attempts }: { readonly form: Form; readonly attempts: ModelAttempt[] },
  ): Promise<Answer> {
    const scores = new Map<number, number>();
    let inputTokens: number | undefined = 0;
    for (let start = 0; start < texts.length; start += mostTexts[form]) {
      const part = texts.slice(start, start + mostTexts[form]);
      const answer = await ask({ query, texts: part }, call, { form, attempts });
      for (const [index, score] of answer.scores) scores.set(start + index, score);
      inputTokens =
        inputTokens === undefined || answer.inputTokens === undefined ? undefined : inputTokens + answer.inputTokens;
    }
    if (texts.length > 0) known = form;
    return { scores, inputTokens };
  }

  async function askAll(request: RerankRequest, call: CallOptions, attempts: ModelAttempt[]): Promise<Answer> {
    try {
      return await askInForm(request, call, { form: known ?? 'shared', attempts });
    } catch (refusal) {
      const isRefused = isFootnoteError(refusal) && [400, 422].includes(Number(refusal.details['status']));
      if (known !== undefined || !isRefused) throw refusal;
      return askInForm(request, call, { form: 'tei', attempts }).catch((second: unknown) => {
        // Where neither is taken, the form is not what is wrong.
        throw call.deadline.signal.aborted ? second : refusal;
      });
    }
  }

  function reserve(call: CallOptions, most: Spending) {
    try {
      return call.budget?.reserve(most, { model: name });
    } catch (error) {
      circuit.undecided();
      throw error;
    }
  }

  const named = (thrown: unknown): FootnoteError =>
    isFootnoteError(thrown) && thrown.details['model'] !== undefined ? thrown : toModelError(thrown, facts);
  const ended = (isLate: boolean): FootnoteError =>
    isLate
      ? new FootnoteError('deadline-exceeded', `${facts.title} (${model}) did not answer in time.`)
      : new FootnoteError('cancelled', 'The call of the rerank service was cancelled.');

  return {
    id: model,
    provider: 'service',
    method: 'service',
    async rerank({ query, texts }, call) {
      const attempts: ModelAttempt[] = [];
      const { scores, inputTokens } = await askAll({ query, texts }, call, attempts);
      sendsLogits ||= [...scores.values()].some((score) => score < -rounding || score > 1 + rounding);
      const shares = new Map([...scores].map(([index, score]) => [index, toShare(score, sendsLogits)]));
      const usage = toUsage(inputTokens, { query, texts });
      const costUsd = price && costOf(price, usage);
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

const outages: ReadonlySet<string> = new Set(['upstream-unavailable', 'upstream-invalid', 'rate-limited']);
const retried: ReadonlySet<string> = new Set(['upstream-unavailable', 'rate-limited']);

/** Half precision may put a probability a little outside of 0..1. */
const rounding = 1e-3;

const toShare = (score: number, isLogit: boolean): number =>
  isLogit ? 1 / (1 + Math.exp(-score)) : Math.min(1, Math.max(0, score));

function toldToWait({ details }: FootnoteError): number {
  const told = details['retryAfterMs'];
  return typeof told === 'number' ? told : 0;
}

/** A cross-encoder reads the query with each text. */
const countRequest = ({ query, texts }: RerankRequest): number =>
  texts.reduce((total, text) => total + countTokens(text), countTokens(query) * texts.length);

function toUsage(told: number | undefined, request: RerankRequest): ModelUsage {
  return {
    inputTokens: told ?? countRequest(request),
    outputTokens: 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    isEstimated: told === undefined,
  };
}
