import { expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { createModelChain } from '../../../src/models/calls/chain.ts';
import { createCircuit } from '../../../src/models/calls/circuit.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { parsePrices } from '../../../src/models/money/prices.ts';

it('a stream that was left after its first words has served', async () => {
  let isDown = true;
  const model: LanguageModel = {
    id: 'a',
    provider: 'openai',
    generate: () => Promise.reject(new FootnoteError('internal', 'It is streamed here.')),
    async *stream() {
      if (isDown) throw new FootnoteError('upstream-unavailable', 'It is down.');
      yield { type: 'delta', text: 'Paris' };
      yield { type: 'delta', text: ' is more than a word.' };
    },
  };
  const circuit = createCircuit({ elapsedMs: () => 0 });
  const chain = createModelChain([{ model, circuit }], {
    prices: parsePrices(''),
    random: () => 0,
    wait: async () => undefined,
    elapsedMs: () => 0,
    rounds: 1,
  });
  const said = async (): Promise<string> => {
    const request = { messages: [{ role: 'user', content: 'The capital?' }], maxOutputTokens: 9 } as const;
    for await (const part of chain.stream(request, { deadline: createDeadline(60_000) }))
      if (part.type === 'delta') return part.text;
    return '';
  };
  for (let failed = 0; failed < 4; failed++) await expect(said()).rejects.toThrow('It is down.');
  circuit.silent();
  isDown = false;
  expect(await said()).toBe('Paris');
  expect(circuit.silences()).toBe(0);
  isDown = true;
  await expect(said()).rejects.toThrow('It is down.');
  expect(circuit.state()).toBe('closed');
});
