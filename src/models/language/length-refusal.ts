// Reads the limit of a model and the length of a request from the error in which a provider refuses it for its length. Invariant: the
// result is two plain numbers or nothing: no word of what a provider wrote.

export interface LengthRefusal {
  /** Tokens that the model reads. */
  readonly limitTokens: number;
  /** Tokens that it was sent, by its own count; with the room for the answer where the provider counts so. */
  readonly askedTokens: number;
}

const number = '(\\d{1,3}(?:,\\d{3})+|\\d{1,9})';
/** OpenAI, Azure and vLLM: limit, then what was sent. Messages in full: test/models/language/length-refusal.test.ts. */
const limitFirst = new RegExp(
  `maximum context length is ${number} tokens[^]{0,80}?(?:resulted in|requested|contains at least|has|is) (?:about )?${number}`,
  'u',
);
/** Anthropic: `prompt is too long: 205000 tokens > 200000 maximum`, `input length and … exceed context limit: 190000 + 20000 > 200000`. */
const sentFirst = new RegExp(
  `(?:prompt is too long|exceed context limit): ${number}(?: \\+ ${number})?(?: tokens)? > ${number}`,
  'u',
);
/** llama.cpp's server. */
const sentField = /"n_prompt_tokens"\s*:\s*(\d{1,9})/u;
const limitField = /"n_ctx"\s*:\s*(\d{1,9})/u;

const longestBody = 20_000;

/** From the body of an error, as text. Total. */
export function readLengthRefusal(body: string): LengthRefusal | undefined {
  const text = body.slice(0, longestBody);
  const read = (digits: string | undefined): number => Number((digits ?? '0').replaceAll(',', ''));
  const pair = limitFirst.exec(text);
  if (pair) return plausible(read(pair[1]), read(pair[2]));
  const sum = sentFirst.exec(text);
  if (sum) return plausible(read(sum[3]), read(sum[1]) + read(sum[2]));
  return plausible(read(limitField.exec(text)?.[1]), read(sentField.exec(text)?.[1]));
}

/** A refusal for length says more than the limit. */
const plausible = (limitTokens: number, askedTokens: number): LengthRefusal | undefined =>
  limitTokens > 0 && askedTokens > limitTokens ? { limitTokens, askedTokens } : undefined;
