// Which tokenizer a model reads with: counted exactly where its encoding is published (OpenAI), else by o200k_base with a margin that was
// measured or told. Invariant: what a name does not tell is never taken for exact; an encoding is loaded when a model first needs it.
import { countTokens } from '../../text/tokens/tokens.ts';
import { openCl100k } from '../../text/tokens/tokens-cl100k.ts';

export interface Tokenizer {
  /** The encoding that is counted with. */
  readonly name: 'o200k_base' | 'o200k_harmony' | 'cl100k_base';
  /** The model's own encoding; otherwise a stand-in. */
  readonly isExact: boolean;
  /** Tokens of `text` by that encoding; special tokens are the plain text that they are in a document. */
  readonly count: (text: string) => number;
  /** How many times as many tokens the model itself may see in text like this: 1 where exact. Hard limits are kept with it. */
  margin(text: string): number;
}

interface Encoding {
  readonly name: Tokenizer['name'];
  readonly isExact: boolean;
  /** In text of Latin letters. */
  readonly margin: number;
}

/**
 * Claude up to Opus 4.6: +16 % in English articles, +21 % in mathematics, +30 % in Python over GPT-4o's (published comparison of Claude
 * 3.5 Sonnet, May 2025); the largest of them. Later ones: "approximately 30 percent more tokens than on earlier models"
 * (platform.claude.com/docs/en/build-with-claude/token-counting). Others: vocabularies grown from cl100k_base (Llama 3, Qwen), digits one
 * by one as in Qwen: at most 1.35 on 95 of 100 paragraphs of XQuAD (en, de) and chunks of financial reports; rounded up.
 */
const margins = { earlierClaude: 1.3, laterClaude: 1.7, others: 1.4 };
/** 95 of 100 Arabic paragraphs of XQuAD have at most 2.54 times as many by cl100k_base, Chinese 1.67. */
const marginOfOtherScripts = 2.6;

/** https://github.com/openai/tiktoken, model.py; Azure writes `gpt-35`. What is not in it, later models too, is not exact. */
const o200k = /^(?:gpt-4o|gpt-4\.[15]|gpt-5|chatgpt-4o|o[134](?:$|-))/u;
const cl100k = /^(?:gpt-4(?![o.\d])|gpt-3\.?5|text-embedding-(?:3|ada-002))/u;
const earlierClaude =
  /^claude-(?:[23]\b|instant|(?:opus|sonnet|haiku)-4(?:[-.](?:[0-6]|20\d{6}))?(?![-.]?\d{1,2}(?!\d)))/u;

/** By the name of a model, as providers, gateways (`openai/gpt-4o`) and fine-tunes (`ft:gpt-4o:…`) write it. Pure. */
export function encodingOf(provider: string, id: string): Encoding {
  const name = (id.toLowerCase().split('/').at(-1) ?? '').replace(/^ft:/u, '');
  const exact = (encoding: Tokenizer['name']): Encoding => ({ name: encoding, isExact: true, margin: 1 });
  if (o200k.test(name)) return exact('o200k_base');
  if (name.startsWith('gpt-oss')) return exact('o200k_harmony');
  if (cl100k.test(name)) return exact('cl100k_base');
  const claude = name.indexOf('claude');
  if (claude >= 0 || provider === 'anthropic') {
    const isEarlier = claude >= 0 && earlierClaude.test(name.slice(claude));
    return { name: 'o200k_base', isExact: false, margin: isEarlier ? margins.earlierClaude : margins.laterClaude };
  }
  return { name: 'o200k_base', isExact: false, margin: margins.others };
}

/** Tokens of a text by an encoding. Both encodings of 200,000 tokens cut plain text alike; they differ in special tokens. */
export const openCounter = async (name: Tokenizer['name']): Promise<Tokenizer['count']> =>
  name === 'cl100k_base' ? openCl100k() : countTokens;

/** Loads the encoding if it must. Never throws for an unknown model. */
export async function tokenizerOf(provider: string, id: string): Promise<Tokenizer> {
  const { name, isExact, margin } = encodingOf(provider, id);
  return {
    name,
    isExact,
    count: await openCounter(name),
    margin: (text) => (isExact ? 1 : margin + Math.max(0, marginOfOtherScripts - margin) * shareOfOtherScripts(text)),
  };
}

const longestSample = 8_000;

/** Share of the letters that are not Latin, in the opening of a text. */
function shareOfOtherScripts(text: string): number {
  const sample = text.slice(0, longestSample);
  if (/^\p{ASCII}*$/u.test(sample)) return 0;
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters === 0 ? 0 : Math.max(0, letters - latin) / letters;
}
