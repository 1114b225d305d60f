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
