// What models cost, as operators write it: read with versions of models, and never guessed.
import { describe, expect, it } from 'vitest';
import { parsePrices } from '../../../src/models/money/prices.ts';

describe('prices', () => {
  it('know that what runs in this program is free', () => {
    for (const model of ['gguf:small', 'onnx:maker/nli'])
      expect(parsePrices('').of(model)).toMatchObject({ inputPerMillionUsd: 0, outputPerMillionUsd: 0 });
    expect(parsePrices('').of('onnxy:nli')).toBeUndefined();
  });

  it('are read, with versions, and never guessed', () => {
    const prices = parsePrices(
      'openai:gpt-5.2 = 1.75 / 14 / 0.175, openai:gpt-5.2-mini=0.25/2, compatible:qwen3:8b = free',
    );
    expect(prices.of('openai:gpt-5.2')).toEqual({
      inputPerMillionUsd: 1.75,
      outputPerMillionUsd: 14,
      cachedInputPerMillionUsd: 0.175,
    });
    expect(prices.of('openai:gpt-5.2-2026-08-01')).toEqual(prices.of('openai:gpt-5.2'));
    expect(prices.of('openai:gpt-5.2-mini')?.outputPerMillionUsd).toBe(2);
    expect(prices.of('openai:gpt-5.2-nano')).toBeUndefined();
    expect(prices.of('compatible:qwen3:8b')?.inputPerMillionUsd).toBe(0);
    expect(prices.of('anthropic:gpt-5.2')).toBeUndefined();
  });

  it('that cannot be read are all named', () => {
    expect(() => parsePrices('openai:a = 1, openai:b = x/y, gpt-5 = 1/2, openai:c = 1/2')).toThrow(
      /"openai:a = 1", "openai:b = x\/y", "gpt-5 = 1\/2"\. Write/,
    );
  });
});
