// The context window of a model, where the list of models of its provider names it: one small request, made only when an operator tries
// a model. Invariant: a size that the list does not give for this very model is unknown; nothing is guessed from a name.

import { z } from 'zod';
import { joinedAbort } from '../core/signals/joined-abort.ts';
import { openEgress } from '../net/egress.ts';
import type { ModelSettings } from './open-models.ts';
import type { ModelReference } from './roles.ts';

const size = z.int().min(256).optional().catch(undefined);
/**
 * `max_model_len`: vLLM; `context_length`: OpenRouter and gateways after it; `context_window`: Groq; `max_context_length`: LM Studio;
 * `max_input_tokens`: Anthropic. llama.cpp's `n_ctx_train` is left out: it is what the model was trained for, not what the server runs with.
 */
const entrySchema = z.looseObject({
  id: z.string(),
  max_model_len: size,
  context_length: size,
  context_window: size,
  max_context_length: size,
  max_input_tokens: size,
});
const listSchema = z.looseObject({ data: z.array(z.unknown()) });

const longestMs = 5_000;

export interface ContextWindowOptions {
  /** Of Anthropic's API, unless it is their own. */
  readonly anthropicAddress?: string;
}

/** Tokens, or undefined where the provider does not say, cannot be reached, or answers in another shape. Throws nothing. */
export async function listedContextTokens(
  settings: Pick<ModelSettings, 'compatible' | 'anthropic'>,
  { provider, model }: ModelReference,
  { anthropicAddress = 'https://api.anthropic.com/v1' }: ContextWindowOptions = {},
  signal?: AbortSignal,
): Promise<number | undefined> {
  const place = placeOf(settings, provider, anthropicAddress);
  if (!place) return undefined;
  const egress = openEgress({ addresses: [place.address], maxResponseBytes: 8 << 20 });
  const ends = joinedAbort([AbortSignal.timeout(longestMs), ...(signal ? [signal] : [])]);
  try {
    // The whole list: names with slashes are no path of one model.
    const answer = await egress.fetch(`${place.address.replace(/(?<!\/)\/+$/u, '')}/models${place.query}`, {
      headers: place.headers,
      signal: ends.signal,
    });
    if (!answer.ok) return undefined;
    const list = listSchema.safeParse(await answer.json());
    const entries = list.data?.data.map((entry) => entrySchema.safeParse(entry).data) ?? [];
    const entry = entries.find((one) => one?.id === model);
    return (
      entry?.max_model_len ??
      entry?.context_length ??
      entry?.context_window ??
      entry?.max_context_length ??
      entry?.max_input_tokens
    );
  } catch {
    return undefined;
  } finally {
    ends.release();
    egress.close();
  }
}

function placeOf(
  { compatible, anthropic }: Pick<ModelSettings, 'compatible' | 'anthropic'>,
  provider: ModelReference['provider'],
  anthropicAddress: string,
): { address: string; headers: Record<string, string>; query: string } | undefined {
  if (provider === 'compatible' && compatible) {
    const { address, apiKey } = compatible;
    return { address, headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }, query: '' };
  }
  if (provider === 'anthropic' && anthropic)
    return {
      address: anthropicAddress,
      headers: { 'x-api-key': anthropic.apiKey, 'anthropic-version': '2023-06-01' },
      query: '?limit=1000',
    };
  return undefined;
}
