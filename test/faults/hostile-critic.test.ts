// The product as people run it, with every step that looks at a draft on and a critic of the gallery of hostile models: whatever it says, breaks or withholds,
// the question is answered with what the verifier let pass, inside the budget and the time.
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeProviderServer, startFakeOpenAI } from '../../src/testing/index.ts';
import { hostileNames, hostileReplies } from '../../testkit/models/hostile-gallery.ts';
import { openNotes } from '../../testkit/notes-system.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const documents = {
  'pier.md': '# The pier\n\nThe pier was repaired in 1951. A film was shown there.\n',
  'mill.md': '# The mill\n\nThe mill is 31 metres tall. It grinds rye.\n',
};

const open = (fake: FakeProviderServer) =>
  openNotes(fake, {
    documents,
    settings: {
      MODEL_CRITIC: 'compatible:gpt-5.2',
      MODEL_EMBED: 'none',
      ENABLE_CRITIC: 'true',
      ENABLE_ASSESSMENT: 'true',
      ENABLE_MULTI_AGENT: 'true',
      MULTI_AGENT_COMPLEXITY_THRESHOLD: '0.6',
      REQUEST_TIMEOUT_MS: '8000',
    },
    ends,
  });

const honest = JSON.stringify({
  coverage: 0.4,
  groundedness: 0.9,
  claims: [{ id: 1, verdict: 'revise', text: 'The pier was repaired in 1951.' }],
  queries: ['pier repaired film'],
  read: [1],
  reason: 'The film is missing.',
});

/** Each takes up to half of its request's time: a fifth of them in short. */
const names = Object.keys(hostileNames).filter(
  (_, at) => process.env['FOOTNOTE_TEST_LONG'] !== undefined || at % 5 === 0,
);

describe('a critic that is hostile', () => {
  it.each(names)('costs no answer and no truth, whatever it does: %s', async (name) => {
    const footnote = await open(await startFakeOpenAI(hostileReplies(name, { honest })));
    const answer = await footnote.ask({ question: 'When was the pier repaired, and how tall is the mill?' });
    expect(answer.answer).toContain('1951');
    expect(answer.answer).toContain('31 metres');
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
    expect(answer.usage.toolCalls).toBeLessThanOrEqual(8);
    // Two looks, each asked once to mend its form.
    const trace = await footnote.traces.get(answer.traceId);
    expect(trace.events.filter(({ event }) => event.type === 'critic').length).toBeLessThanOrEqual(2);
  });
});
