// The benchmark of the server under load measures what it says: arrivals that nothing can delay, streams that are counted frame by frame,
// a model that copies, goals that are missed where nothing was measured.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { numberBlocks, renderPassages } from '../../src/answer/context/evidence.ts';
import { evidenceOf } from '../../testkit/evidence-of.ts';
import { arrivals, ask, openLoop } from '../../testkit/load/client.ts';
import { createLoadCorpus } from '../../testkit/load/corpus.ts';
import { claimsFor } from '../../testkit/load/provider.ts';
import { loadGoals, loadTables, sustainedRate } from './load-goals.ts';
import { isSustained, type OpenLoopRun } from './load-open-loop.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that answers every question with these frames. */
async function serverOf(body: string, status = 200): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(status).end(body);
  });
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const frame = (number: number, event: { readonly type: string }): string =>
  `id: str_1.${number}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const done = { type: 'done', answer: { claims: [1, 2, 3], citations: [], degraded: [] } };

describe('arrivals', () => {
  it('are drawn beforehand, at the rate that was asked for', () => {
    const times = arrivals(1, { perSecond: 60, seconds: 100 });
    expect(times).toEqual(arrivals(1, { perSecond: 60, seconds: 100 }));
    expect(times).not.toEqual(arrivals(2, { perSecond: 60, seconds: 100 }));
    expect(times.length).toBeGreaterThan(5_700);
    expect(times.length).toBeLessThan(6_300);
    expect(times.every((time, at) => time >= (times[at - 1] ?? 0))).toBe(true);
  });

  it('wait for no answer, and are timed from when they were due', async () => {
    let running = 0;
    let most = 0;
    const due: number[] = [];
    await openLoop([0, 1, 2, 3], async (_index, dueAtMs) => {
      due.push(dueAtMs);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 30));
      running--;
    });
    expect(most).toBe(4);
    expect(due.map((at) => Math.round(at - (due[0] ?? 0)))).toEqual([0, 1, 2, 3]);
    const url = await serverOf(frame(1, done));
    const { endMs } = await ask({ url, question: '?', dueAtMs: performance.now() - 5_000 });
    expect(endMs).toBeGreaterThan(5_000);
  });
});

describe('a client', () => {
  it('takes the answer of a whole stream, comments left out', async () => {
    const url = await serverOf(
      `${frame(1, { type: 'status' })}: still here\n\n${frame(2, { type: 'delta' })}${frame(3, done)}`,
    );
    expect(await ask({ url, question: '?' })).toMatchObject({ answer: done.answer, frames: 3, misnumbered: 0 });
  });

  it.each([
    ['lost', [1, 3, 4], 2],
    ['doubled', [1, 1, 2, 3], 3],
    ['out of order', [2, 1, 3], 2],
  ])('counts frames that were %s', async (_what, numbers, misnumbered) => {
    const url = await serverOf(
      [...numbers.map((number) => frame(number, { type: 'status' })), frame(9, done)].join(''),
    );
    const asked = await ask({ url, question: '?' });
    expect(asked.misnumbered).toBe(misnumbered + 1);
  });

  it('says why there is no answer', async () => {
    const error = { type: 'error', problem: { code: 'cancelled' } };
    expect((await ask({ url: await serverOf(frame(1, error)), question: '?' })).failure).toBe('error cancelled');
    expect((await ask({ url: await serverOf('busy', 429), question: '?' })).failure).toBe('status 429 busy');
    expect((await ask({ url: await serverOf(''), question: '?' })).failure).toBe('no final event');
    expect((await ask({ url: 'http://127.0.0.1:1', question: '?' })).failure).toContain('ECONNREFUSED');
  });
});

describe('the model of the benchmark', () => {
  const corpus = createLoadCorpus(1, 100);

  it('copies the three sentences that carry the answer from the prompt as the product writes it', () => {
    const { id, title, text } = corpus.record(42);
    const block = { evidence: evidenceOf({ id, text, title }), tokens: 1 };
    const claims = claimsFor(`<question>\n| x\n</question>\n\n${renderPassages(numberBlocks([block]))}\n\n<reminder>`);
    expect(claims).toHaveLength(3);
    for (const { text: claim, quotes } of claims) {
      expect(text).toContain(claim);
      expect(quotes).toEqual([{ id: 1, quote: claim }]);
    }
  });

  it('knows which document a question is about', () => {
    for (const index of [0, 7, 99]) expect(corpus.indexOf(corpus.question(index))).toBe(index);
    expect(corpus.indexOf('What is this?')).toBeUndefined();
    expect(new Set(Array.from({ length: 100 }, (_, at) => corpus.question(at))).size).toBe(100);
  });
});

describe('goals', () => {
  const run = (perSecond: number, more: Partial<OpenLoopRun> = {}): OpenLoopRun => ({
    perSecond,
    asked: 900,
    whole: 900,
    failures: [],
    misnumbered: 0,
    p50Ms: 9,
    p99Ms: 40,
    firstByteP50Ms: 1,
    firstByteP99Ms: 2,
    firstClaimP50Ms: 7,
    answeredPerSecond: perSecond,
    cpuMsAnAnswer: 6,
    loopMsAnAnswer: 5,
    ...more,
  });
  const streams = {
    streams: 1000,
    idleMb: 300,
    openMb: 400,
    mostMb: 500,
    firstByteP50Ms: 1,
    firstByteP99Ms: 2,
    whole: 1000,
    misnumbered: 0,
    failures: [],
  };

  it('are missed where nothing was measured', () => {
    const goals = loadGoals({ rates: [] });
    expect(goals.every(({ met, got }) => !met && got === 'not measured')).toBe(true);
    expect(loadGoals({ steady: run(60), rates: [run(150)], streams }).length).toBe(goals.length);
  });

  it('are met by a run that keeps its promise, and missed by one that does not', () => {
    const missed = (steady: OpenLoopRun, rates: readonly OpenLoopRun[], mostMb = 500): string[] =>
      loadGoals({ steady, rates, streams: { ...streams, mostMb } })
        .filter(({ met, got }) => !met && got !== 'not measured')
        .map(({ what }) => what);
    expect(missed(run(60), [run(150)])).toEqual([]);
    expect(missed(run(60, { p99Ms: 61 }), [run(150)])).toEqual(['open loop at 60 answers/s, p99 ms']);
    expect(missed(run(60, { whole: 899 }), [run(150)])).toEqual(['open loop at 60 answers/s, answers not whole']);
    expect(missed(run(60), [run(120)])).toEqual(['sustained answers/s']);
    expect(missed(run(60), [run(150)], 551)).toEqual(['1,000 streams at once, MB over idle']);
  });

  it('call no rate sustained at which answers came late, broken or not at all', () => {
    expect(isSustained(run(150))).toBe(true);
    for (const more of [{ whole: 899 }, { misnumbered: 1 }, { p99Ms: 1001 }, { answeredPerSecond: 130 }])
      expect(isSustained(run(150, more))).toBe(false);
    expect(sustainedRate([run(120), run(150), run(180, { p99Ms: 4000 })])).toBe(150);
    expect(sustainedRate([run(90, { whole: 1 })])).toBeUndefined();
  });

  it('have rows as wide as their tables', () => {
    for (const { columns, rows } of loadTables({ steady: run(60), rates: [run(90)], streams }))
      for (const row of rows) expect(row).toHaveLength(columns.length);
  });
});
