// Reads limits of spending as people write them: `calls 12, input-tokens 100000, output-tokens 20000, usd 0.50`. Invariant: what cannot
// be read is never a limit that is missing — every mistake is named, and nothing is opened.
import type { ModelBudgetLimits, RequestLimits } from '../../core/budget.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Prices } from './prices.ts';

const kindOf = {
  calls: 'calls',
  'input-tokens': 'inputTokens',
  'output-tokens': 'outputTokens',
  usd: 'costUsd',
  tools: 'tools',
  bytes: 'bytes',
} as const satisfies Record<string, keyof RequestLimits>;
type Word = keyof typeof kindOf;
/** What only a request takes. */
const ofRequests: ReadonlySet<string> = new Set<Word>(['tools', 'bytes']);

const example = 'calls 12, input-tokens 100000, output-tokens 20000, usd 0.50';

/** Total: the limits, and a sentence for each entry that is none. */
function readLimits(
  text: string,
  isOfRequest: boolean,
): { readonly limits: RequestLimits; readonly mistakes: readonly string[] } {
  const limits: { -readonly [Kind in keyof RequestLimits]: RequestLimits[Kind] } = {};
  const words = Object.keys(kindOf).filter((word) => isOfRequest || !ofRequests.has(word));
  const mistakes: string[] = [];
  const written = text.trim();
  const entries = written === '' || written === 'none' ? [] : written.split(',').map((entry) => entry.trim());
  for (const entry of entries) {
    const [word = '', amount = '', ...more] = entry.split(/\s+/u);
    const kind = words.includes(word) ? kindOf[word as Word] : undefined;
    const number = Number(amount);
    if (kind === undefined) mistakes.push(`"${entry}" is not one of ${words.join(', ')} with a number`);
    else if (more.length > 0 || !/^\d+(\.\d+)?$/u.test(amount)) mistakes.push(`"${entry}" has no number`);
    else if (kind !== 'costUsd' && !Number.isSafeInteger(number)) mistakes.push(`"${entry}" is not a whole number`);
    else if (kind in limits) mistakes.push(`"${entry}" is the second limit of ${word}`);
    else limits[kind] = number;
  }
  return { limits, mistakes };
}

/**
 * The limits of several settings; `none` and the empty text are no limits. Throws `config-invalid` with every entry of all of them that
 * cannot be read; `names` are those of the settings, for the messages. `request` is the level of single requests: tools and their bytes are
 * limited there alone.
 */
export function parseBudgets<Level extends string>(
  texts: Readonly<Record<Level, string>>,
  names: Readonly<Record<Level, string>>,
  request?: NoInfer<Level>,
): Readonly<Record<Level, RequestLimits>> {
  const mistakes: string[] = [];
  const parsed = Object.entries<string>(texts).map(([level, text]) => {
    const read = readLimits(text, level === request);
    for (const mistake of read.mistakes) mistakes.push(`${names[level as Level]}: ${mistake}.`);
    return [level, read.limits] as const;
  });
  if (mistakes.length > 0)
    throw new FootnoteError('config-invalid', `${mistakes.join('\n')}\nWrite limits like "${example}", or "none".`, {
      details: { mistakes },
    });
  return Object.fromEntries(parsed) as Record<Level, RequestLimits>;
}

/**
 * Throws `config-invalid` where a level limits money and a model that will be asked has no price: each of its calls would be refused.
 * `limits` by name of the setting; `models` as `provider:model`.
 */
export function assertPriced(
  limits: Readonly<Record<string, ModelBudgetLimits>>,
  models: Iterable<string>,
  prices: Prices,
): void {
  const limited = Object.keys(limits).filter((setting) => limits[setting]?.costUsd !== undefined);
  const unpriced = [...new Set(models)].filter((model) => prices.of(model) === undefined);
  if (limited.length === 0 || unpriced.length === 0) return;
  throw new FootnoteError(
    'config-invalid',
    `${limited.join(' and ')} limit${limited.length === 1 ? 's' : ''} US dollars, and MODEL_PRICES has no price for ${unpriced.join(', ')}. Add it ("= free" where nobody bills), or limit calls and tokens instead.`,
    { details: { limited, unpriced } },
  );
}
