// A question that nothing here answers is answered from the web: over the real providers' interfaces (stand-ins on 127.0.0.1), the real page
// reader and the real record. What is cited can be opened and checked later, and the trace replays to the byte.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../../src/footnote/compose.ts';
import type { Footnote } from '../../../src/footnote/facade.ts';
import { replayTrace } from '../../../src/footnote/replay/replay.ts';
import { openWebProvider, type ProviderName, providerNames, type WebProvider } from '../../../testkit/web/provider.ts';
import { openWebSite, page, type WebSite } from '../../../testkit/web-site.ts';

let folder: string;
let site: WebSite;
let provider: WebProvider;
let opened: OpenedFootnote;
let footnote: Footnote;

const question = 'How tall is the lighthouse of Cabo Frio?';

async function open(name: ProviderName, environment: Readonly<Record<string, string>> = {}): Promise<void> {
  provider = await openWebProvider(name, [
    { url: `${site.origin}/cabo.html`, title: 'Cabo Frio', words: 'lighthouse cabo frio tall metres' },
    { url: `${site.origin}/other.html`, title: 'Other', words: 'lighthouse' },
  ]);
  const settings = {
    FOOTNOTE_DATA: join(folder, 'data'),
    WEB_ALLOW_HOSTS: site.host,
    WEB_HOST_GAP_MS: '0',
    DEFAULT_MODE: 'embedded',
    // A machine that many share starts readers slowly.
    WEB_SEARCH_TIMEOUT_MS: '60000',
    REQUEST_TIMEOUT_MS: '600000',
    ...provider.environment,
    ...environment,
  };
  opened = await openFootnote(loadConfig({ folder, environment: settings }));
  footnote = opened.forScope(localScope());
  await footnote.documents.add({ text: 'The valve of basin four closes at 6 bar.', title: 'Valve', uri: 'valve.txt' });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-web-search-'));
  site = await openWebSite({
    '/cabo.html': page('Cabo Frio', '<p>The lighthouse of Cabo Frio is 61 metres tall and was built in 1861.</p>'),
    '/other.html': page('Other', '<p>A lighthouse shows ships the way at night.</p>'),
  });
});
afterEach(async () => {
  await opened.close();
  await provider.close();
  await site.close();
  await rm(folder, { recursive: true });
});

describe.each(providerNames)('a search of the web by %s', (name) => {
  it('answers what nothing here does, cited, kept and checkable', async () => {
    await open(name);
    const answer = await footnote.ask({ question });
    expect(answer).toMatchObject({ abstained: false, degraded: [] });
    expect(answer.answer).toContain('61 metres');
    const [citation] = answer.citations;
    expect(citation).toMatchObject({
      uri: `${site.origin}/cabo.html`,
      source: 'web-search',
      trust: 'unvetted',
      retrievedAt: expect.stringMatching(/^\d{4}-/u),
    });
    expect(provider.queries()).toEqual([question]);
    expect(answer.routing.asked).toContain('web');

    // What was cited is a document of its own, which searches of what is here do not find.
    const document = await footnote.documents.get(citation?.documentId ?? '');
    expect(document).toMatchObject({
      sourceType: 'web',
      source: 'web-search',
      metadata: { retrievedAt: citation?.retrievedAt },
    });
    const text = await footnote.documents.text(document.id);
    expect(JSON.stringify(text)).toContain(citation?.quote);
    const { same, sameCalls, divergences } = await replayTrace(await footnote.traces.get(answer.traceId));
    expect({ same, sameCalls, divergences }).toEqual({ same: true, sameCalls: true, divergences: [] });
  });
});

describe('a search of the web', () => {
  it('is not made where what is here answers', async () => {
    await open('searxng');
    const answer = await footnote.ask({ question: 'At how many bar does the valve of basin four close?' });
    expect(answer.citations[0]).toMatchObject({ uri: 'valve.txt' });
    expect(provider.requests).toEqual([]);
    expect(site.asked).toEqual([]);
  });
});
