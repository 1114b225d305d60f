// How a provider of web search is asked: one question, whose answer is JSON. Invariants: no word of what it wrote is in what is thrown, since it
// may hold keys or orders; a list is believed no further than addresses of the web, each once; the key goes where the egress lets it.
import { FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Fetch } from '../../net/egress.ts';
import { parseRetryAfter } from '../../net/retry-after.ts';
import type { WebResult } from './web-search.ts';

/** What providers take at most. */
const [mostCharacters, mostWords] = [400, 50];

/** The query as every provider takes it: one line of at most so many words. */
export function toWebQuery(query: string): string {
  const words = query.toWellFormed().split(/\s+/u).filter(Boolean).slice(0, mostWords);
  let line = '';
  for (const word of words) {
    if (line.length + word.length + 1 > mostCharacters) break;
    line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? (words[0] ?? '').slice(0, mostCharacters).toWellFormed() : line;
}

/** Results as they may be believed: addresses of the web, each once, no more than asked for. */
export function soundResults(
  found: readonly { readonly url?: unknown; readonly title?: unknown }[],
  limit: number,
): readonly WebResult[] {
  const byUrl = new Map<string, WebResult>();
  for (const { url, title } of found) {
    const parsed = typeof url === 'string' && url.length <= mostAddress ? URL.parse(url) : null;
    if (!parsed || !/^https?:$/u.test(parsed.protocol) || byUrl.has(parsed.href)) continue;
    byUrl.set(parsed.href, {
      url: parsed.href,
      title: typeof title === 'string' ? title.toWellFormed().slice(0, mostTitle).toWellFormed() : '',
    });
    if (byUrl.size === limit) break;
  }
  return [...byUrl.values()];
}
const [mostAddress, mostTitle] = [2000, 300];

export interface ProviderAsk {
  /** As people call it: `Brave Search`. */
  readonly title: string;
  readonly fetch: Fetch;
  readonly keySetting?: string;
  readonly addressSetting: string;
}

/** A provider that asks for a moment is asked once more after it; who has less patience is told. */
const longestPauseMs = 1500;

/** Throws FootnoteError alone. */
export async function askProvider(
  provider: ProviderAsk,
  {
    url,
    ...init
  }: { readonly url: URL; readonly method?: string; readonly headers: Record<string, string>; readonly body?: string },
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { title, keySetting, addressSetting } = provider;
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(signal);
    const { status } = response;
    if (status === 429 || status === 503) {
      const waitMs = parseRetryAfter(response.headers.get('retry-after'));
      await response.body?.cancel();
      if (attempt === 1 && waitMs !== undefined && waitMs <= longestPauseMs) {
        await pause(waitMs, signal);
        continue;
      }
      throw new FootnoteError(
        status === 429 ? 'rate-limited' : 'upstream-unavailable',
        `${title} ${status === 429 ? 'takes no more searches for now' : 'is not available'} (HTTP ${status}).`,
        { details: { status } },
      );
    }
    if (status < 200 || status > 299) {
      await response.body?.cancel();
      throw refusal(status);
    }
    return read(response, signal);
  }

  async function send(until: AbortSignal | undefined): Promise<Response> {
    try {
      return await provider.fetch(url, { ...init, ...(until && { signal: until }) });
    } catch (thrown) {
      throw ended(thrown, until);
    }
  }

  async function read(response: Response, until: AbortSignal | undefined): Promise<unknown> {
    let text: string;
    try {
      text = await response.text();
    } catch (thrown) {
      throw ended(thrown, until);
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new FootnoteError('upstream-invalid', `${title} did not answer with JSON. Check ${addressSetting}.`);
    }
  }

  function refusal(status: number): FootnoteError {
    const details = { status };
    if (status === 401 || status === 403)
      return new FootnoteError(
        'config-invalid',
        keySetting === undefined
          ? `${title} refuses to answer with JSON (HTTP ${status}). Allow the format json in its settings (search.formats).`
          : `${title} does not take the key (HTTP ${status}). Check ${keySetting}.`,
        { details },
      );
    if (status === 402 || status === 432 || status === 433)
      return new FootnoteError('quota-exceeded', `${title} says that the plan is used up (HTTP ${status}).`, {
        details,
      });
    if (status >= 500 || status === 408)
      return new FootnoteError('upstream-unavailable', `${title} is not available (HTTP ${status}).`, { details });
    const check = [addressSetting, ...(keySetting === undefined ? [] : [keySetting])].join(' and ');
    return new FootnoteError('upstream-invalid', `${title} refused the search (HTTP ${status}). Check ${check}.`, {
      details,
    });
  }

  function ended(thrown: unknown, until: AbortSignal | undefined): FootnoteError {
    if (until?.aborted) return abortError(until);
    return isFootnoteError(thrown) ? thrown : toFootnoteError(thrown);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await (signal ? untilAborted(promise, signal) : promise);
  } finally {
    clearTimeout(timer);
  }
}

/** What an answer of a shape that is not known is. */
export const unreadable = (title: string): FootnoteError =>
  new FootnoteError('upstream-invalid', `${title} answered with something that is no list of results.`);

/** The address of a call below the address of a provider. */
export const callAt = (address: string, path: string): URL => new URL(`${address.replace(/(?<!\/)\/+$/u, '')}/${path}`);
