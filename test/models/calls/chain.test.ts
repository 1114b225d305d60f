// Retries, Retry-After, fallback, circuits and budgets of a list of models, in a time of its own.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ModelBudget } from '../../../src/core/budget.ts';
import { createDeadline, type Deadline } from '../../../src/core/deadline.ts';
import { type ErrorCode, FootnoteError } from '../../../src/core/errors.ts';
import { type Candidate, createModelChain, type ModelChainOptions } from '../../../src/models/calls/chain.ts';
import { createCircuit } from '../../../src/models/calls/circuit.ts';
import { shareOfSilence } from '../../../src/models/calls/patience.ts';
import type { CallOptions } from '../../../src/models/language/call-options.ts';
import type { GenerateRequest, GenerateResult, StreamPart } from '../../../src/models/language/generation.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { countPromptTokens } from '../../../src/models/language/model-usage.ts';
import { createModelBudget } from '../../../src/models/money/model-budget.ts';
import { parsePrices } from '../../../src/models/money/prices.ts';
import { openFakeProvider } from '../../fakes/fake-provider.ts';

const request: GenerateRequest = {
  messages: [{ role: 'user', content: 'The capital of France?' }],
  maxOutputTokens: 100,
};
const failure = (code: ErrorCode, details: Record<string, unknown> = {}): FootnoteError =>
  new FootnoteError(code, `It failed: ${code}.`, { details });

type Step = string | FootnoteError | (() => Promise<never>);

/** A model of steps, each of which answers or fails; the last one repeats. */
function stepModel(id: string, steps: readonly Step[]): LanguageModel & { calls: number } {
  const next = async (): Promise<GenerateResult> => {
    const step = steps[Math.min(model.calls++, steps.length - 1)]!;
    if (typeof step === 'function') return step();
    if (step instanceof FootnoteError) throw step;
    return {
      text: step,
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: false },
      model: `openai:${id}`,
      attempts: [{ model: `openai:${id}`, latencyMs: 1 }],
    };
  };
  const model = {
    id,
    provider: 'openai',
    calls: 0,
    generate: next,
    async *stream(): AsyncGenerator<StreamPart, void, void> {
      const result = await next();
      // A step "a|error" says a and then breaks.
      const [said = '', broken] = result.text.split('|');
      if (said !== '') yield { type: 'delta', text: said };
      if (broken !== undefined) throw failure('upstream-unavailable');
      yield { type: 'end', result };
    },
  };
  return model;
}

/** A clock that only waiting moves. */
function setUp(models: readonly LanguageModel[], options: Partial<ModelChainOptions> = {}) {
  let nowMs = 0;
  const waits: number[] = [];
  const elapsedMs = (): number => nowMs;
  const candidates: Candidate[] = models.map((model) => ({ model, circuit: createCircuit({ elapsedMs }) }));
  const chain = createModelChain(candidates, {
    prices: parsePrices('openai:a = 1/2, openai:b = 10/20'),
    random: () => 0.5,
    wait: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
    elapsedMs,
    ...options,
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { chain, waits, pass };
}
const longDeadline: Deadline = {
  signal: new AbortController().signal,
  remainingMs: () => 60_000,
  isOver: () => false,
  check: () => undefined,
};
const within = (leftMs: number): Deadline => ({ ...longDeadline, remainingMs: () => leftMs });
const call = { deadline: longDeadline };
const errorOf = async (promise: Promise<unknown>): Promise<FootnoteError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(FootnoteError);
  return thrown as FootnoteError;
};
async function collect(parts: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const all: StreamPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe('retries', () => {
  it('with growing pauses, drawn below their limit', async () => {
    const model = stepModel('a', [failure('upstream-unavailable'), failure('upstream-invalid'), 'Paris']);
    const { chain, waits } = setUp([model]);
    const result = await chain.generate(request, call);
    expect(result.text).toBe('Paris');
    expect(waits).toEqual([125, 250]);
    expect(result.attempts.map(({ code }) => code)).toEqual(['upstream-unavailable', 'upstream-invalid', undefined]);
  });

  it('after as long as the provider asks, and not past the deadline', async () => {
    const patient = setUp([stepModel('a', [failure('rate-limited', { retryAfterMs: 7000 }), 'Paris'])]);
    expect((await patient.chain.generate(request, call)).text).toBe('Paris');
    expect(patient.waits).toEqual([7000]);
    const hasty = setUp([stepModel('a', [failure('rate-limited', { retryAfterMs: 7000 }), 'Paris'])]);
    const error = await errorOf(hasty.chain.generate(request, { deadline: within(5000) }));
    expect(error.code).toBe('rate-limited');
    expect(error.details['retryAfterMs']).toBe(7000);
    expect(hasty.waits).toEqual([]);
  });

  it('not what cannot get better', async () => {
    for (const code of [
      'config-invalid',
      'quota-exceeded',
      'too-large',
      'cancelled',
      'deadline-exceeded',
      'internal',
    ] as const) {
      const model = stepModel('a', [failure(code), 'Paris']);
      expect((await errorOf(setUp([model]).chain.generate(request, call))).code).toBe(code);
      expect(model.calls).toBe(1);
    }
    const refused = stepModel('a', [failure('upstream-invalid', { isFinal: true }), 'Paris']);
    expect((await errorOf(setUp([refused]).chain.generate(request, call))).code).toBe('upstream-invalid');
    expect(refused.calls).toBe(1);
  });

  it('at most three times', async () => {
    const model = stepModel('a', [failure('upstream-unavailable')]);
    const error = await errorOf(setUp([model]).chain.generate(request, call));
    expect(model.calls).toBe(3);
    expect(error.details['attempts']).toHaveLength(3);
    expect(error.message).toContain('3 attempts');
  });
});

describe('fallback', () => {
  it('to the next model at once, whatever the first one lacks', async () => {
    for (const code of [
      'upstream-unavailable',
      'rate-limited',
      'config-invalid',
      'quota-exceeded',
      'too-large',
    ] as const) {
      const { chain, waits } = setUp([stepModel('a', [failure(code)]), stepModel('b', ['Paris'])]);
      const result = await chain.generate(request, call);
      expect(result).toMatchObject({ text: 'Paris', model: 'openai:b' });
      expect(result.attempts).toMatchObject([{ model: 'openai:a', code }, { model: 'openai:b' }]);
      expect(waits).toEqual([]);
    }
  });

  it('comes back to the one that may serve, and tells the failure of the first', async () => {
    const { chain } = setUp([
      stepModel('a', [failure('rate-limited', { retryAfterMs: 90_000 })]),
      stepModel('b', [failure('upstream-unavailable'), 'Paris']),
    ]);
    expect((await chain.generate(request, call)).attempts.map(({ model }) => model)).toEqual([
      'openai:a',
      'openai:b',
      'openai:b',
    ]);
    const { chain: dead } = setUp([
      stepModel('a', [failure('config-invalid')]),
      stepModel('b', [failure('upstream-unavailable')]),
    ]);
    const error = await errorOf(dead.generate(request, call));
    expect(error.code).toBe('config-invalid');
    expect(error.message).toContain('upstream-unavailable');
  });

  it('leaves time for the next when a model hangs', async () => {
    const hanging = await openFakeProvider('compatible', [{ text: 'late', delayMs: 60_000 }]);
    const live = await openFakeProvider('openai', [{ text: 'Paris' }]);
    const { chain } = setUp([hanging.model, live.model], { elapsedMs: () => performance.now() });
    // That it has its answer from the other one within the deadline says that time was left for it.
    const result = await chain.generate(request, { deadline: createDeadline(4000) });
    expect(result).toMatchObject({ text: 'Paris', model: 'openai:gpt-5.2' });
    expect(result.attempts[0]).toMatchObject({ code: 'upstream-unavailable' });
    await hanging.server.whenLeft(1);
    await hanging.close();
    await live.close();
  });

  it('at once from a provider that is gone', async () => {
    const gone = await openFakeProvider('openai', []);
    await gone.close();
    const live = await openFakeProvider('anthropic', [{ text: 'Paris' }]);
    const { chain } = setUp([gone.model, live.model]);
    const result = await chain.generate(request, { deadline: createDeadline(60_000) });
    expect(result.text).toBe('Paris');
    await live.close();
  });
});

describe('streams', () => {
  it('fall back before the first word', async () => {
    const { chain } = setUp([stepModel('a', [failure('upstream-unavailable')]), stepModel('b', ['Paris'])]);
    const parts = await collect(chain.stream(request, call));
    expect(parts).toMatchObject([
      { type: 'delta', text: 'Paris' },
      { type: 'end', result: { model: 'openai:b' } },
    ]);
  });

  it('never say a word twice', async () => {
    const second = stepModel('b', ['Paris']);
    const { chain } = setUp([stepModel('a', ['Par|']), second]);
    const said: string[] = [];
    const error = await errorOf(
      (async () => {
        for await (const part of chain.stream(request, call)) if (part.type === 'delta') said.push(part.text);
      })(),
    );
    expect(error.code).toBe('upstream-unavailable');
    expect(said).toEqual(['Par']);
    expect(second.calls).toBe(0);
  });

  it('that are left are billed for what was said, and leave the model', async () => {
    const provider = await openFakeProvider('openai', [{ text: 'word '.repeat(400), betweenMs: 10 }]);
    const { chain } = setUp([provider.model]);
    const budget = createModelBudget({}, { name: 'this request' });
    for await (const part of chain.stream(request, { deadline: createDeadline(10_000), budget })) {
      expect(part.type).toBe('delta');
      break;
    }
    await provider.server.whenLeft(1);
    const { calls, outputTokens } = budget.spent();
    expect(calls).toBe(1);
    expect(outputTokens).toBeGreaterThan(0);
    expect(outputTokens).toBeLessThan(50);
    await provider.close();
  });
});

/** Says nothing until it is ended. */
const silent = (id: string, seen?: { left: number }): LanguageModel => {
  const wait = ({ deadline }: CallOptions): Promise<never> =>
    new Promise((_resolve, reject) => {
      deadline.signal.addEventListener('abort', () => {
        if (seen) seen.left += 1;
        reject(deadline.signal.reason as Error);
      });
    });
  return {
    id,
    provider: 'openai',
    generate: (_, options) => wait(options),
    // biome-ignore lint/correctness/useYield: it never says anything.
    async *stream(_, options) {
      await wait(options);
    },
  };
};

describe('patience', () => {
  const elapsed = { elapsedMs: () => performance.now() };

  it.each(['generate', 'stream'] as const)('ends a silent model, once, and lets go of it (%s)', async (how) => {
    const seen = { left: 0 };
    const { chain } = setUp([silent('a', seen)], elapsed);
    const options = { deadline: createDeadline(60_000), patience: { firstTokenMs: 50, idleMs: 50 } };
    const error = await errorOf(
      how === 'stream' ? collect(chain.stream(request, options)) : chain.generate(request, options),
    );
    expect(error).toMatchObject({ code: 'upstream-unavailable', message: expect.stringContaining('openai:a') });
    expect(seen.left).toBe(1);
  });

  it('counts the silences of a model until it serves', async () => {
    // Each look at the clock is ten seconds later.
    let nowMs = 0;
    const elapsedMs = (): number => (nowMs += 10_000);
    const circuit = createCircuit({ elapsedMs });
    const options: ModelChainOptions = {
      prices: parsePrices(''),
      random: () => 0,
      wait: async () => undefined,
      elapsedMs,
    };
    const call = (): CallOptions => ({ deadline: createDeadline(40), patience: {} });
    const quiet = createModelChain([{ model: silent('a'), circuit }], options);
    for (const silences of [1, 2]) {
      await errorOf(quiet.generate(request, call()));
      expect(circuit.silences()).toBe(silences);
    }
    await createModelChain([{ model: stepModel('a', ['Paris']), circuit }], options).generate(request, {
      deadline: createDeadline(60_000),
      patience: {},
    });
    expect(circuit.silences()).toBe(0);
  });

  it('by default leaves time for what is done without models, however many are silent', () => {
    for (const [models, leftMs] of [
      [1, 20_000],
      [2, 12_000],
      [4, 6667],
    ] as const) {
      let nowMs = 0;
      const share = shareOfSilence({}, { models, remainingMs: 60_000, elapsedMs: () => nowMs });
      const given = Array.from({ length: models }, (_, at) => {
        const ms = share.ms(60_000 - nowMs, models - at - 1, 0) ?? 0;
        nowMs += ms;
        return Math.round(ms);
      });
      expect(new Set(given).size).toBe(1);
      expect(Math.round(60_000 - nowMs)).toBe(leftMs);
      // Nor do pauses and further rounds take any of it.
      expect(share.mostPauseMs?.()).toBeCloseTo(0);
      expect(share.ms(leftMs, 0, 0)).toBe(1);
    }
  });

  it('ends a model that falls silent in the middle, and whoever reads is told that it had begun', async () => {
    const model: LanguageModel = {
      ...silent('a'),
      async *stream(asked, options) {
        yield { type: 'delta', text: 'Par' };
        yield* silent('a').stream(asked, options);
      },
    };
    const { chain } = setUp([model, stepModel('b', ['Paris'])], elapsed);
    const options = { deadline: createDeadline(60_000), patience: { idleMs: 50 } };
    const error = await errorOf(collect(chain.stream(request, options)));
    expect(error.details).toMatchObject({ brokeOff: true, model: 'openai:a' });
    expect(error.message).toContain('said nothing more');
  });

  it('waits for one that writes slowly, and for one that reasons', async () => {
    const pieces = Array.from({ length: 12 }, (_, at) => `${at} `);
    const pause = (signal: AbortSignal): Promise<void> => sleep(20, undefined, { signal });
    const slow: LanguageModel = {
      ...stepModel('a', ['Paris']),
      async *stream(asked, options) {
        for (const _ of pieces) {
          await pause(options.deadline.signal);
          options.heard?.();
        }
        for (const text of pieces) {
          await pause(options.deadline.signal);
          yield { type: 'delta', text };
        }
        yield* stepModel('a', ['Paris']).stream(asked, options);
      },
    };
    const { chain } = setUp([slow], elapsed);
    const options = { deadline: createDeadline(60_000), patience: { firstTokenMs: 200, idleMs: 200 } };
    const parts = await collect(chain.stream(request, options));
    expect(parts.at(-1)).toMatchObject({ type: 'end', result: { model: 'openai:a' } });
    // Thinking aloud must not cost the others their turn.
    const both = setUp([slow, stepModel('b', ['Paris'])], elapsed).chain;
    expect((await collect(both.stream(request, options))).at(-1)).toMatchObject({ result: { model: 'openai:b' } });
  });

  it.each([false, true])('ends a model that writes blanks for ever (after words: %s)', async (hasBegun) => {
    const blank: LanguageModel = {
      ...silent('a'),
      async *stream(_asked, { deadline }) {
        if (hasBegun) yield { type: 'delta', text: 'Par' };
        for (;;) {
          await sleep(5, undefined, { signal: deadline.signal });
          yield { type: 'delta', text: ' \n' };
        }
      },
    };
    const { chain } = setUp([blank], elapsed);
    const options = { deadline: createDeadline(60_000), patience: { firstTokenMs: 100, idleMs: 100 } };
    const error = await errorOf(collect(chain.stream(request, options)));
    expect(error.code).toBe('upstream-unavailable');
    expect(error.message).toContain(hasBegun ? 'said nothing more' : 'did not begin');
  });

  it.each([
    ['all of a long time', 12_000, 'left alone'],
    ['a short time', 12, 'in the time that it had'],
  ])('a model that says nothing for %s, which its caller ends, is told of', async (_name, stepMs, sixth) => {
    let nowMs = 0;
    let over = new AbortController();
    const end = new FootnoteError('deadline-exceeded', 'Over.');
    const late: LanguageModel = {
      ...silent('a'),
      async generate() {
        over.abort(end);
        throw end;
      },
    };
    const { chain } = setUp([late], { elapsedMs: () => (nowMs += stepMs) });
    const ask = (): Promise<FootnoteError> => {
      over = new AbortController();
      const { signal } = over;
      return errorOf(chain.generate(request, { deadline: { ...longDeadline, signal }, signal }));
    };
    for (let count = 0; count < 5; count++) expect((await ask()).code).toBe('deadline-exceeded');
    expect((await ask()).message).toContain(sixth);
  });

  it('is not spent on waiting for a provider that asks to wait for longer', async () => {
    const { chain, waits } = setUp([stepModel('a', [failure('rate-limited', { retryAfterMs: 7000 }), 'Paris'])]);
    const error = await errorOf(chain.generate(request, { ...call, patience: { firstTokenMs: 5000 } }));
    expect([error.code, waits]).toEqual(['rate-limited', []]);
  });

  it('that is short opens no breaker: who waits long may still be answered', async () => {
    const { chain } = setUp([silent('a')], elapsed);
    const options = { deadline: createDeadline(60_000), patience: { firstTokenMs: 5 } };
    for (let count = 0; count < 6; count++)
      expect((await errorOf(chain.generate(request, options))).message).not.toContain('left alone');
  });
});

describe('a time to wait', () => {
  it('holds for every later request, in every list, and is over when it is over', async () => {
    const first = stepModel('a', [failure('rate-limited', { retryAfterMs: 30_000 }), 'Paris']);
    const { chain, pass } = setUp([first, stepModel('b', ['Rome'])]);
    for (let count = 0; count < 3; count++)
      expect(await chain.generate(request, call)).toMatchObject({
        text: 'Rome',
        attempts: [{ model: 'openai:a', code: 'rate-limited' }, { model: 'openai:b' }],
      });
    expect(first.calls).toBe(1);
    pass(30_000);
    expect((await chain.generate(request, call)).text).toBe('Paris');
  });

  it('is kept where the deadline comes first', async () => {
    const model = stepModel('a', [failure('upstream-unavailable', { retryAfterMs: 20_000 }), 'Paris']);
    const { chain, pass } = setUp([model]);
    await errorOf(chain.generate(request, { deadline: within(5000) }));
    const error = await errorOf(chain.generate(request, { deadline: within(5000) }));
    expect([error.code, error.details['retryAfterMs'], model.calls]).toEqual(['rate-limited', 20_000, 1]);
    pass(20_000);
    expect((await chain.generate(request, call)).text).toBe('Paris');
  });
});

describe('what stands behind a model', () => {
  it('is the rest of the list', async () => {
    const { chain } = setUp([stepModel('a', ['A']), stepModel('b', ['B']), stepModel('c', ['C'])]);
    expect((await chain.after?.('openai:a')?.generate(request, call))?.text).toBe('B');
    expect((await chain.after?.('openai:b')?.generate(request, call))?.text).toBe('C');
    expect(chain.after?.('openai:a')?.after?.('openai:b')).toBeDefined();
    expect([chain.after?.('openai:c'), chain.after?.('openai:x'), setUp([stepModel('a', ['A'])]).chain.after]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('circuits', () => {
  it('open after five failures, let one call probe, and close again', async () => {
    let isDown = true;
    const model = stepModel('a', [async () => Promise.reject(failure('upstream-unavailable'))]);
    const served = stepModel('a', ['Paris']);
    const flaky: LanguageModel = { ...model, generate: (...args) => (isDown ? model : served).generate(...args) };
    const { chain, pass } = setUp([flaky], { rounds: 1 });
    for (let count = 0; count < 500; count++) await errorOf(chain.generate(request, call));
    expect(model.calls).toBe(5);
    const resting = await errorOf(chain.generate(request, call));
    expect(resting.code).toBe('upstream-unavailable');
    expect(resting.details['retryAfterMs']).toBeGreaterThan(0);
    pass(15_000);
    await Promise.all([errorOf(chain.generate(request, call)), errorOf(chain.generate(request, call))]);
    expect(model.calls).toBe(6);
    pass(15_000);
    isDown = false;
    expect((await chain.generate(request, call)).text).toBe('Paris');
    expect((await chain.generate(request, call)).text).toBe('Paris');
  });

  it('are not opened by requests that are wrong, nor by callers who leave', async () => {
    const model = stepModel('a', [
      failure('config-invalid'),
      failure('cancelled'),
      failure('too-large'),
      failure('quota-exceeded'),
      failure('rate-limited', { status: 429 }),
      failure('upstream-invalid', { status: 400, isFinal: true }),
    ]);
    const { chain } = setUp([model], { rounds: 1 });
    for (let count = 0; count < 20; count++) await errorOf(chain.generate(request, call));
    expect(model.calls).toBe(20);
  });
});

describe('budgets', () => {
  const open = (limits: Parameters<typeof createModelBudget>[0], above?: ModelBudget): ModelBudget =>
    createModelBudget(limits, { name: 'this request', ...(above ? { above } : {}) });

  it('stop before the call, not after', async () => {
    const model = stepModel('a', ['Paris']);
    const { chain } = setUp([model, stepModel('b', ['Lyon'])]);
    const cases: readonly [Parameters<typeof createModelBudget>[0], number][] = [
      [{ calls: 0 }, 0],
      [{ inputTokens: 5 }, 0],
      [{ outputTokens: 99 }, 0],
      [{ costUsd: 0.0001 }, 0],
      [{ calls: 1, inputTokens: 50, outputTokens: 100, costUsd: 0.01 }, 1],
    ];
    for (const [limits, calls] of cases) {
      model.calls = 0;
      const ended = await chain.generate(request, { ...call, budget: open(limits) }).then(
        () => undefined,
        (error: FootnoteError) => error.code,
      );
      expect(model.calls).toBe(calls);
      expect(ended).toBe(calls === 0 ? 'quota-exceeded' : undefined);
    }
  });

  it('are settled with what was taken, on every level, failures for nothing', async () => {
    const day = createModelBudget({ calls: 10 }, { name: 'this key today', before: { calls: 3 } });
    const budget = open({ outputTokens: 1000 }, day);
    const { chain } = setUp([stepModel('a', [failure('upstream-unavailable'), 'Paris'])]);
    const result = await chain.generate(request, { ...call, budget });
    expect(budget.spent()).toMatchObject({ calls: 2, inputTokens: 10, outputTokens: 5 });
    expect(budget.spent().costUsd).toBeCloseTo(20e-6, 12);
    expect(result.costUsd).toBeCloseTo(20e-6, 12);
    expect(day.spent()).toMatchObject({ calls: 5, inputTokens: 10, outputTokens: 5 });
  });

  it('count an answer that nobody can read as one that was read, and a refusal as nothing', async () => {
    for (const [details, inputTokens] of [
      [{}, countPromptTokens(request)],
      [{ status: 400 }, 0],
    ] as const) {
      const budget = open({});
      const { chain } = setUp([stepModel('a', [failure('upstream-invalid', { ...details, isFinal: true })])]);
      await errorOf(chain.generate(request, { ...call, budget }));
      expect(budget.spent()).toMatchObject({ calls: 1, inputTokens, outputTokens: 0 });
    }
  });

  it('take nothing anywhere when a level refuses', async () => {
    const day = createModelBudget({ calls: 0 }, { name: 'this key today' });
    const budget = open({ calls: 5 }, day);
    const error = await errorOf(setUp([stepModel('a', ['Paris'])]).chain.generate(request, { ...call, budget }));
    expect(error.code).toBe('quota-exceeded');
    expect(error.message).toContain('this key today');
    expect(budget.spent().calls).toBe(0);
  });

  it('hold against calls at the same time', async () => {
    const budget = open({ calls: 3 });
    const models = Array.from({ length: 10 }, () => stepModel('a', ['Paris']));
    const ended = await Promise.allSettled(
      models.map((model) => setUp([model]).chain.generate(request, { ...call, budget })),
    );
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(models.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
  });

  it('reserve what a model may count that reads with a tokenizer of its own', async () => {
    const counted = countPromptTokens(request);
    for (const [provider, id, inputTokens, calls] of [
      ['openai', 'gpt-5.2', counted, 1],
      ['compatible', 'qwen3:8b', counted, 0],
      ['compatible', 'qwen3:8b', Math.ceil(counted * 1.4), 1],
    ] as const) {
      const model = { ...stepModel(id, ['Paris']), provider };
      const { chain } = setUp([model]);
      const ended = await errorOf(chain.generate(request, { ...call, budget: open({ inputTokens }) })).catch(
        () => undefined,
      );
      expect(ended?.code).toBe(calls === 0 ? 'quota-exceeded' : undefined);
    }
  });

  it('of money need a price', async () => {
    const model = stepModel('unpriced', ['Paris']);
    const { chain } = setUp([model]);
    expect((await errorOf(chain.generate(request, { ...call, budget: open({ costUsd: 1 }) }))).code).toBe(
      'config-invalid',
    );
    expect(model.calls).toBe(0);
    const free = await chain.generate(request, { ...call, budget: open({ calls: 1 }) });
    expect(free.costUsd).toBeUndefined();
    // An attempt that cost nothing needs no price.
    const down = setUp([stepModel('unpriced', [failure('config-invalid')]), stepModel('a', ['Paris'])]);
    expect((await down.chain.generate(request, call)).costUsd).toBeCloseTo(20e-6, 12);
  });
});
