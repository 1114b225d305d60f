// A model of this machine that serves one caller at a time: who stands in its line says nothing about it.
import { expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { toFootnoteError } from '../../../src/core/errors.ts';
import { createModelChain } from '../../../src/models/calls/chain.ts';
import { createCircuit } from '../../../src/models/calls/circuit.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { parsePrices } from '../../../src/models/money/prices.ts';

/** Tells its callers that so many are before them, and answers none. */
const inLine = (ahead: number): LanguageModel => ({
  id: 'a',
  provider: 'gguf',
  generate(_, { deadline, waits }) {
    waits?.(ahead);
    return new Promise((_resolve, reject) =>
      deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason as Error)),
    );
  },
  stream: () => {
    throw new Error('Nobody streams here.');
  },
});

const request = { messages: [{ role: 'user', content: 'Hello' }], maxOutputTokens: 10 } as const;

/** Each look at the clock is twenty seconds later. */
function chainOf(models: readonly LanguageModel[]) {
  let nowMs = 0;
  const candidates = models.map((model) => ({ model, circuit: createCircuit({ elapsedMs: () => 0 }) }));
  const chain = createModelChain(candidates, {
    prices: parsePrices(''),
    random: () => 0,
    wait: async () => undefined,
    elapsedMs: () => (nowMs += 20_000),
  });
  return { chain, circuit: candidates[0]?.circuit };
}

/** What callers are told, one after the other, whose deadline comes first. */
async function failuresBehind(model: LanguageModel): Promise<readonly string[]> {
  const { chain } = chainOf([model]);
  const messages: string[] = [];
  for (let count = 0; count < 6; count++) {
    const failed = await chain.generate(request, { deadline: createDeadline(5), patience: {} }).catch(toFootnoteError);
    messages.push('message' in failed ? failed.message : 'served');
  }
  return messages;
}

it('opens no breaker, however long callers stand in the line of a model', async () => {
  expect(await failuresBehind(inLine(2))).not.toContainEqual(expect.stringContaining('left alone'));
  expect(await failuresBehind(inLine(0))).toContainEqual(expect.stringContaining('left alone'));
});

it('takes the time in a line for no silence where another model serves the caller', async () => {
  const other: LanguageModel = {
    ...inLine(0),
    id: 'b',
    generate: async () => ({
      text: 'Hello.',
      finish: 'stop',
      model: 'gguf:b',
      usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: false },
      attempts: [],
    }),
  };
  for (const [ahead, silences] of [
    [2, 0],
    [0, 5],
  ] as const) {
    const { chain, circuit } = chainOf([inLine(ahead), other]);
    for (let count = 0; count < 6; count++)
      expect(await chain.generate(request, { deadline: createDeadline(60_000), patience: {} })).toMatchObject({
        text: 'Hello.',
      });
    expect([circuit?.silences(), circuit?.state()]).toEqual([silences, ahead > 0 ? 'closed' : 'open']);
  }
});
