// A question that asks several things, from the question to the checked answer: every part is answered or named, whatever becomes of the others.
import { describe, expect, it } from 'vitest';
import { createRulePlanner, type Planner } from '../../../src/agent/plan/planner.ts';
import { createSearchGatherer } from '../../../src/agent/turn/gatherer.ts';
import { runTurn } from '../../../src/agent/turn.ts';
import type { Composer } from '../../../src/answer/composer.ts';
import { passageComposer } from '../../../src/answer/passages/passage-composer.ts';
import { verifyAnswer } from '../../../src/answer/verify.ts';
import { createModelComposer } from '../../../src/answer/write/model-composer.ts';
import { type Answer, answerSchema } from '../../../src/core/answer.ts';
import { eraseFromAnswer } from '../../../src/core/answers/erased-answer.ts';
import type { RequestContext } from '../../../src/core/context.ts';
import { createDeadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import type { RetrievalRequest, Retriever } from '../../../src/retrieval/retrieve.ts';
import { answerOf } from '../../../src/testing/model-replies.ts';
import { requestContext, toolBudget } from '../../../testkit/request-context.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

const texts: Readonly<Record<string, string>> = {
  Reservoir:
    'The Harlow reservoir holds 40,000 cubic metres of water. The Harlow reservoir was completed in 1974 by the county.',
  Lighthouse: 'The Fenwick lighthouse is 43 metres tall. The Fenwick lighthouse was completed in 1911 by Ada Brook.',
  Inkwell:
    'Inkwell is a notebook, made by Norden Labs in Leith. Its first public version appeared on 2 September 2013. Inkwell has been certified since 2017.',
  Quill: 'Quill is a notebook. It was first released on 14 March 2016.',
  Norden: 'The cashier at Norden is Emily Roe. The total was $821 with taxes.',
  Total: 'The total of liabilities was $ 18,667 million. The total was $ 18,667 million.',
  Tribune: 'In July 2012 its makers said that no version of Tribune would be a priority for a release.',
  Release:
    'Product: Fjord 3; Release date: 2020-07-07; Platforms: Linux, Windows\nProduct: Lane 4; Release date: 2022-06-08; Platforms: Linux\n',
  Brook: 'Ada Brook was an engineer. Ada Brook was born in Leith in 1870.',
};

/** Finds the documents whose names stand in the query, else all. */
function retrieverOf(
  seen: RetrievalRequest[],
  fail: (query: string) => FootnoteError | undefined = () => undefined,
): Retriever {
  return {
    async retrieve(request) {
      seen.push(request);
      const error = fail(request.query);
      if (error) throw error;
      const words = request.query.toLowerCase();
      const titles = Object.keys(texts).filter((title) => words.includes(title.toLowerCase()));
      return {
        evidence: titles.map((title) => evidenceOf(title, texts[title] ?? '')),
        routing: { sources: [], reason: 'all' },
        degraded: [],
      };
    },
  };
}
const readSpan: Parameters<typeof runTurn>[1]['readSpan'] = async ({ documentId, chunkId, start, end }) => {
  const title = documentId.slice('doc_'.length);
  return {
    documentId,
    chunkId,
    start,
    end,
    quote: texts[title]?.slice(start, end) ?? '',
    title,
    uri: `${title}.md`,
    source: 's',
  };
};

interface Options {
  readonly planner?: Planner;
  readonly composer?: Composer;
  readonly fail?: (query: string) => FootnoteError | undefined;
  readonly context?: Partial<RequestContext>;
  readonly retriever?: Retriever;
}

async function ask(
  question: string,
  { planner = createRulePlanner({ threshold: 0.6, most: 8 }), composer, fail, context, retriever }: Options = {},
) {
  const events: FootnoteEvent[] = [];
  const seen: RetrievalRequest[] = [];
  const answer = await runTurn(
    { question, mode: 'embedded', degraded: [] },
    {
      gatherer: createSearchGatherer(retriever ?? retrieverOf(seen, fail)),
      readSpan,
      planner,
      contextTokens: 2000,
      spanUrl: (id, span) => `http://x/${id}?start=${span.start}&end=${span.end}`,
      composerFor: () => composer,
    },
    requestContext({ sink: (event) => events.push(event), ...context }),
  );
  answerSchema.parse(answer);
  const streamed = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
  expect(streamed).toBe(answer.answer);
  const checked = await verifyAnswer(answer, readSpan);
  expect(checked.reasons).toEqual([]);
  return { answer, events, seen };
}
const saidOf = (answer: Answer, part: number): string =>
  (answer.parts?.[part]?.claims ?? []).map((place) => answer.claims[place - 1]?.text).join(' ');

describe('a question of several parts', () => {
  it('is answered part by part, and says so in its events', async () => {
    const { answer, events } = await ask(
      'When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?',
    );
    expect(saidOf(answer, 0)).toContain('1974');
    expect(saidOf(answer, 1)).toContain('43 metres');
    expect(events.find(({ type }) => type === 'complexity')).toMatchObject({ needsDecomposition: true });
    expect(events.find(({ type }) => type === 'decomposition')).toMatchObject({
      subQueries: [{ id: '1', dependencies: [] }, { id: '2' }],
    });
    expect(events.filter(({ type }) => type === 'assessment')).toMatchObject([
      { verdict: 'answer' },
      { verdict: 'answer' },
    ]);
    expect(answer.timings['partsMs']).toBeGreaterThanOrEqual(0);
  });

  it('ends with the reason where no part was answered in time, and is no error', async () => {
    const deadline = createDeadline(1_500);
    const never: Retriever = {
      retrieve: () => new Promise(() => undefined),
    };
    const { answer } = await ask('When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?', {
      retriever: never,
      context: { deadline },
    });
    expect(answer).toMatchObject({ abstained: true, claims: [] });
    expect(answer.abstainReason).toContain('longer than a part of a question may');
    expect(answer.parts?.map(({ missing }) => missing)).toEqual([answer.abstainReason, answer.abstainReason]);
    expect(answer.degraded.filter(({ component }) => component === 'decomposition')).toHaveLength(2);
  });

  it('shows what is said of each of two things, and that only a model would tell which came first', async () => {
    const { answer, events } = await ask('Which was completed first, the Harlow reservoir or the Fenwick lighthouse?');
    expect([saidOf(answer, 0), saidOf(answer, 1)]).toEqual([
      expect.stringContaining('1974'),
      expect.stringContaining('1911'),
    ]);
    expect(answer.parts).toHaveLength(2);
    const undone = { component: 'decomposition', code: 'needs-model' };
    expect(answer.degraded).toMatchObject([undone]);
    expect(answer.degraded[0]?.detail).toContain('"Which was completed first');
    expect(events).toContainEqual({ type: 'degraded', degradation: expect.objectContaining(undone) });
    const { answer: beside } = await ask('Compare the Fenwick lighthouse and the Harlow reservoir in height');
    expect(beside.degraded).toEqual([]);
  });

  it('takes when a thing came about from what says so, not from another date of its life', async () => {
    const { answer } = await ask('Which came first, Inkwell or Quill?');
    expect(saidOf(answer, 0)).toContain('2013');
  });

  it('names the part that nothing answers, after it looked twice', async () => {
    const { answer, events } = await ask('When was the Harlow reservoir completed, and who founded the Quenby museum?');
    expect(saidOf(answer, 0)).toContain('1974');
    expect(answer.parts?.[1]).toMatchObject({ claims: [] });
    expect(answer.answer).toContain('Not answered by these documents: "Who founded the Quenby museum?"');
    expect(answer.abstained).toBe(false);
    const verdicts = events.flatMap((event) =>
      event.type === 'assessment' && event.part === '2' ? [event.verdict] : [],
    );
    expect(verdicts).toEqual(['fill-gap', 'unanswerable']);
  });

  it('fills a part from what an earlier one found', async () => {
    const { answer, seen } = await ask('Who completed the Fenwick lighthouse and where was she born?');
    expect(saidOf(answer, 1)).toContain('Leith');
    expect(seen.map(({ query }) => query)).toContain('Where was Ada Brook born?');
  });

  it('looks where the question before was answered for what names nothing', async () => {
    const { answer, seen } = await ask('Who is the cashier at Norden, and what was the total?');
    expect(saidOf(answer, 0)).toContain('Emily Roe');
    expect(saidOf(answer, 1)).toContain('$821');
    expect(saidOf(answer, 1).indexOf('$821')).toBeLessThan(`${saidOf(answer, 1)}18,667`.indexOf('18,667'));
    expect(seen.map(({ query }) => query)).toContain('What was the total (Norden)');
  });

  it('does not take from elsewhere what a pronoun asks of the thing before it', async () => {
    const { answer } = await ask('When was the Fenwick lighthouse completed, and under which license is it?');
    expect(answer.parts?.[1]?.missing).toBeDefined();
    expect(answer.answer).not.toContain('cashier');
  });

  it('shows under its part, as a passage, what speaks of the thing and says of nothing that it came about', async () => {
    const { answer } = await ask('Who made Inkwell, and when was Tribune first released?');
    expect(saidOf(answer, 0)).toContain('Norden');
    expect(answer.parts?.[1]?.claims[0]).toBe(2);
    expect(answer.claims[1]).toMatchObject({ form: 'paragraph', text: texts['Tribune'] });
  });

  it('says of a part that what is cited only comes closest, where nothing found is sure to answer it', async () => {
    const composer: Composer = {
      async compose(request, ports) {
        const composition = await passageComposer.compose(request, ports);
        return request.question.includes('Quill') ? { ...composition, isUnsure: true } : composition;
      },
    };
    const { answer, events } = await ask('Who made Inkwell, and when was Quill released?', { composer });
    expect(saidOf(answer, 0)).toContain('Norden');
    expect(answer.parts?.[0]).not.toHaveProperty('missing');
    expect(answer.parts?.[1]).toMatchObject({ missing: 'No passage found is sure to answer it.' });
    expect(saidOf(answer, 1)).toContain('2016');
    expect(answer.answer).toMatch(
      /Not said outright by these documents, what is cited only comes closest: "When was Quill released\?"\.$/u,
    );
    expect(events).toContainEqual(expect.objectContaining({ type: 'assessment', part: '2', verdict: 'caveat' }));
  });

  it('says the same of passages around which nothing speaks of whom the part names', async () => {
    const { answer } = await ask('Who made Inkwell, and when was the Vesper lighthouse completed?');
    expect(saidOf(answer, 1)).toContain('1911');
    expect(answer.parts?.[1]).toMatchObject({ missing: 'No passage found is sure to answer it.' });
  });

  it('answers the parts that a failure leaves, and discloses it', async () => {
    const down = new FootnoteError('upstream-unavailable', 'The store is down.');
    const { answer } = await ask('When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?', {
      fail: (query) => (query.includes('Fenwick') ? down : undefined),
    });
    expect(saidOf(answer, 0)).toContain('1974');
    expect(answer.parts?.[1]).toMatchObject({ claims: [], missing: 'The store is down.' });
    expect(answer.degraded).toMatchObject([{ component: 'decomposition', code: 'upstream-unavailable' }]);
  });

  it('fails where every part fails, and abstains where none finds anything', async () => {
    const down = new FootnoteError('upstream-unavailable', 'The store is down.');
    const question = 'When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?';
    await expect(ask(question, { fail: () => down })).rejects.toBe(down);
    const { answer } = await ask('Who founded the Quenby museum, and when was the Oddleby viaduct opened?');
    expect(answer).toMatchObject({ abstained: true, claims: [], parts: [{ claims: [] }, { claims: [] }] });
  });

  it('ends with what it has when its budget of searches is spent', async () => {
    const { answer } = await ask('When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?', {
      context: { budget: toolBudget({ tools: 1 }) },
    });
    expect(saidOf(answer, 0)).toContain('1974');
    expect(answer.parts?.[1]?.missing).toMatch(/search|tool/u);
    expect(answer.usage.toolCalls).toBe(1);
  });

  it('asks a model once for all parts, and completes what it leaves out', async () => {
    const sentence = 'The Fenwick lighthouse is 43 metres tall.';
    const model = createScriptedModel([
      {
        expect: /reservoir[\s\S]*lighthouse/iu,
        reply: ({ messages }) => {
          const shown = messages.map(({ content }) => content).join('\n');
          const passage = shown.indexOf('Fenwick lighthouse is') > shown.indexOf('Harlow reservoir holds') ? 2 : 1;
          return answerOf([{ text: sentence, quote: sentence, passage }]);
        },
      },
    ]);
    const { answer } = await ask('When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?', {
      composer: createModelComposer({ model }),
    });
    model.assertFinished();
    expect(saidOf(answer, 1)).toContain('43 metres');
    expect(saidOf(answer, 0)).toContain('1974');
  });

  it('does not take what a model says of one criterion for another, though both name the thing', async () => {
    const sentence = 'The Fenwick lighthouse is 43 metres tall.';
    const model = createScriptedModel([
      {
        reply: ({ messages }) => {
          const shown = messages.map(({ content }) => content).join('\n');
          const passage = shown.indexOf('Fenwick lighthouse is') > shown.indexOf('Harlow reservoir holds') ? 2 : 1;
          return answerOf([{ text: sentence, quote: sentence, passage }]);
        },
      },
    ]);
    const { answer } = await ask('Compare the Fenwick lighthouse and the Harlow reservoir in height and cost', {
      composer: createModelComposer({ model }),
    });
    expect(answer.parts?.find(({ question }) => /cost of the Fenwick/u.test(question))?.missing).toBeDefined();
    expect(answer.parts?.find(({ question }) => /height of the Fenwick/u.test(question))?.claims).toHaveLength(1);
  });

  it('is answered by its parts where a model writes nothing of use, and not by what comes closest to the whole', async () => {
    const model = createScriptedModel([{ reply: () => 'no JSON' }, { reply: () => 'no JSON' }]);
    const { answer } = await ask('Compare Inkwell and Quill in price, and say which came first.', {
      composer: createModelComposer({ model }),
    });
    expect(answer.closestPassages).toBeUndefined();
    expect(saidOf(answer, answer.parts?.findIndex(({ question }) => /Inkwell come/u.test(question)) ?? -1)).toContain(
      '2013',
    );
    expect(answer.degraded.map(({ component }) => component)).toContain('answer-model');
  });

  it('stays an answer that can be checked when a document of one part is erased', async () => {
    const { answer } = await ask('When was the Harlow reservoir completed, and how tall is the Fenwick lighthouse?');
    const left = eraseFromAnswer(answer, ({ documentId }) => documentId === 'doc_Lighthouse', '2026-01-01T00:00:00Z');
    expect(left?.parts?.[1]).toMatchObject({ claims: [], missing: 'The documents that answered it were deleted.' });
    expect(saidOf(left as Answer, 0)).toContain('1974');
    expect(left?.answer).not.toContain('43');
    expect((await verifyAnswer(left as Answer, readSpan)).reasons).toEqual([]);
  });
});
