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

/** What callers are told, one after the other, whose deadline comes first. */
async function failuresBehind(model: LanguageModel): Promise<readonly string[]> {
  // Each look at the clock is twenty seconds later.
  let nowMs = 0;
  const elapsedMs = (): number => (nowMs += 20_000);
  const chain = createModelChain([{ model, circuit: createCircuit({ elapsedMs: () => 0 }) }], {
    prices: parsePrices(''),
    random: () => 0,
    wait: async () => undefined,
    elapsedMs,
  });
  const messages: string[] = [];
  for (let count = 0; count < 6; count++) {
    const request = { messages: [{ role: 'user', content: 'Hello' }], maxOutputTokens: 10 } as const;
    const failed = await chain.generate(request, { deadline: createDeadline(5), patience: {} }).catch(toFootnoteError);
    messages.push('message' in failed ? failed.message : 'served');
  }
  return messages;
}

it('opens no breaker, however long callers stand in the line of a model', async () => {
  expect(await failuresBehind(inLine(2))).not.toContainEqual(expect.stringContaining('left alone'));
  expect(await failuresBehind(inLine(0))).toContainEqual(expect.stringContaining('left alone'));
});
