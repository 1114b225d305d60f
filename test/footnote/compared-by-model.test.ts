// "Compare A and B in price and features, and say which was released first", with models that are scripted: a planner that takes the question apart and looks up
// through tools what the plain search leaves open, over a real folder, a real index and a provider's protocol. Each decision stands in the trace.
import { afterEach, describe, expect, it } from 'vitest';
import type { FootnoteEvent } from '../../src/core/events.ts';
import {
  answerOf,
  type FakeProviderServer,
  type FakeReply,
  type FakeRequest,
  startFakeOpenAI,
} from '../../src/testing/index.ts';
import { openNotes } from '../../testkit/notes-system.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const born = 'Heron was first released in March 2014.';
/** They speak of the same thing, and of its release, in fewer words than what answers the question. */
const talk = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [
    `talk-${at}.md`,
    `# Talk ${at}\n\nHeron was released, as the talks on Heron say.\n`,
  ]),
);
const documents = {
  'kestrel.md':
    '# Kestrel\n\nKestrel was first released in 2011.\n\n## Features\n\nKestrel keeps a history of every page.\n\n## Price\n\nThe price of Kestrel is 29 dollars a month.\n',
  'heron.md':
    '# Heron\n\nHeron is made in Leith.\n\n## Features\n\nHeron works without a network.\n\n## Price\n\nThe price of Heron is 35 dollars a month.\n',
  'chronicle.md': `# Chronicle of the house\n\nThe office moved twice, and its stairs were mended by hand. ${born} It was a cold spring, and the canteen served soup.\n`,
  ...talk,
};
const question = 'Compare Kestrel and Heron in price and features, and say which was released first.';

const tool = (id: string, name: string, given: object): FakeReply['toolCalls'] => [
  { id, name, arguments: JSON.stringify(given) },
];
const model = 'compatible:gpt-5.2';

/** What a planner does that plans well: from what it was called, it looks for its beginning; else it has enough. */
const lookUp = ({ prompt, body }: FakeRequest): string | FakeReply => {
  const isBegun = (body['messages'] as { role: string }[]).some(({ role }) => role === 'tool');
  const isOpen = /\| When (?:did|was) Heron/u.test(prompt) && !prompt.includes('March 2014');
  return isOpen && !isBegun
    ? { toolCalls: tool('t', 'search_embedded', { query: 'first released in the chronicle', limit: 3 }) ?? [] }
    : 'Enough.';
};

/** A plan such as a model writes it. */
const takenApart = JSON.stringify({
  complexity: 0.9,
  reason: 'two things under two criteria, and their order',
  subQueries: [
    ...['Kestrel', 'Heron'].flatMap((thing) => [
      { id: `${thing}-price`, query: `What is the price of ${thing}?`, dependencies: [], thing, criterion: 'price' },
      {
        id: `${thing}-features`,
        query: `What are the features of ${thing}?`,
        dependencies: [],
        thing,
        criterion: 'features',
      },
      { id: `${thing}-first`, query: `When was ${thing} released?`, dependencies: [], thing, criterion: null },
    ]),
  ],
});

const open = (fake: FakeProviderServer, settings: Readonly<Record<string, string>>) =>
  openNotes(fake, {
    documents,
    settings: {
      DEFAULT_MODE: 'embedded',
      ENABLE_ORCHESTRATOR: 'true',

      MODEL_PLANNER: model,
      ...settings,
    },
    ends,
  });

async function asked(fake: FakeProviderServer, settings: Readonly<Record<string, string>>) {
  const footnote = await open(fake, settings);
  const answer = await footnote.ask({ question });
  const trace = await footnote.traces.get(answer.traceId);
  const events: readonly FootnoteEvent[] = trace.events.map(({ event }) => event);
  const calls = events.flatMap((event) => (event.type === 'call' ? [`${event.call.port} ${event.call.method}`] : []));
  expect((await footnote.answers.verify(answer)).ok).toBe(true);
  return { answer, events, calls };
}

/** What a model writes that answers well: a claim for each fact, with its quote from the passage that shows it. */
const facts = [
  'The price of Kestrel is 29 dollars a month.',
  'The price of Heron is 35 dollars a month.',
  'Kestrel keeps a history of every page.',
  'Heron works without a network.',
  'Kestrel was first released in 2011.',
  born,
];
const writeDown = ({ prompt }: FakeRequest): string => {
  const passages = prompt.split(/<passage /u).slice(1);
  return answerOf(
    facts.flatMap((fact) => {
      const shown = passages.find((passage) => passage.includes(fact));
      const id = /id="?(\d+)/u.exec(shown ?? '')?.[1];
      return id === undefined ? [] : [{ text: fact, quote: fact, passage: Number(id) }];
    }),
  );
};

const partsOf = (events: readonly FootnoteEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'decomposition' ? event.subQueries.map(({ query }) => query) : []));
const verdictsOf = (events: readonly FootnoteEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'assessment' ? [event.verdict] : []));
const everything = ['29 dollars', '35 dollars', 'history of every page', 'without a network', '2011', 'March 2014'];

describe('a comparison with a planner that calls tools', () => {
  it('has a part that the plain search leaves open', async () => {
    const fake = await startFakeOpenAI([]);
    const { answer } = await asked(fake, { ENABLE_ORCHESTRATOR: 'false' });
    expect(answer.answer).not.toContain('2014');
    expect(answer.parts?.find(({ question: part }) => part === 'When was Heron released?')?.missing).toBeDefined();
  });

  it('fills that gap, answers each part with citations, and says that no model weighs them', async () => {
    const { answer, events, calls } = await asked(await startFakeOpenAI(lookUp), {});
    for (const said of everything) expect(answer.answer).toContain(said);
    expect(answer.degraded).toMatchObject([{ component: 'decomposition', code: 'needs-model' }]);
    expect(answer.parts?.filter(({ claims }) => claims.length === 0)).toEqual([]);
    // What was decided, and why, in its order: the parts, the gap, what was looked up for it, and what it came to.
    expect(partsOf(events)).toHaveLength(6);
    expect(verdictsOf(events)).toEqual(expect.arrayContaining(['fill-gap', 'answer']));
    expect(verdictsOf(events)).not.toContain('unanswerable');
    expect(calls.filter((call) => call === 'agent.planner plan-search@1').length).toBeGreaterThan(1);
    expect(calls.filter((call) => call === 'agent.tools search_embedded')).toHaveLength(1);
  });

  it('does the same where models take the question apart and write the answer', async () => {
    const fake = await startFakeOpenAI((request) => {
      if (request.prompt.includes('You take a question')) return takenApart;
      return request.prompt.includes('You decide what is looked up') ? lookUp(request) : writeDown(request);
    });
    const { answer, events, calls } = await asked(fake, { ENABLE_MODEL_DECOMPOSITION: 'true', MODEL_ANSWER: model });
    for (const said of everything) expect(answer.answer).toContain(said);
    expect(answer.parts?.filter(({ claims }) => claims.length === 0)).toEqual([]);
    expect(partsOf(events)).toEqual([
      ...['Kestrel', 'Heron'].flatMap((thing) => [
        `What is the price of ${thing}?`,
        `What are the features of ${thing}?`,
        `When was ${thing} released?`,
      ]),
    ]);
    const [complexity] = events.flatMap((event) => (event.type === 'complexity' ? [event] : []));
    expect(complexity).toMatchObject({ score: 0.9, needsDecomposition: true });
    expect(calls).toEqual(
      expect.arrayContaining([
        'agent.planner take-apart@2',
        'agent.planner plan-search@1',
        'agent.tools search_embedded',
      ]),
    );
    expect(answer.models?.map(({ role }) => role).sort()).toEqual(['answer', 'planner']);
    expect(answer.degraded).toEqual([]);
  });

  it('names what nothing tells, however well the planner looks', async () => {
    const fake = await startFakeOpenAI(lookUp);
    const footnote = await open(fake, {});
    const answer = await footnote.ask({ question: 'Compare Kestrel and Osprey in price, and say which came first.' });
    expect(answer.answer).toContain('29 dollars');
    expect(answer.answer).toContain('Not answered by these documents: "What is the price of Osprey?"');
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
  });
});
