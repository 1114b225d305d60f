// A sample of the answers of an opened Footnote is judged behind the replies; what judges said stands with the trace and goes with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../src/footnote/compose.ts';
import type { Footnote } from '../../src/footnote/facade.ts';

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
