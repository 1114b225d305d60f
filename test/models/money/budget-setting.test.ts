// Limits and sizes as people write them: every mistake is named, and none is taken for "no limit".
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { parseContextTokens } from '../../../src/models/language/context-tokens.ts';
import { parseBudgets } from '../../../src/models/money/budget-setting.ts';
import { parsePrices } from '../../../src/models/money/prices.ts';

const parseBudget = (text: string) => parseBudgets({ budget: text }, { budget: 'The budget' }).budget;

const errorOf = (work: () => unknown): FootnoteError => {
  try {
    work();
  } catch (error) {
    if (error instanceof FootnoteError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('limits', () => {
  it.each([
    ['none', {}],
    ['', {}],
    ['calls 12', { calls: 12 }],
    ['usd 0', { costUsd: 0 }],
    [
      ' calls 12,input-tokens 100000 , output-tokens  20000, usd 0.50 ',
      { calls: 12, inputTokens: 100_000, outputTokens: 20_000, costUsd: 0.5 },
    ],
  ])('%s', (text, limits) => {
    expect(parseBudget(text)).toEqual(limits);
  });

  it.each([
    'calls',
    'calls twelve',
    'calls -1',
    'calls 1.5',
    'calls 12 a day',
    'calls 1e3',
    'calls Infinity',
    'tokens 5',
    'toString 5',
    'calls 1, calls 2',
    'calls 12,',
    'none, calls 1',
    'eur 3',
    'calls 99999999999999999999',
  ])('refuses "%s"', (text) => {
    expect(errorOf(() => parseBudget(text)).code).toBe('config-invalid');
  });

  it('of tools and of their bytes are those of a request alone', () => {
    const names = { request: 'BUDGET_REQUEST', day: 'BUDGET_DAY' };
    const asked = { request: 'tools 3, calls 2, bytes 40000', day: 'none' };
    expect(parseBudgets(asked, names, 'request').request).toEqual({ tools: 3, calls: 2, bytes: 40_000 });
    const error = errorOf(() => parseBudgets({ request: 'tools 1.5', day: 'tools 3, bytes 1' }, names, 'request'));
    expect(error.details['mistakes']).toEqual([
      'BUDGET_REQUEST: "tools 1.5" is not a whole number.',
      'BUDGET_DAY: "tools 3" is not one of calls, input-tokens, output-tokens, usd with a number.',
      'BUDGET_DAY: "bytes 1" is not one of calls, input-tokens, output-tokens, usd with a number.',
    ]);
  });

  it('names every mistake of every setting', () => {
    const names = { day: 'BUDGET_DAY', keyDay: 'BUDGET_KEY_DAY' };
    const error = errorOf(() => parseBudgets({ day: 'calls x, eur 3, usd 1', keyDay: 'calls 1.5' }, names));
    expect(error.message).toContain('BUDGET_DAY: "calls x" has no number.');
    expect(error.message).toContain('BUDGET_DAY: "eur 3" is not one of calls, input-tokens, output-tokens, usd');
    expect(error.message).toContain('BUDGET_KEY_DAY: "calls 1.5" is not a whole number.');
    expect(error.details['mistakes']).toHaveLength(3);
    expect(parseBudgets({ day: 'usd 1', keyDay: 'none' }, names)).toEqual({ day: { costUsd: 1 }, keyDay: {} });
  });
});

describe('context sizes', () => {
  it('are read by provider and model, which may have colons of its own', () => {
    expect(parseContextTokens('openai:gpt-5.2 = 400000, compatible:qwen3:8b=32768')).toEqual({
      'openai:gpt-5.2': 400_000,
      'compatible:qwen3:8b': 32_768,
    });
    expect(parseContextTokens('')).toEqual({});
  });

  it('that cannot be read are all named', () => {
    const { code, message } = errorOf(() =>
      parseContextTokens('openai:a = 1000, openai:a = 2000, gpt-5 = 3000, openai:b = 12, openai:c = 4k'),
    );
    expect(code).toBe('config-invalid');
    for (const entry of ['"openai:a = 2000"', '"gpt-5 = 3000"', '"openai:b = 12"', '"openai:c = 4k"'])
      expect(message).toContain(entry);
    expect(message).not.toContain('"openai:a = 1000"');
  });
});

describe('prices', () => {
  it('stand once for each model: of two, one would be a wrong bill', () => {
    const error = errorOf(() => parsePrices('openai:a = 1/2, openai:b = free, openai:a = 3/4'));
    expect([error.code, error.details['mistakes']]).toEqual(['config-invalid', ['openai:a = 3/4']]);
  });
});
