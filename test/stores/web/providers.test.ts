// Providers of web search over their stand-ins: what is asked is what they take, their lists are believed no further than addresses of the
// web, and whatever fails is a FootnoteError without a word of theirs, within the time of whoever asks.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFootnoteError } from '../../../src/core/errors.ts';
import { openEgress } from '../../../src/net/egress.ts';
import { createBrave } from '../../../src/stores/web/brave.ts';
import { createSearxng } from '../../../src/stores/web/searxng.ts';
import { createTavily } from '../../../src/stores/web/tavily.ts';
import type { WebSearch } from '../../../src/stores/web/web-search.ts';
import { faultKinds, type ServedFault } from '../../../testkit/faulty-server.ts';
import { openWebProvider, type ProviderName, providerNames, type WebProvider } from '../../../testkit/web/provider.ts';

let provider: WebProvider;
let search: WebSearch;
let close: () => void;

const pages = Array.from({ length: 30 }, (_, number) => ({
  url: `https://example.org/page-${number}`,
  title: `Page ${number}`,
  words: `copper ${'ore '.repeat(30 - number)}`,
}));

function openSearch(name: ProviderName, address: string, apiKey = 'the-key-of-the-operator'): WebSearch {
  const egress = openEgress({ addresses: [address], maxResponseBytes: 1 << 20 });
  close = egress.close;
  const { fetch } = egress;
  if (name === 'searxng') return createSearxng({ address, fetch });
  return (name === 'brave' ? createBrave : createTavily)({ address, apiKey, fetch });
}

describe.each(providerNames)('%s', (name) => {
  beforeEach(async () => {
    provider = await openWebProvider(name, pages);
    search = openSearch(name, provider.address);
  });
  afterEach(async () => {
    close();
    await provider.close();
  });

  it('gives addresses, best first, no more than are wanted', async () => {
    const { results } = await search.search('copper ore', { limit: 3 });
    expect(results).toEqual(pages.slice(0, 3).map(({ url, title }) => ({ url, title })));
    expect((await search.search('zinc', { limit: 3 })).results).toEqual([]);
  });

  it('is asked in one line that it takes, however long the question is', async () => {
    await search.search(`  copper\n${'mine \u{1F4A0}'.repeat(900)}`, { limit: 20 });
    await search.search('x'.repeat(5000), { limit: 20 });
    for (const query of provider.queries()) {
      expect(query.length).toBeLessThanOrEqual(400);
      expect(query.split(' ').length).toBeLessThanOrEqual(50);
      expect(query).not.toContain('\n');
    }
    expect(provider.queries()).toHaveLength(2);
  });

  it('believes no list beyond addresses of the web', async () => {
    provider.pages.splice(0, provider.pages.length, ...hostile);
    const { results } = await search.search('copper', { limit: 20 });
    expect(results.map(({ url }) => url)).toEqual(['https://example.org/a', 'http://127.0.0.1:1/x']);
  });

  it.each([...faultKinds, 'huge' as const])('fails soundly: %s', async (kind) => {
    provider.fault = () => kind;
    const failed = await search.search('copper', { limit: 3, signal: AbortSignal.timeout(400) }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!isFootnoteError(failed)) throw new Error(`${kind} ended in ${JSON.stringify(failed)}`);
    expect(failed.code).toBe(codeOf(kind));
    expect(`${failed.message}${JSON.stringify(failed.details)}`).not.toMatch(/SECRET|the-key/u);
  });

  it('is asked once more where it wants a moment, and no more than that', async () => {
    let left = 1;
    provider.fault = () => (left-- > 0 ? 'status-429-now' : undefined);
    expect((await search.search('copper', { limit: 1 })).results).toHaveLength(1);
    left = 5;
    await expect(search.search('copper', { limit: 1 })).rejects.toMatchObject({ code: 'rate-limited' });
    expect(provider.requests).toHaveLength(4);
  });
});

it.each(['brave', 'tavily'] as const)('%s says that its key is not taken', async (name) => {
  provider = await openWebProvider(name, pages);
  search = openSearch(name, provider.address, 'another-key');
  const failed = search.search('copper', { limit: 1 });
  await expect(failed).rejects.toThrow(name === 'brave' ? 'BRAVE_API_KEY' : 'TAVILY_API_KEY');
  await expect(failed).rejects.not.toThrow('another-key');
  close();
  await provider.close();
});

const hostile = [
  'javascript:alert(1)',
  'file:///etc/passwd',
  'no address',
  'https://example.org/a',
  'https://example.org/a',
  `https://example.org/${'x'.repeat(3000)}`,
  'http://127.0.0.1:1/x',
].map((url) => ({ url, title: 'T\u{D800}'.repeat(500), words: 'copper' }));

function codeOf(kind: ServedFault): string {
  if (['silent', 'slow-headers', 'silent-after', 'stall-in-body', 'drip'].includes(kind)) return 'deadline-exceeded';
  if (kind.startsWith('status-429')) return 'rate-limited';
  if (['status-401', 'status-403'].includes(kind)) return 'config-invalid';
  if (['reset', 'lost-reply', 'truncated', 'status-408'].includes(kind) || kind.startsWith('status-5'))
    return 'upstream-unavailable';
  return 'upstream-invalid';
}
