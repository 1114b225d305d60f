// Lists and pages of the web serve the same caller again, say how old they are, and no other caller. What is searched of them is not kept: other
// flags and filters give other passages of the same pages.
import { afterEach, expect, it } from 'vitest';
import { tenantScope } from '../../../src/core/scope.ts';
import { replayTrace } from '../../../src/footnote/replay/replay.ts';
import { openWebSystem, type WebSystem } from '../../../testkit/web/system.ts';

let system: WebSystem;
afterEach(() => system.close());

const question = 'How tall is the lighthouse of Cabo Frio?';

it('are kept for one caller, with their age, and replay', async () => {
  system = await openWebSystem({
    pages: { '/a.html': 'The lighthouse of Cabo Frio is 61 metres tall.' },
    environment: { WEB_SEARCH_TTL_SECONDS: '86400' },
  });
  const { footnote, provider, site, opened } = system;
  const first = await footnote.ask({ question });
  expect(first.routing).not.toHaveProperty('kept');
  const visits = site.asked.length;
  const second = await footnote.ask({ question });
  expect(second.answer).toBe(first.answer);
  expect(second.routing.kept).toEqual([{ type: 'web', ageSeconds: expect.any(Number) }]);
  expect(second.citations[0]?.retrievedAt).toBe(first.citations[0]?.retrievedAt);
  expect(provider.requests).toHaveLength(1);
  expect(site.asked).toHaveLength(visits);
  expect(await replayTrace(await footnote.traces.get(second.traceId))).toMatchObject({ same: true, sameCalls: true });

  const other = await opened.forScope(tenantScope('other', 'somebody')).ask({ question });
  expect(other.routing).not.toHaveProperty('kept');
  expect(provider.requests).toHaveLength(2);
});

it('are kept no longer than the source of such pages allows', async () => {
  system = await openWebSystem({
    pages: { '/a.html': 'The lighthouse of Cabo Frio is 61 metres tall.' },
    environment: { WEB_SEARCH_TTL_SECONDS: '86400' },
  });
  const { footnote, provider } = system;
  await footnote.ask({ question });
  // Another source of the web says nothing of what is searched there.
  await footnote.sources.put({ name: 'site', type: 'web', ttlSeconds: 0 });
  expect((await footnote.ask({ question })).routing.kept).toHaveLength(1);
  expect(provider.requests).toHaveLength(1);
  await footnote.sources.put({ name: 'web-search', type: 'web', ttlSeconds: 0 });
  expect((await footnote.ask({ question })).routing).not.toHaveProperty('kept');
  expect(provider.requests).toHaveLength(2);
});

it('tell their age for each part of a question', async () => {
  system = await openWebSystem({
    pages: {
      '/a.html': 'The lighthouse of Cabo Frio is 61 metres tall.',
      '/b.html': 'The tramway of Santos has 14 stations.',
    },
    words: { '/a.html': 'lighthouse', '/b.html': 'tramway' },
    environment: { WEB_SEARCH_TTL_SECONDS: '86400' },
  });
  const { footnote } = system;
  await footnote.ask({ question: 'How many stations does the tramway of Santos have?' });
  const both = await footnote.ask({
    question: `${question.slice(0, -1)}, and how many stations does the tramway of Santos have?`,
  });
  expect(both.parts).toHaveLength(2);
  expect(both.routing.kept).toEqual([{ type: 'web', ageSeconds: expect.any(Number) }]);
});
