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
  critic: { r: null },
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
  const traces = Array.from({ length: 10 }, (_, at) =>
    traceOf(search(['a', 'b', 'c'].slice(0, at < 5 ? 3 : 1), 100 * at), memory(1), recalled, {
      type: 'done',
      answer: at < 5 ? citing('a', 'b') : helped,
    }),
  );
  const goals = byName({
    traces,
    citations: { checked: 50, sound: 47 },
    replays: { tried: 10, same: 10 },
    critic: { r: 0.8 },
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
  expect(told('critic and independent judge')).toMatchObject({ value: 0.8, met: true });
  expect(told('traces that replay to the same answer')).toMatchObject({ value: 1, met: true });
  for (const name of ['gain of reranking web results, top 3', 'context that workers save'])
    expect(told(name)).not.toHaveProperty('value');
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
