// The search of the web that the configuration names, opened once for the process; undefined where it names none. Calls nothing.
import type { Config } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { systemClock } from '../../core/ids.ts';
import { readerKey, type Scope } from '../../core/scope.ts';
import { createKeptResults, type KeptResults, keptUnder } from '../../core/waiting/kept-results.ts';
import { createCircuit } from '../../models/calls/circuit.ts';
import { openEgress } from '../../net/egress.ts';
import { createBrave, type KeyedOptions } from '../../stores/web/brave.ts';
import { createSearxng } from '../../stores/web/searxng.ts';
import { createTavily } from '../../stores/web/tavily.ts';
import type { WebSearch } from '../../stores/web/web-search.ts';
import { createGuard } from '../beside/guarded-searcher.ts';
import { sizeOfKept } from './request-web.ts';

export interface OpenedWebSearch extends WebSearch {
  /** With what was found and read for a scope: nobody else is served from it. */
  forScope(scope: Scope): { readonly search: WebSearch; readonly kept: KeptResults; readonly timeoutMs: number };
  close(): void;
}

type Provider = WebSearch & Pick<OpenedWebSearch, 'close'>;

/** Pages and lists of all scopes together, in bytes. */
const mostKeptBytes = 64 << 20;

/** Throws `config-invalid` where the provider lacks its address or its key. */
export function openWebSearch(config: Pick<Config, 'web' | 'secret'>): OpenedWebSearch | undefined {
  const opened = openProvider(config);
  if (!opened) return undefined;
  const { elapsedMs } = systemClock;
  // Nobody waits for one that is silent for all.
  const guarded = createGuard('The search of the web', { circuit: createCircuit({ elapsedMs }), elapsedMs });
  const { timeoutMs, ttlSeconds } = config.web.search;
  const ttlMs = ttlSeconds * 1000;
  const kept = createKeptResults({
    ...{ ttlMs, staleMs: ttlMs / 4, elapsedMs },
    ...{ most: mostKeptBytes, sizeOf: sizeOfKept },
  });
  const search: WebSearch = {
    name: opened.name,
    search: (query, options) => guarded(() => opened.search(query, options), options.signal),
  };
  return {
    ...search,
    forScope(scope) {
      const reader = readerKey(scope);
      return { search, timeoutMs, kept: keptUnder(`${reader} `, kept) };
    },
    close: opened.close,
  };
}

function openProvider({ web, secret }: Pick<Config, 'web' | 'secret'>): Provider | undefined {
  const { provider, searxngUrl, braveUrl, tavilyUrl } = web.search;
  if (provider === undefined) return undefined;
  const lacks = (name: string): FootnoteError =>
    new FootnoteError('config-invalid', `WEB_SEARCH_PROVIDER is ${provider}, and ${name} is not set. Set it too.`);
  if (provider === 'searxng') {
    if (searxngUrl === undefined) throw lacks('SEARXNG_URL');
    const { fetch, close } = openEgress({ addresses: [searxngUrl], maxResponseBytes });
    return { ...createSearxng({ address: searxngUrl, fetch }), close };
  }
  const keyed = (keySetting: string, address: string, create: (options: KeyedOptions) => WebSearch) => {
    const apiKey = secret(keySetting);
    if (apiKey === undefined) throw lacks(keySetting);
    const { fetch, close } = openEgress({ addresses: [address], maxResponseBytes });
    return { ...create({ address, apiKey, fetch }), close };
  };
  return provider === 'brave'
    ? keyed('BRAVE_API_KEY', braveUrl, createBrave)
    : keyed('TAVILY_API_KEY', tavilyUrl, createTavily);
}

/** A list of twenty addresses is far shorter. */
const maxResponseBytes = 4 << 20;
