// An embedding model of a provider behind the model port: OpenAI, Azure OpenAI, or any server that speaks their protocol.
// Invariant: the id names provider, model, dimensions, prefixes and length, so that one id is one vector space; a provider whose
// vectors have another length than the id says is refused.
import type { ModelBudget } from '../../core/budget.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import { openEgress } from '../../net/egress.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { type AttemptTiming, systemTiming } from '../calls/attempts.ts';
import { type ModelWatch, unwatched } from '../calls/watch.ts';
import { costOf, parsePrices } from '../money/prices.ts';
import type { ModelSettings } from '../open-models.ts';
import { accessOf } from './access.ts';
import { createEmbeddingAttempts } from './attempts.ts';
import { type CutText, cutToLimit, sendHalving, toCalls } from './batches.ts';
import { createEmbeddingCall } from './call.ts';
import { conventionOf, type EmbeddingReference, knownDimensions, limitsOf } from './facts.ts';
import type { EmbedOptions } from './model.ts';
import type { EmbeddingPlan, EmbeddingUsage, RemoteEmbedding } from './remote-embedding.ts';
import type { FixedModel } from './semantics.ts';

export interface ProviderEmbeddings extends FixedModel {
  readonly remote: RemoteEmbedding;
  /** Closes all connections. Embedding afterwards throws. */
  close(): Promise<void>;
}

export interface ProviderEmbeddingsOptions extends Partial<AttemptTiming> {
  /** Pays for the call that finds the length of the vectors, where one is needed. */
  readonly budget?: ModelBudget;
  /** Length of the vectors as it was found before, so that no call is needed to find it. */
  readonly recordedDimensions?: number;
  /** Calls for documents under way at once. Default 4. */
  readonly callsAtOnce?: number;
  readonly textsPerCall?: number;
  /** Of OpenAI, in place of its own. */
  readonly openaiAddress?: string;
  /** Told how the model fares. */
  readonly watch?: Pick<ModelWatch, 'circuit'>;
}

/**
 * Opens the model that `reference` names with what `settings` say of its provider. One tiny call is made where nobody knows the
 * length of its vectors. Throws `config-invalid` where the provider is not configured, and what a call throws.
 */
export async function openProviderEmbeddings(
  settings: ModelSettings,
  reference: EmbeddingReference,
  options: ProviderEmbeddingsOptions = {},
  signal?: AbortSignal,
): Promise<ProviderEmbeddings> {
  const { random, wait, elapsedMs, callsAtOnce = 4, budget, watch = unwatched } = { ...systemTiming, ...options };
  const timing: AttemptTiming = { random, wait, elapsedMs };
  const { provider, model } = reference;
  const name = `${provider}:${model}`;
  const { address, ...access } = accessOf(settings, reference, options.openaiAddress);
  const price = parsePrices(settings.prices ?? '').of(name);
  const convention = conventionOf(reference);
  const limits = { ...limitsOf(provider), ...(options.textsPerCall && { texts: options.textsPerCall }) };
  const egress = openEgress({ addresses: [address] });
  const costUsdOf = (tokens: number): number | undefined =>
    price && costOf(price, { inputTokens: tokens, outputTokens: 0 });

  const taken = { calls: 0, texts: 0, tokens: 0, truncated: 0, refused: 0 };
  let costUsd: number | undefined = 0;
  let hasTaken = false;
  let dimensions = knownDimensions(reference) ?? options.recordedDimensions;
  let isClosed = false;

  const attempts = createEmbeddingAttempts({
    call: createEmbeddingCall({ ...access, fetch: egress.fetch }),
    reference,
    circuit: watch.circuit(name, timing),
    costOf: costUsdOf,
    billed(call) {
      taken.calls += 1;
      taken.texts += call.texts;
      taken.tokens += call.tokens;
      costUsd = costUsd === undefined || call.costUsd === undefined ? undefined : costUsd + call.costUsd;
    },
    timing,
  });

  async function send(texts: readonly string[], how: EmbedOptions): Promise<readonly Float32Array[]> {
    if (isClosed) throw new FootnoteError('cancelled', `The embedding model ${name} was closed.`);
    const { vectors } = await attempts(texts, how);
    const length = vectors[0]?.length ?? 0;
    if (dimensions !== undefined && length !== dimensions)
      throw new FootnoteError(
        'upstream-invalid',
        `${name} answered with vectors of ${length} dimensions, not of ${dimensions}: it is another model than before, or does not shorten its vectors. Set MODEL_EMBED to ${name}@${length}.`,
        { details: { model: name, isFinal: true } },
      );
    hasTaken = true;
    return vectors;
  }

  try {
    dimensions ??= (await send(['text'], { kind: 'query', ...(signal && { signal }), ...(budget && { budget }) }))[0]
      ?.length;
  } catch (error) {
    egress.close();
    throw toFootnoteError(error);
  }
  const length = dimensions ?? 0;
  // A deployment is a name within one resource: elsewhere it may be another model.
  const place = provider === 'azure' ? `:at-${sha256(new URL(address).host).slice(0, 8)}` : '';
  const lanes = limitConcurrency(callsAtOnce);

  const prepare = (text: string, kind: EmbedOptions['kind']): string => `${convention[kind]}${text}`.toWellFormed();

  async function embed(texts: readonly string[], how: EmbedOptions): Promise<readonly Float32Array[]> {
    if (how.signal?.aborted) throw cancelled(how.signal);
    const { kind } = how;
    /** By the text as it was given. */
    const read = new Map<string, CutText>();
    for (const text of texts)
      if (text.trim() !== '' && !read.has(text)) read.set(text, cutToLimit(prepare(text, kind), limits.tokensPerText));
    const spoken = new Map([...read.values()].map((one) => [one.text, one]));
    const vectors = new Map<string, Float32Array>();
    for (const { wasCut } of read.values()) if (wasCut) taken.truncated += 1;
    // The first failure ends the others.
    const failing = new AbortController();
    const signal = AbortSignal.any([failing.signal, ...(how.signal ? [how.signal] : [])]);
    const work = toCalls([...spoken.values()], limits).map(async (call) => {
      const sending = async (): Promise<void> => {
        const inner: EmbedOptions = { ...how, signal };
        const found = await sendHalving(call, { send: (some) => send(some, inner), hasTaken: () => hasTaken });
        // Whoever asks is told; a document is found by its words.
        if (found.refused > 0 && kind === 'query') throw refused(name);
        taken.truncated += found.cut;
        taken.refused += found.refused;
        found.vectors.forEach((vector, at) => {
          if (vector) vectors.set(call[at] ?? '', vector);
        });
      };
      try {
        await (kind === 'query' ? sending() : lanes(sending, signal));
      } catch (error) {
        failing.abort(error);
        throw error;
      }
    });
    await Promise.allSettled(work);
    try {
      await Promise.all(work);
    } catch (error) {
      throw how.signal?.aborted ? cancelled(how.signal) : toFootnoteError(failing.signal.reason ?? error);
    }
    const given = new Set<Float32Array>();
    return texts.map((text) => {
      const vector = vectors.get(read.get(text)?.text ?? '') ?? new Float32Array(length);
      // What callers do to one changes no other.
      if (given.has(vector)) return vector.slice();
      given.add(vector);
      return vector;
    });
  }

  return {
    id: `${name}@${length}:${convention.name}:unit${place}`,
    kind: 'fixed',
    dimensions: length,
    metric: 'cosine',
    embed,
    remote: {
      name,
      textsPerCall: limits.texts,
      callsAtOnce,
      costOf: costUsdOf,
      plan(texts): EmbeddingPlan {
        const cut = texts
          .filter((text) => text.trim() !== '')
          .map((text) => cutToLimit(prepare(text, 'document'), limits.tokensPerText));
        return {
          calls: toCalls(cut, limits).length,
          tokens: cut.reduce((sum, { text, tokens }) => sum + (tokens ?? countTokens(text)), 0),
          truncated: cut.filter(({ wasCut }) => wasCut).length,
        };
      },
      usage: (): EmbeddingUsage => ({ ...taken, costUsd }),
    },
    async close() {
      isClosed = true;
      egress.close();
    },
  };
}

const cancelled = (signal: AbortSignal): FootnoteError =>
  new FootnoteError('cancelled', 'The call of an embedding model was cancelled.', { cause: signal.reason });

const refused = (name: string): FootnoteError =>
  new FootnoteError('upstream-invalid', `${name} takes this text neither whole nor in part. Ask in other words.`, {
    details: { model: name, isFinal: true },
  });
