// A sample of the answers of an opened Footnote is judged behind the replies; what judges said stands with the trace and goes with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { openFoundrySimulator } from '../../testkit/foundry/foundry-simulator.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder = '';
let opened: OpenedFootnote;
let footnote: Footnote;

async function open(environment: Record<string, string>): Promise<void> {
  const config = loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...environment } });
  opened = await openFootnote(config, { withTelemetry: true });
  footnote = opened.forScope(localScope());
  await footnote.documents.add({ text: '# Leave\n\nNew employees receive 25 days of annual leave.', title: 'Leave' });
}
const question = 'How many days of annual leave do new employees receive?';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-online-'));
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

it('judges answers and messages, tells the trace, and forgets with the session', async () => {
  await open({ ENABLE_ONLINE_EVALS: 'true', EVAL_SAMPLE_RATE: '1' });
  const answer = await footnote.ask({ question });
  const message = await footnote.sessions.send('ses_1', { content: question });
  await footnote.ask({ question: 'Hello!' });
  await footnote.ask({ question: 'What does the moon weigh?' });
  await opened.settleEvals();

  const { stats, recent, worst, days } = await footnote.evals.report();
  expect(stats.avgRelevance).toBeGreaterThan(0.7);
  expect(stats).toMatchObject({
    totalEvaluations: 2,
    avgGroundedness: 1,
    avgRetrievalPrecision: 1,
    lowGroundednessCount: 0,
    criticCorrelation: null,
    errors: 0,
  });
  expect(recent.map(({ traceId }) => traceId).sort()).toEqual([answer.traceId, message.traceId].sort());
  expect(recent.find(({ sessionId }) => sessionId === 'ses_1')).toMatchObject({ groundedness: 1, judge: 'rules' });
  expect(worst).toHaveLength(2);
  expect(days).toMatchObject([{ evaluations: 2 }]);

  const { events } = await footnote.traces.get(answer.traceId);
  expect(events.at(-1)).toMatchObject({
    event: { type: 'evals', groundedness: 1, retrieval: 1, by: 'rules' },
  });
  const exported = await footnote.traces.export('ses_1');
  expect(exported.traces[0]?.events.at(-1)?.event.type).toBe('evals');
  expect(await footnote.traces.replay(answer.traceId)).toMatchObject({ same: true, sameCalls: true });
  expect(await opened.telemetry?.text()).toMatch(/footnote_eval_duration_count\{judge="rules"\} 2/u);

  await footnote.sessions.delete('ses_1');
  expect((await footnote.evals.report()).stats.totalEvaluations).toBe(1);
});

it('tells how sure the plan of a question was that could ask several things', async () => {
  await open({ ENABLE_ONLINE_EVALS: 'true', EVAL_SAMPLE_RATE: '1' });
  await footnote.ask({ question });
  await footnote.ask({ question: 'How many days of annual leave do new employees receive, and who receives them?' });
  await opened.settleEvals();
  const { recent } = await footnote.evals.report();
  const sure = recent.flatMap(({ planConfidence }) => planConfidence ?? []);
  expect([recent.length, sure.length]).toEqual([2, 1]);
  expect(sure[0]).toBeGreaterThan(0.5);
  expect(sure[0]).toBeLessThanOrEqual(1);
});

it('judges nothing unless it is told to', async () => {
  await open({ EVAL_SAMPLE_RATE: '1' });
  await footnote.ask({ question });
  await opened.settleEvals();
  expect((await footnote.evals.report()).stats).toMatchObject({ totalEvaluations: 0, avgGroundedness: null });
});

it('has an answer given before anything of it is judged', async () => {
  await open({ ENABLE_ONLINE_EVALS: 'true', EVAL_SAMPLE_RATE: '1' });
  await footnote.ask({ question });
  expect((await footnote.evals.report()).stats.totalEvaluations).toBe(0);
  await opened.settleEvals();
  expect((await footnote.evals.report()).stats.totalEvaluations).toBe(1);
});

it('has Azure AI Foundry judge, too, beside the rules, and keeps its failures', { timeout: 60_000 }, async () => {
  const simulator = await openFoundrySimulator();
  simulator.knobs.score = (_item, evaluator) => (evaluator === 'groundedness' ? 5 : 3);
  simulator.knobs.polls = 0;
  try {
    await open({
      ENABLE_ONLINE_EVALS: 'true',
      EVAL_SAMPLE_RATE: '1',
      ENABLE_FOUNDRY_EVALS: 'true',
      FOUNDRY_EVAL_SAMPLE_RATE: '1',
      AZURE_FOUNDRY_EVALS_ENDPOINT: simulator.endpoint,
      AZURE_FOUNDRY_EVALS_API_KEY: 'foundry-key-0123456789',
      AZURE_FOUNDRY_API_VERSION: 'v1',
    });
    const answer = await footnote.ask({ question });
    await opened.settleEvals();
    const { stats, recent, judges } = await footnote.evals.report();
    expect(stats).toMatchObject({ totalEvaluations: 2, errors: 0 });
    expect(recent.find(({ judge }) => judge === 'azure-ai-foundry')).toMatchObject({
      groundedness: 1,
      relevance: 0.5,
      retrievalPrecision: 0.5,
      coherence: 0.5,
      citationPrecision: null,
    });
    expect(judges?.map(({ judge, evaluations }) => [judge, evaluations])).toEqual([
      ['azure-ai-foundry', 1],
      ['rules', 1],
    ]);
    const { events } = await footnote.traces.get(answer.traceId);
    const said = events.flatMap(({ event }) => (event.type === 'evals' ? [event.by] : []));
    expect(said.sort()).toEqual(['azure-ai-foundry', 'rules']);
    expect(simulator.runs[0]?.[0]?.['context']).toContain('25 days of annual leave');

    simulator.fault = () => 'status-401';
    const second = await footnote.ask({ question });
    await opened.settleEvals();
    const report = await footnote.evals.report();
    expect(report.stats).toMatchObject({ totalEvaluations: 4, errors: 1 });
    expect(report.recent.find((one) => one.traceId === second.traceId && one.error !== undefined)).toMatchObject({
      judge: 'azure-ai-foundry',
      groundedness: null,
      error: 'config-invalid',
    });
  } finally {
    await simulator.close();
  }
});

it('answers while Azure AI Foundry says nothing, and closes at once', { timeout: 60_000 }, async () => {
  const simulator = await openFoundrySimulator();
  simulator.fault = () => 'silent';
  try {
    await open({
      ENABLE_ONLINE_EVALS: 'true',
      EVAL_SAMPLE_RATE: '1',
      ENABLE_FOUNDRY_EVALS: 'true',
      FOUNDRY_EVAL_SAMPLE_RATE: '1',
      AZURE_FOUNDRY_EVALS_ENDPOINT: simulator.endpoint,
      AZURE_FOUNDRY_EVALS_API_KEY: 'foundry-key-0123456789',
    });
    for (let count = 0; count < 5; count++) expect((await footnote.ask({ question })).abstained).toBe(false);
    // The rules do not wait for it either.
    await expect.poll(async () => (await footnote.evals.report()).stats.totalEvaluations, { timeout: 60_000 }).toBe(5);
    expect(simulator.requests.length).toBeGreaterThan(0);
  } finally {
    await simulator.close();
  }
});

it('says what is missing where Azure AI Foundry is to judge and cannot be called', async () => {
  const settings = { FOOTNOTE_DATA: join(folder, 'other'), ENABLE_FOUNDRY_EVALS: 'true' };
  const opening = (more: Record<string, string>) =>
    openFootnote(loadConfig({ folder, environment: { ...settings, ...more } }));
  await expect(opening({})).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('AZURE_FOUNDRY_EVALS_ENDPOINT is not set'),
  });
  // Without a key a token would go there.
  await expect(opening({ AZURE_FOUNDRY_EVALS_ENDPOINT: 'https://foundry.example' })).rejects.toMatchObject({
    message: expect.stringContaining('no address of Azure AI Foundry'),
  });
  await open({});
});
