// The product as people run it, with a planner of the gallery of hostile models: whatever it says, breaks or withholds, the question is answered from
// what a plain search found, inside the budget and the time.
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeProviderServer, startFakeOpenAI } from '../../src/testing/index.ts';
import { hostileNames, hostileReplies } from '../../testkit/models/hostile-gallery.ts';
import { openNotes } from '../../testkit/notes-system.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const documents = {
  'film.md': '# Harbour Lights\n\nHarbour Lights is a film of 1931. It was directed by Ada Brook.\n',
  'brook.md':
    '# Ada Brook\n\nAda Brook was an engineer who made films. She grew up in Leith, where she was born in 1870.\n',
  'pier.md': '# The pier\n\nThe pier was repaired in 1951. A film was shown there.\n',
};

const open = (fake: FakeProviderServer, settings: Readonly<Record<string, string>>) =>
  openNotes(fake, {
    documents,
    settings: { ENABLE_ORCHESTRATOR: 'true', DEFAULT_MODE: 'embedded', ...settings },
    ends,
  });
describe('a planner that is hostile', () => {
  it.each(Object.keys(hostileNames))('holds against a planner that does this: %s', async (name) => {
    const fake = await startFakeOpenAI(hostileReplies(name, { honest: '{"claims":[],"insufficient":true}' }));
    const footnote = await open(fake, { MODEL_PLANNER: 'compatible:gpt-5.2', REQUEST_TIMEOUT_MS: '20000' });
    const answer = await footnote.ask({ question: 'When was the pier repaired?' });
    expect(answer.claims[0]?.text).toContain('1951');
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
    expect(answer.usage.toolCalls).toBeLessThanOrEqual(9);
  });
});
