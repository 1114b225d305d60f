// The time of a request ends at every single reading of its clock in turn: by a jump of the clock alone, or with its timers. What was decided then
// stands in the trace, and a replay decides the same: it is the same byte for byte each time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Clock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { replayTrace } from '../../src/footnote/replay/replay.ts';
import { answerOf, type FakeRequest, startFakeOpenAI } from '../../src/testing/index.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** How timers learn of a jump: not before the request ends, or in the turn of the event loop that comes next. */
const manners = ['by the clock alone', 'with its timers'] as const;
type Manner = (typeof manners)[number];

/** Time goes on by a hundredth of a millisecond with each reading, and once by a minute. */
function steppingClock(manner: Manner) {
  let [ms, count, jumpAt] = [1, 0, Number.POSITIVE_INFINITY];
  const timers = new Set<{ readonly dueMs: number; readonly ends: AbortController }>();
  const fire = (): void => {
    for (const timer of timers)
      if (timer.dueMs <= ms) {
        timers.delete(timer);
        timer.ends.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      }
  };
  const clock: Clock = {
    now: () => new Date(Date.UTC(2026, 10, 28) + Math.floor(ms)).toISOString(),
    elapsedMs() {
      count += 1;
      ms += 0.01;
      if (count === jumpAt) {
        ms += 60_000;
        if (manner === 'with its timers') setImmediate(fire);
      }
      return ms;
    },
    after(afterMs) {
      const own = new AbortController();
      timers.add({ dueMs: ms + afterMs, ends: own });
      return own.signal;
    },
  };
  return {
    clock,
    count: () => count,
    jumpAfter(readings: number) {
      timers.clear();
      [count, jumpAt] = [0, readings];
    },
  };
}

const cited = ({ prompt }: FakeRequest): string =>
  /The lighthouse of Lindau is \d+ metres tall\./u.exec(prompt)?.[0] ?? 'Nothing of it.';
const isAnswer = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('"claims"');

const systems: Record<string, { readonly question: string; readonly environment: Record<string, string> }> = {
  'sentences of the documents': {
    question: 'How tall is the lighthouse of Lindau?',
    environment: { MODEL_ANSWER: 'none' },
  },
  'a model that writes': { question: 'How tall is the lighthouse of Lindau?', environment: {} },
  'a question of several parts': {
    question: 'How tall is the lighthouse of Lindau, and who looks after the harbour of Oban?',
    environment: {},
  },
  'a model that writes and one that judges': {
    question: 'How tall is the lighthouse of Lindau?',
    environment: { MODEL_ANSWER: 'compatible:fake', MODEL_JUDGE: 'compatible:fake', MODEL_ROUTER: 'compatible:fake' },
  },
  'drafts that are looked at': {
    question: 'How tall is the lighthouse of Lindau, and who looks after the harbour of Oban?',
    environment: {
      MODEL_ANSWER: 'compatible:fake',
      MODEL_CRITIC: 'compatible:fake',
      ENABLE_CRITIC: 'true',
      ENABLE_ASSESSMENT: 'true',
      BUDGET_REQUEST: 'none',
    },
  },
};

async function openSystem(manner: Manner, { environment }: (typeof systems)[string]) {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-moment-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const fake = await startFakeOpenAI((request) =>
    isAnswer(request)
      ? answerOf([{ text: cited(request), quote: cited(request) }])
      : '{"verdict": "accept", "score": 1}',
  );
  ends.push(() => fake.close());
  const time = steppingClock(manner);
  const settings = { FOOTNOTE_DATA: join(folder, 'data'), MODEL_EMBED: 'none', ...fake.environment, ...environment };
  const opened = await openFootnote(loadConfig({ folder, environment: settings }), { clock: time.clock });
  ends.push(() => opened.close());
  const footnote = opened.forScope(localScope());
  for (const [uri, text] of Object.entries({
    'a.md': 'The lighthouse of Lindau is 33 metres tall.',
    'b.md': 'Ada Brook looks after the harbour of Oban.',
    'c.md': 'The lighthouse of Sines is 21 metres tall. It is open on Monday.',
  }))
    await footnote.documents.add({ uri, text });
  return { footnote, time };
}

describe.each(Object.entries(systems))('the time of %s', (_, system) => {
  it.each(manners)(
    'ends at every step, %s, and so it does again',
    async (manner) => {
      const { footnote, time } = await openSystem(manner, system);
      const ask = async (): Promise<string | undefined> => {
        let traceId: string | undefined;
        const onEvent = (event: { readonly type: string }): void => void event;
        await footnote.ask({ question: system.question }, { onEvent }).then(
          (answer) => {
            traceId = answer.traceId;
          },
          () => undefined,
        );
        return traceId ?? (await footnote.traces.list({ limit: 1 })).data[0]?.id;
      };
      // How many steps there are, once what is made at the first question is there.
      await ask();
      time.jumpAfter(Number.POSITIVE_INFINITY);
      await ask();
      const steps = time.count();
      expect(steps).toBeGreaterThan(10);
      const failures: object[] = [];
      const outcomes = new Set<string>();
      const every = isLong ? 1 : Math.max(1, Math.floor(steps / 40));
      for (let at = 1; at <= steps; at += every) {
        time.jumpAfter(at);
        const id = await ask();
        time.jumpAfter(Number.POSITIVE_INFINITY);
        const saved = await footnote.traces.get(id ?? '');
        outcomes.add(JSON.stringify([saved.trace.status, saved.events.length]));
        const { same, difference, divergences } = await replayTrace(saved);
        // What ran beside the part that ended the request may be left out: nothing of it was told.
        const isWhole = saved.trace.status !== 'done' || divergences.length === 0;
        if (!same || !isWhole) failures.push({ at, status: saved.trace.status, difference, divergences });
      }
      expect(failures).toEqual([]);
      // It did end at different steps.
      expect(outcomes.size).toBeGreaterThan(1);
    },
    600_000,
  );
});
