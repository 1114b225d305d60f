import { expect, it } from 'vitest';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import type { SavedTrace } from '../../../src/core/trace-file.ts';
import { type GoalFacts, goalsOf } from '../../../src/evals/goals/goals.ts';
import { answerOf } from '../../../testkit/judged-answers.ts';

const traceOf = (...events: FootnoteEvent[]): SavedTrace => ({
  trace: { id: 't', kind: 'ask', startedAt: '', totalMs: 1, eventCount: events.length },
  events: events.map((event, at) => ({ seq: at + 1, atMs: at, event })),
});
const citing = (...sources: string[]) => {
  const made = answerOf(['It is so.', ...sources.map(() => 'It is so.')]);
  return { ...made, citations: made.citations.map((one, at) => ({ ...one, source: sources[at] ?? '' })) };
};
const search = (sources: string[], latencyMs: number): FootnoteEvent => ({
  type: 'retrieval',
  mode: 'hybrid',
  resultCount: 1,
  latencyMs,
  sources,
});
const nothing: GoalFacts = {
  traces: [],
  citations: { checked: 0, sound: 0 },
  replays: { tried: 0, same: 0 },
};
const byName = (facts: GoalFacts) => new Map(goalsOf(facts).map((goal) => [goal.name, goal]));

it('makes up no figure: without a record every goal says why it has none', () => {
  const goals = goalsOf(nothing);
  expect(goals).toHaveLength(12);
  for (const goal of goals) {
    expect(goal).not.toHaveProperty('value');
    expect(goal).not.toHaveProperty('met');
    expect(goal.reason).toMatch(/\.$/u);
  }
});

it('measures what traces, replays and the critic tell', () => {
  const memory = (recalled: number): FootnoteEvent => ({ type: 'semantic_memory', recalled, memories: [] });
  const recalled: FootnoteEvent = {
    type: 'call',
    call: { port: 'memories', method: 'recall', request: {}, latencyMs: 120 },
  };
  const remembered = citing('memory');
  const helped = { ...remembered, citations: remembered.citations.map((one) => ({ ...one, memoryId: 'm' })) };
  const critic = (groundedness: number): FootnoteEvent => ({
    type: 'critic',
    round: 1,
    verdict: 'release',
    coverage: 1,
    groundedness,
    reason: '',
    removed: 0,
    revised: 0,
    queries: [],
  });
  const judged = (groundedness: number): FootnoteEvent => ({ type: 'evals', groundedness, by: 'rules', at: '' });
  const traces = Array.from({ length: 10 }, (_, at) =>
    traceOf(
      critic(0),
      critic(at / 10),
      judged(at / 20),
      search(['a', 'b', 'c'].slice(0, at < 5 ? 3 : 1), 100 * at),
      memory(1),
      recalled,
      {
        type: 'done',
        answer: at < 5 ? citing('a', 'b') : helped,
      },
    ),
  );
  const goals = byName({
    traces,
    citations: { checked: 50, sound: 47 },
    replays: { tried: 10, same: 10 },
    decomposed: {
      changed: [1, 1, 1, 1, -1].map((balance, at) => ({ id: String(at), question: '', changes: {}, balance })),
    },
  });
  const told = (name: string) => goals.get(name);
  expect(told('sources per query')).toMatchObject({ value: 2, met: true, of: 10 });
  expect(told('answers that cite several sources')).toMatchObject({ value: 0.5, met: true });
  expect(told('citations that hold')).toMatchObject({ value: 0.94, met: false });
  expect(told('searches of several sources, p95')).toMatchObject({ value: 400, met: true, of: 5 });
  expect(told('recall of memories, p95')).toMatchObject({ value: 120, met: false });
  expect(told('questions that memories help')).toMatchObject({ value: 0.5, met: true });
  expect(told('questions taken apart that are answered better')).toMatchObject({ value: 0.8, met: true, of: 5 });
  const agreement = told('critic and independent judge');
  expect(agreement).toMatchObject({ met: true, of: 10 });
  expect(agreement?.value).toBeCloseTo(1);
  expect(told('traces that replay to the same answer')).toMatchObject({ value: 1, met: true });
});

it('tells no agreement where critic or judge says the same of all', () => {
  const alike = traceOf(
    {
      type: 'critic',
      round: 1,
      verdict: 'release',
      coverage: 1,
      groundedness: 1,
      reason: '',
      removed: 0,
      revised: 0,
      queries: [],
    },
    { type: 'evals', groundedness: 0.9, by: 'rules', at: '' },
  );
  const told = byName({ ...nothing, traces: Array.from({ length: 6 }, () => alike) }).get(
    'critic and independent judge',
  );
  expect(told).toMatchObject({ of: 6, reason: expect.stringMatching(/says the same of all/u) });
  expect(told).not.toHaveProperty('value');
});

it('holds the order of web passages against what answers cite', () => {
  const made = answerOf(['It is so.', 'It is so.']);
  const answering = (before: readonly string[], after: readonly string[]): SavedTrace =>
    traceOf(
      { type: 'reranking', inputCount: 9, outputCount: 9, method: 'web-ranks', first: { before, after } },
      {
        type: 'done',
        answer: { ...made, citations: made.citations.map((one, at) => ({ ...one, chunkId: `c${at}` })) },
      },
    );
  const goal = 'gain of reranking web results, top 3';
  // Cited is c0 alone: twice it came among the first three, once it went from them.
  const traces = [
    ...Array.from({ length: 4 }, () => answering(['c9', 'c0'], ['c0', 'c9'])),
    answering(['c8'], ['c9', 'c0']),
    answering(['c8'], ['c0']),
    answering(['c8', 'c0'], ['c8', 'c9']),
    // Says nothing: neither way has what is cited.
    answering(['c8'], ['c9']),
  ];
  expect(byName({ ...nothing, traces }).get(goal)).toMatchObject({ of: 7, met: true });
  expect(byName({ ...nothing, traces }).get(goal)?.value).toBeCloseTo(0.2);
  const worse = [...traces, answering(['c0'], ['c9'])];
  expect(byName({ ...nothing, traces: worse }).get(goal)).toMatchObject({ value: 0, met: false });
});

it('holds the largest context of a team against all that its workers gathered', () => {
  const worked = (...read: readonly [kind: string, tokensUsed: number][]): SavedTrace =>
    traceOf(
      ...read.flatMap(([kind, tokensUsed], at): FootnoteEvent[] => [
        { type: 'worker_start', taskId: `t${at}`, agent: kind, kind },
        { type: 'worker_complete', taskId: `t${at}`, agent: kind, tokensUsed },
      ]),
    );
  const goal = 'context that workers save';
  const team = worked(['retrieve', 1000], ['retrieve', 900], ['web', 600], ['synthesize', 1200], ['check', 200]);
  const alone = worked(['retrieve', 500], ['synthesize', 800]);
  const five = [team, team, team, team, alone];
  // Of 10,500 that were gathered no context held more than 1,200, and once all of 500.
  expect(byName({ ...nothing, traces: five }).get(goal)).toMatchObject({ of: 5, met: true });
  expect(byName({ ...nothing, traces: five }).get(goal)?.value).toBeCloseTo(1 - 5300 / 10_500);
  expect(byName({ ...nothing, traces: Array.from({ length: 5 }, () => alone) }).get(goal)).toMatchObject({
    value: 0,
    met: false,
  });
});

it('counts what sessions take on disk, those of several turns once', () => {
  const sized = (id: string, sessionId: string | undefined, bytes: number): SavedTrace => ({
    trace: { ...traceOf().trace, id, bytes, ...(sessionId !== undefined && { sessionId }) },
    events: [],
  });
  const asks = Array.from({ length: 5 }, (_, at) => sized(`t${at}`, undefined, 4000));
  const turns = Array.from({ length: 5 }, (_, at) => sized(`s${at}`, 's', 8000));
  const goal = 'traces of 10,000 sessions on disk';
  // 60 kB in six sessions.
  expect(byName({ ...nothing, traces: [...asks, ...turns] }).get(goal)).toMatchObject({ value: 100, of: 6, met: true });
  expect(byName({ ...nothing, traces: [...asks, ...turns, ...turns] }).get(goal)).toMatchObject({ met: false });
});
