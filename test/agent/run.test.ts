// A request goes by the clock and the ids of its context and by no others: under a clock that stands still nothing takes any time, and the
// same request leaves the same log, whatever the machine does meanwhile.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { answerVersion } from '../../src/core/answer.ts';
import { logVersion } from '../../src/core/events.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { answerOf, type FakeProviderServer, startFakeOpenAI } from '../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const sentence = 'The lighthouse of Cabo Frio is 43 metres tall.';
const at = '2026-11-23T08:00:00.000Z';
let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
let provider: FakeProviderServer;

beforeAll(async () => {
  provider = await startFakeOpenAI(({ body }) =>
    JSON.stringify(body).includes('"claims"')
      ? answerOf([{ text: sentence, quote: sentence }])
      : '{"intent": "factual_lookup", "reason": "it asks for a height"}',
  );
  folder = await mkdtemp(join(tmpdir(), 'footnote-run-'));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    ...provider.environment,
    MODEL_ROUTER: 'compatible:fake',
    MODEL_JUDGE: 'compatible:fake',
  };
  let count = 0;
  opened = await openFootnote(loadConfig({ folder, environment }), {
    clock: { now: () => at, elapsedMs: () => 5_000 },
    ids: { next: (prefix) => `${prefix}_${++count}` },
  });
  footnote = opened.forScope(localScope());
  await footnote.documents.add({ text: sentence, mime: 'text/plain', uri: 'tower.txt', source: 'notes' });
});
afterAll(async () => {
  await opened.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

/** Values of every field of these names, wherever they stand. */
function valuesOf(value: unknown, names: RegExp, seen: unknown[] = []): unknown[] {
  if (typeof value !== 'object' || value === null) return seen;
  for (const [key, member] of Object.entries(value)) {
    if (names.test(key) && typeof member === 'number') seen.push(member);
    valuesOf(member, names, seen);
  }
  return seen;
}

async function logOf(question: string) {
  const answer = await footnote.ask({ question });
  const { trace, events } = await footnote.traces.get(answer.traceId);
  return { answer, trace, events };
}

describe('a request', () => {
  it('takes no time by a clock that stands still, in none of its steps', async () => {
    const { answer, trace, events } = await logOf('How tall is the lighthouse of Cabo Frio?');
    expect(answer.models?.map(({ role }) => role)).toEqual(expect.arrayContaining(['answer', 'judge']));
    // What a provider's adapter measures is its answer, and a replay has it from the log; the passages are read on a thread, which times itself.
    // What the environment says is what the request may take.
    const own = events.filter(
      ({ event }) => event.type !== 'environment' && (event.type !== 'call' || event.call.port !== 'answer.context'),
    );
    const untold = JSON.parse(JSON.stringify(own), (key, value: unknown) => (key === 'attempts' ? undefined : value));
    const times = valuesOf([answer.timings, trace, untold], /^(atMs|latencyMs|totalMs|\w+Ms)$/);
    expect(times.length).toBeGreaterThan(20);
    expect(times.filter((time) => time !== 0)).toEqual([]);
    expect(trace.startedAt).toBe(at);
    expect(answer.id).toMatch(/^ans_\d+$/);
  });

  it('says which version wrote its answer and its log', async () => {
    const { answer, events } = await logOf('How tall is the tower of Cabo Frio?');
    expect(answer.version).toBe(answerVersion);
    expect(events[0]?.event).toMatchObject({ type: 'request', version: logVersion, at });
    expect(await footnote.answers.get(answer.id)).toEqual(answer);
  });
});
