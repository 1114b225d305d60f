// A team of workers: each in its own context, beside each other where nothing forbids it, and no worse for the others where one fails.
import { describe, expect, it } from 'vitest';
import { createRulePlanner } from '../../../src/agent/plan/planner.ts';
import type { FurtherSearch } from '../../../src/agent/tools/palette.ts';
import { createSearchGatherer } from '../../../src/agent/turn/gatherer.ts';
import { createCrew } from '../../../src/agent/workers/crew.ts';
import { createTeam, type TeamOptions } from '../../../src/agent/workers/team.ts';
import { workers } from '../../../src/agent/workers/worker.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import { requestContext } from '../../../testkit/request-context.ts';
import { askLibrary, eventsOf, evidenceOf, type Library, openLibrary } from '../../../testkit/turn-library.ts';

const texts = {
  Reservoir: 'The Harlow reservoir was completed in 1974 by the county. It holds 40,000 cubic metres of water.',
  Lighthouse: 'The Fenwick lighthouse is 43 metres tall. The Fenwick lighthouse was completed in 1911.',
  Portal: 'The Harlow reservoir was closed in 2003. Visitors came until then.',
};
const local = (title: string, query: string): boolean => title !== 'Portal' && query.includes(title.toLowerCase());
const question = 'When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?';
const planner = createRulePlanner({ threshold: 0.6, most: 8 });

const webOf = (search: FurtherSearch['search']): FurtherSearch => ({
  name: 'search_web',
  description: 'The web',
  search,
});
const routing = { sources: [], reason: 'web' };
const portal = webOf(async (query) => ({
  evidence: query.includes('closed') ? [evidenceOf('Portal', texts.Portal)] : [],
  routing,
  degraded: [],
  toolCalls: 1,
}));

const judgeThat = (believes: (text: string) => boolean): NonNullable<TeamOptions['judge']> => ({
  judge: async (claims) => ({
    verdicts: claims.map(({ text }) => ({
      verdict: believes(text) ? ('supported' as const) : ('unsupported' as const),
      reason: 'so',
    })),
    model: 'scripted:judge',
    spent: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
  }),
});
const believing = judgeThat(() => true);

function portsOf(library: Library, options: Partial<TeamOptions> = {}) {
  const retrieving = createSearchGatherer(library.retriever);
  return { planner, team: { from: 0.6, open: () => createTeam({ retrieving, mostAtOnce: 5, ...options }) } };
}
const agentsOf = (events: readonly FootnoteEvent[], type: 'worker_start' | 'worker_complete' | 'worker_error') =>
  eventsOf(events, type).map(({ agent }) => agent);

describe('a team of workers', () => {
  it('retrieves and searches the web for each part, synthesizes, and checks', async () => {
    const library = openLibrary(texts, { finds: local });
    const asked = 'When was the Harlow reservoir completed, and when was the Harlow reservoir closed?';
    const { answer, events } = await askLibrary(asked, library, {
      ports: portsOf(library, { web: [portal], judge: believing }),
    });
    expect(answer.answer).toContain('1974');
    expect(answer.answer).toContain('2003');
    expect(answer.citations.map(({ title }) => title)).toContain('Portal');
    const started = agentsOf(events, 'worker_start');
    expect(new Set(started)).toEqual(
      new Set(['retrieval-specialist', 'web-researcher', 'synthesizer', 'fact-checker']),
    );
    expect(started.at(-1)).toBe('fact-checker');
    const taskIds = eventsOf(events, 'worker_start').map(({ taskId }) => taskId);
    expect(new Set(taskIds).size).toBe(taskIds.length);
    expect(
      eventsOf(events, 'worker_complete')
        .map(({ taskId }) => taskId)
        .toSorted(),
    ).toEqual(taskIds.toSorted());
  });

  it('is not called for a question that is not complex enough', async () => {
    const library = openLibrary(texts, { finds: local });
    const { events } = await askLibrary('When was the Harlow reservoir completed?', library, {
      ports: portsOf(library),
    });
    expect(agentsOf(events, 'worker_start')).toEqual([]);
  });

  it('answers what the others support when one fails, and discloses it', async () => {
    const library = openLibrary(texts, { finds: local });
    const broken = webOf(() => Promise.reject(new FootnoteError('upstream-unavailable', 'The web is down.')));
    const { answer, events } = await askLibrary(question, library, { ports: portsOf(library, { web: [broken] }) });
    expect(answer.answer).toContain('1974');
    expect(answer.answer).toContain('43 metres');
    expect(answer.degraded).toContainEqual(
      expect.objectContaining({ component: 'worker', code: 'upstream-unavailable' }),
    );
    expect(eventsOf(events, 'worker_error')).toContainEqual(
      expect.objectContaining({ agent: 'web-researcher', error: 'upstream-unavailable' }),
    );
  });

  it('answers from the web alone when the stores are down', async () => {
    const library = openLibrary(texts, { fail: () => new FootnoteError('upstream-unavailable', 'The store is down.') });
    const asked = 'When was the Harlow reservoir closed, and how tall is the closed Fenwick lighthouse?';
    const { answer } = await askLibrary(asked, library, { ports: portsOf(library, { web: [portal] }) });
    expect(answer.answer).toContain('2003');
  });

  it('drops what its fact checker refuses, and names the part', async () => {
    const library = openLibrary(texts, { finds: local });
    const judge = judgeThat((text) => !text.includes('Fenwick'));
    const { answer } = await askLibrary(question, library, { ports: portsOf(library, { judge }) });
    expect(answer.answer).toContain('1974');
    expect(answer.claims.map(({ text }) => text).join()).not.toContain('Fenwick');
    expect(answer.parts?.[1]?.claims).toEqual([]);
  });

  it('keeps every context under its limit on inputs ten times as long', async () => {
    const filler = Array.from(
      { length: 60 },
      (_, at) => `The ${at}th reservoir lighthouse note speaks of water, height and the year ${1900 + at}.`,
    ).join(' ');
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`Note ${at}`, `${texts.Reservoir} ${texts.Lighthouse} ${filler}`]),
    );
    const library = openLibrary(many, { finds: () => true });
    const web = webOf(async () => ({
      evidence: Object.entries(many).map(([title, text]) => evidenceOf(title, text)),
      routing,
      degraded: [],
      toolCalls: 1,
    }));
    const { answer, events } = await askLibrary(question, library, { ports: portsOf(library, { web: [web] }) });
    expect(answer.abstained).toBe(false);
    const used = eventsOf(events, 'worker_complete');
    expect(used.length).toBeGreaterThan(4);
    for (const { agent, tokensUsed } of used) {
      const { contextTokens } = Object.values(workers).find((one) => one.agent === agent) ?? { contextTokens: 0 };
      expect(tokensUsed).toBeLessThanOrEqual(contextTokens);
      expect(tokensUsed).toBeGreaterThan(0);
    }
  });
});

describe('a crew', () => {
  const retrieving = workers.retrieve;

  it('has so many workers at work, and never more', async () => {
    const crew = createCrew(5);
    let [running, most] = [0, 0];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { result: 1, tokensUsed: 1 };
    };
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => crew.run(retrieving, work, requestContext())));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(most).toBe(5);
  });

  it('goes on without one that never ends, and tells it as a time-out', async () => {
    const events: FootnoteEvent[] = [];
    const context = requestContext({ sink: (event) => events.push(event) });
    const crew = createCrew(1);
    const hung = crew.run({ ...retrieving, timeoutMs: 10 }, () => new Promise<never>(() => undefined), context);
    const next = crew.run(retrieving, async () => ({ result: 'done', tokensUsed: 3 }), context);
    expect(await hung).toMatchObject({ ok: false, error: { code: 'deadline-exceeded' } });
    expect(await next).toEqual({ ok: true, result: 'done' });
    expect(eventsOf(events, 'worker_error')).toMatchObject([{ taskId: 'retrieve-1', error: 'deadline-exceeded' }]);
  });
});
