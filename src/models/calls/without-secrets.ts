// Keeps the secrets of a provider's access out of what the provider says: gateways echo requests, and what a model wrote stands in traces
// and may stand in answers. Invariant: neither a delta, nor deltas joined, nor a result holds one; all other text passes unchanged.

import type { GenerateResult, StreamPart } from '../language/generation.ts';
import type { LanguageModel } from '../language/language-model.ts';

/** Shorter ones are words and dates: servers without keys are given "ollama" or "EMPTY", versions stand in addresses. */
const leastLength = 16;
const shown = '[secret]';

/** The key, and what of the address can be one: user name, password, both as they travel (RFC 7617), values of the query. */
export function secretsOf({ apiKey, address }: { readonly apiKey?: string; readonly address?: string }): string[] {
  const url = address === undefined ? null : URL.parse(address);
  const user = url ? [url.username, url.password].map(decoded) : [];
  const sent = Buffer.from(user.join(':')).toString('base64');
  const parts = url ? [...user, sent, ...url.searchParams.values()] : [];
  return [...(apiKey === undefined ? [] : [apiKey]), ...parts].filter(({ length }) => length >= leastLength);
}

/** An address may hold a `%` that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters at the end of `text` that a secret may begin with. */
function overlapOf(text: string, secret: string): number {
  // Only where its first character stands can it begin: most pieces of an answer have none near their end.
  const [first = ''] = secret;
  for (let at = text.indexOf(first, text.length - secret.length + 1); at >= 0; at = text.indexOf(first, at + 1))
    if (secret.startsWith(text.slice(at))) return text.length - at;
  return 0;
}

/** The same model; without secrets unchanged. */
export function withoutSecrets(model: LanguageModel, secrets: readonly string[]): LanguageModel {
  if (secrets.length === 0) return model;
  const masked = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, shown), text);
  const clean = (result: GenerateResult): GenerateResult => ({ ...result, text: masked(result.text) });
  return {
    ...model,
    generate: async (request, options) => clean(await model.generate(request, options)),
    async *stream(request, options): AsyncGenerator<StreamPart, void, void> {
      let held = '';
      for await (const part of model.stream(request, options)) {
        if (part.type === 'delta') held = masked(held + part.text);
        const kept = part.type === 'delta' ? Math.max(...secrets.map((secret) => overlapOf(held, secret))) : 0;
        const text = held.slice(0, held.length - kept);
        held = held.slice(held.length - kept);
        if (text !== '') yield { type: 'delta', text };
        if (part.type === 'end') yield { type: 'end', result: clean(part.result) };
      }
    },
  };
}
