// The client of Azure AI Foundry's evaluators against a stand-in that speaks the vendor's protocol and fails as services do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFoundryPanel, type FoundryOptions } from '../../../src/evals/foundry/foundry.ts';
import type { JudgedAnswer } from '../../../src/evals/judges/judged-answer.ts';
import { openEgress } from '../../../src/net/egress.ts';
import type { FaultKind, ServedFault } from '../../../testkit/faulty-server.ts';
import { type FoundrySimulator, openFoundrySimulator } from '../../../testkit/foundry/foundry-simulator.ts';
import { answerOf } from '../../../testkit/judged-answers.ts';

const key = 'foundry-key-0123456789';
let simulator: FoundrySimulator;
let closing: (() => void)[] = [];
/** Pauses that were asked for; none is waited for. */
let pauses: number[] = [];

beforeEach(async () => {
  pauses = [];
  simulator = await openFoundrySimulator({ key });
});
afterEach(async () => {
  for (const close of closing) close();
  closing = [];
  await simulator.close();
});

function panelOf(options: Partial<FoundryOptions> = {}) {
  const egress = openEgress({ addresses: [simulator.endpoint] });
  closing.push(egress.close);
  return createFoundryPanel({
    endpoint: simulator.endpoint,
    apiVersion: 'v1',
    deployment: 'gpt-5-mini',
    timeoutMs: 60_000,
    credential: async () => ({ 'api-key': key }),
    fetch: egress.fetch,
    masked: (text) => text.replaceAll(key, '[secret]'),
    timing: {
      random: () => 1,
      wait: async (ms) => pauses.push(ms),
    },
    ...options,
  });
}

const judgedOf = (at: number, expected?: JudgedAnswer['expected']): JudgedAnswer => ({
  question: `When was harbour ${at} opened?`,
  answer: answerOf([`Harbour ${at} was opened in 19${at + 10}.`]),
  context: [{ chunkId: `c${at}`, documentId: 'd', text: `Harbour ${at} was opened in 19${at + 10}. It is large.` }],
  ...(expected && { expected }),
});
const many = (count: number): JudgedAnswer[] => Array.from({ length: count }, (_, at) => judgedOf(at));

describe('rows and results', () => {
  it('sends what the evaluators read, and takes the five points for shares', async () => {
    simulator.knobs.score = (_item, evaluator) =>
      ({ groundedness: 5, relevance: 3, coherence: 2, retrieval: 1 })[evaluator] ?? 4;
    const [first, silent, expected] = await panelOf().judge([
      judgedOf(1),
      { ...judgedOf(2), answer: answerOf() },
      judgedOf(3, { answers: ['1913'] }),
    ]);
    expect(first?.failures).toEqual([]);
    expect(first?.judgements).toMatchObject({
      groundedness: { score: 1, passed: true, reason: 'It has 5.' },
      relevance: { score: 0.5, passed: true },
      coherence: { score: 0.25, passed: false },
      'context-precision': { score: 0, passed: false },
    });
    expect(first?.judgements.completeness).toBeUndefined();
    expect(silent).toEqual({ judgements: {}, failures: [] });
    expect(expected?.judgements.completeness).toMatchObject({ score: 0.75 });
    expect(simulator.runs).toEqual([
      [
        {
          row: '0',
          query: 'When was harbour 1 opened?',
          response: 'Harbour 1 was opened in 1911.',
          context: 'Harbour 1 was opened in 1911. It is large.',
        },
      ],
      [expect.objectContaining({ row: '0', ground_truth: '1913' })],
    ]);
  });

  it('finds the row of each result, whatever their order and however many pages', async () => {
    simulator.knobs.pageSize = 3;
    simulator.knobs.score = (item) => 1 + (Number(/\d+/u.exec(item['query'] ?? '')?.[0]) % 5);
    const panel = panelOf();
    for (const results of ['sound', 'no-echo'] as const) {
      simulator.knobs.results = results;
      const verdicts = await panel.judge(many(70));
      expect(verdicts.map(({ judgements }) => judgements.groundedness?.score)).toEqual(
        many(70).map((_, at) => (at % 5) / 4),
      );
    }
    // Fifty rows and twenty, twice; one definition for all.
    expect(simulator.runs.map(({ length }) => length)).toEqual([50, 20, 50, 20]);
    expect(simulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/evals'))).toHaveLength(
      1,
    );
  });

  it('speaks a dated version to a service that has it', async () => {
    await simulator.close();
    simulator = await openFoundrySimulator({ key, version: '2024-10-01-preview' });
    const [found] = await panelOf({ apiVersion: '2024-10-01-preview' }).judge([judgedOf(1)]);
    expect(found?.judgements.groundedness?.score).toBe(0.75);
    const [wrong] = await panelOf({ apiVersion: 'v1' }).judge([judgedOf(1)]);
    expect(wrong?.failures[0]).toMatchObject({
      code: 'config-invalid',
      detail: expect.stringContaining('AZURE_FOUNDRY_API_VERSION'),
    });
  });

  it.each([
    ['out-of-scale', 'no score from 1 to 5'],
    ['no-score', 'no score from 1 to 5'],
    ['text-score', 'no score from 1 to 5'],
    ['other-names', 'no score from 1 to 5'],
  ] as const)('takes a result that is %s for a failure', async (results, said) => {
    simulator.knobs.results = results;
    const [found] = await panelOf().judge([judgedOf(1)]);
    expect(found?.judgements).toEqual({});
    expect(found?.failures).toMatchObject([{ code: 'upstream-invalid', detail: expect.stringContaining(said) }]);
  });

  it('has a failure for a row that is lost or told twice, and scores for the others', async () => {
    for (const results of ['lost', 'twice'] as const) {
      simulator.knobs.results = results;
      const verdicts = await panelOf().judge(many(3));
      const failed = verdicts.filter(({ failures }) => failures.length > 0);
      expect(failed).toHaveLength(1);
      expect(verdicts.filter(({ judgements }) => judgements.groundedness)).toHaveLength(2);
    }
  });

  it('keeps the key out of what it passes on', async () => {
    simulator.knobs.results = 'echoes-key';
    const verdicts = await panelOf().judge([judgedOf(1)]);
    expect(JSON.stringify(verdicts)).toContain('key [secret]');
    expect(JSON.stringify(verdicts)).not.toContain(key);
  });
});

describe('failures', () => {
  it('waits as long as it is told to, and longer each time, and then goes on', async () => {
    let refused = 0;
    simulator.fault = ({ method }) => (method === 'POST' && refused++ < 2 ? 'status-429-told' : undefined);
    const [found] = await panelOf().judge([judgedOf(1)]);
    expect(found?.judgements.groundedness).toBeDefined();
    expect(pauses.slice(0, 2)).toEqual([7000, 7000]);
    refused = 0;
    pauses = [];
    simulator.fault = ({ method, path }) =>
      method === 'GET' && path.includes('output') && refused++ < 4 ? 'status-500' : undefined;
    expect((await panelOf().judge([judgedOf(1)]))[0]?.failures).toEqual([]);
    const backoff = pauses.filter((ms) => ![1000, 1500, 2250].includes(ms));
    expect(backoff).toEqual([1000, 2000, 4000, 8000].filter((ms) => ms !== 1000));
  });

  it('gives up after a few attempts, and says so of every answer', async () => {
    simulator.fault = () => 'status-429';
    const verdicts = await panelOf().judge(many(3));
    expect(verdicts).toHaveLength(3);
    for (const { judgements, failures } of verdicts) {
      expect(judgements).toEqual({});
      expect(failures).toMatchObject([{ code: 'rate-limited' }]);
    }
    expect(simulator.requests.length).toBeLessThanOrEqual(6);
  });

  it.each([
    'reset',
    'status-400',
    'status-401',
    'status-403',
    'status-404',
    'status-413',
    'status-500',
    'status-504',
    'redirect',
    'lost-reply',
    'truncated',
    'garbage',
    'html',
    'wrong-shape',
    'empty',
  ] satisfies FaultKind[])('tells of %s at every call, without a word of the service', async (kind) => {
    const creation = ({ method, path }: { method: string; path: string }): boolean =>
      method === 'POST' && path.endsWith('/evals');
    for (const where of [
      creation,
      ({ path }: { path: string }) => path.endsWith('/runs'),
      ({ path }: { path: string }) => path.includes('output_items'),
    ]) {
      simulator.fault = (request): ServedFault | undefined => (where(request) ? kind : undefined);
      const [found] = await panelOf().judge([judgedOf(1)]);
      expect(found?.judgements).toEqual({});
      expect(found?.failures).toHaveLength(1);
      expect(JSON.stringify(found)).not.toContain('SECRET');
    }
  });

  it('never creates a run twice where the first may have been created', async () => {
    simulator.fault = ({ path }) => (path.endsWith('/runs') ? 'lost-reply' : undefined);
    await panelOf().judge([judgedOf(1)]);
    expect(simulator.runs).toHaveLength(1);
  });

  it('creates an evaluation anew that somebody deleted', async () => {
    const panel = panelOf();
    await panel.judge([judgedOf(1)]);
    simulator.knobs.forgets = true;
    const [found] = await panel.judge([judgedOf(2)]);
    expect(found?.judgements.groundedness).toBeDefined();
  });

  it.each(['failed', 'canceled'] as const)('tells of a run that ended as %s', async (outcome) => {
    simulator.knobs.outcome = outcome;
    const [found] = await panelOf().judge([judgedOf(1)]);
    expect(found?.failures).toMatchObject([{ code: 'upstream-unavailable', detail: expect.stringContaining(outcome) }]);
  });

  it('ends a run that never ends with its time, and cancels it there', async () => {
    simulator.knobs.outcome = 'stuck';
    const [found] = await panelOf({ timeoutMs: 300 }).judge([judgedOf(1)]);
    expect(found?.failures).toMatchObject([{ code: 'deadline-exceeded' }]);
    expect(simulator.cancelled).toEqual(['evalrun_1']);
  });

  it('ends at once where nobody wants it any more', async () => {
    simulator.knobs.outcome = 'stuck';
    const leaving = new AbortController();
    simulator.fault = ({ method, path }) => {
      if (method === 'GET' && path.includes('/runs/')) leaving.abort();
      return undefined;
    };
    await expect(panelOf().judge([judgedOf(1)], leaving.signal)).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => simulator.cancelled).toEqual(['evalrun_1']);
  });
});
