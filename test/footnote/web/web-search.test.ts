// A question that nothing here answers is answered from the web: over the real providers' interfaces (stand-ins on 127.0.0.1), the real page
// reader and the real record. What is cited can be opened and checked later, and the trace replays to the byte.
import { afterEach, describe, expect, it } from 'vitest';
import { replayTrace } from '../../../src/footnote/replay/replay.ts';
import { documentView } from '../../../src/http/wire/view.ts';
import { providerNames } from '../../../testkit/web/provider.ts';
import { openWebSystem, type WebSystem, type WebSystemOptions } from '../../../testkit/web/system.ts';

const open: WebSystem[] = [];
afterEach(async () => {
  for (const system of open.splice(0)) await system.close();
});

const pages = {
  '/cabo.html': 'The lighthouse of Cabo Frio is 61 metres tall and was built in 1861.',
  '/other.html': 'A lighthouse shows ships the way at night.',
};
const question = 'How tall is the lighthouse of Cabo Frio?';

async function begin(options: WebSystemOptions = {}): Promise<WebSystem> {
  const system = await openWebSystem({ pages, ...options });
  open.push(system);
  return system;
}

describe.each(providerNames)('a search of the web by %s', (name) => {
  it('answers what nothing here does, cited, kept and checkable', async () => {
    const { footnote, provider, site } = await begin({ provider: name });
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
    expect(answer.routing.reason).toContain('a search of the web was asked, too');

    // What was cited is a document of its own, which searches of what is here do not find.
    const { documentId = '', start = 0, end = 0, quote = '' } = citation ?? {};
    const document = await footnote.documents.get(documentId);
    expect(document).toMatchObject({
      sourceType: 'web',
      source: 'web-search',
      metadata: { retrievedAt: citation?.retrievedAt },
    });
    expect((await documentView(footnote.documents, documentId, { start, end })).excerpt).toMatchObject({ quote });
    expect(await footnote.answers.verify(answer)).toMatchObject({ ok: true });
    const { same, sameCalls, divergences } = await replayTrace(await footnote.traces.get(answer.traceId));
    expect({ same, sameCalls, divergences }).toEqual({ same: true, sameCalls: true, divergences: [] });

    provider.pages.splice(0);
    expect(await footnote.ask({ question })).toMatchObject({ abstained: true, citations: [] });
  });
});

describe('a search of the web', () => {
  it('is not made where what is here answers', async () => {
    const { footnote, provider, site } = await begin();
    const answer = await footnote.ask({ question: 'At how many bar does the valve of basin four close?' });
    expect(answer.citations[0]).toMatchObject({ uri: 'valve.txt' });
    expect(provider.requests).toEqual([]);
    expect(site.asked).toEqual([]);
  });

  it('is made where nothing is here at all, for what is searched as for what is asked', async () => {
    const { footnote } = await begin({ documents: [] });
    const found = await footnote.search({ query: 'lighthouse of Cabo Frio metres tall', explain: true });
    const [first] = found.results;
    expect(first).toMatchObject({ source: 'web-search', sourceType: 'web', trust: 'unvetted', stores: ['web'] });
    expect(found.routing.kinds).toMatchObject([{ type: 'web', isOutside: true }]);
    expect(await footnote.documents.get(first?.documentId ?? '')).toMatchObject({ source: 'web-search' });
  });

  it('is made at once where the question needs the web', async () => {
    const { footnote, provider } = await begin({
      pages: { '/copper.html': 'The latest news on copper: the price of copper rose to 9,000 dollars today.' },
      documents: [
        { text: 'Copper is a metal. The price of copper was 5,000 dollars.', title: 'Copper', uri: 'copper.txt' },
      ],
    });
    const found = await footnote.search({ query: 'latest news on the price of copper', explain: true });
    expect(found.results[0]).toMatchObject({ trust: 'unvetted' });
    expect(found.routing.kinds?.find(({ isOutside }) => isOutside)).not.toHaveProperty('isLater');
    expect(provider.requests).toHaveLength(1);
  });

  it('keeps a page that changed as a new revision, under its own name', async () => {
    const { footnote, site } = await begin();
    const first = await footnote.ask({ question });
    site.answers.set('/cabo.html', {
      body: '<html><title>Cabo</title><body><p>The lighthouse of Cabo Frio is 62 metres tall, they say now.</p></body></html>',
    });
    const second = await footnote.ask({ question });
    expect(second.answer).toContain('62 metres');
    const [one, other] = [first.citations[0], second.citations[0]];
    expect(other?.documentId).toBe(one?.documentId);
    expect(await footnote.documents.get(other?.documentId ?? '')).toMatchObject({ revision: 2 });
    expect(await footnote.answers.verify(second)).toMatchObject({ ok: true });
    expect(await footnote.answers.verify(first)).toMatchObject({ ok: false });
    await footnote.sources.remove('web-search');
    await expect(footnote.documents.get(other?.documentId ?? '')).rejects.toMatchObject({ code: 'not-found' });
  });
});
