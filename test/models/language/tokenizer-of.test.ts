import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodingOf, tokenizerOf } from '../../../src/models/language/tokenizer-of.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';
import { sharedData } from '../../../testkit/shared-data.ts';

describe('the encoding of a model', () => {
  it.each([
    ['openai', 'gpt-5.2', 'o200k_base'],
    ['openai', 'gpt-4o-mini-2024-07-18', 'o200k_base'],
    ['openai', 'gpt-4.1', 'o200k_base'],
    ['openai', 'o3-mini', 'o200k_base'],
    ['azure', 'gpt-4o', 'o200k_base'],
    ['compatible', 'openai/gpt-4o', 'o200k_base'],
    ['openai', 'ft:gpt-4o-mini:acme::abc', 'o200k_base'],
    ['compatible', 'gpt-oss:20b', 'o200k_harmony'],
    ['openai', 'gpt-4', 'cl100k_base'],
    ['openai', 'gpt-4-turbo-2024-04-09', 'cl100k_base'],
    ['azure', 'gpt-35-turbo', 'cl100k_base'],
    ['openai', 'gpt-3.5-turbo', 'cl100k_base'],
    ['openai', 'text-embedding-3-small', 'cl100k_base'],
  ])('%s:%s is %s, exactly', (provider, id, name) => {
    expect(encodingOf(provider, id)).toEqual({ name, isExact: true, margin: 1 });
  });

  it.each([
    ['anthropic', 'claude-3-5-sonnet-20241022', 1.3],
    ['anthropic', 'claude-sonnet-4-5-20250929', 1.3],
    ['anthropic', 'claude-opus-4-20250514', 1.3],
    ['anthropic', 'claude-opus-4-6', 1.3],
    ['compatible', 'anthropic/claude-opus-4.1', 1.3],
    ['anthropic', 'claude-opus-4-7', 1.7],
    ['anthropic', 'claude-opus-4-10', 1.7],
    ['anthropic', 'claude-sonnet-5', 1.7],
    ['anthropic', 'some-alias', 1.7],
    ['compatible', 'qwen3:8b', 1.4],
    ['azure', 'my-deployment', 1.4],
    ['openai', 'gpt-9', 1.4],
    ['compatible', 'o2-large', 1.4],
  ])('%s:%s is not known: o200k_base with a margin of %d', (provider, id, margin) => {
    expect(encodingOf(provider, id)).toEqual({ name: 'o200k_base', isExact: false, margin });
  });
});

describe('a tokenizer', () => {
  // Counts of the OpenAI cookbook, "How to count tokens with tiktoken".
  it.each([
    ['gpt-4', 'antidisestablishmentarianism', 6],
    ['gpt-4', '2 + 2 = 4', 7],
    ['gpt-4', 'お誕生日おめでとう', 9],
    ['gpt-4o', 'お誕生日おめでとう', 8],
  ])('counts as %s does: %s', async (id, text, tokens) => {
    expect((await tokenizerOf('openai', id)).count(text)).toBe(tokens);
  });

  it('takes special tokens for the text that they are, and long runs in linear time', async () => {
    const { count } = await tokenizerOf('openai', 'gpt-4');
    expect(count('before <|endoftext|> after')).toBeGreaterThan(5);
    const run = 'ab'.repeat(100_000);
    const tookMs = startProcessorTime();
    expect(count(run)).toBeLessThanOrEqual(run.length);
    expect(count(`${'x'.repeat(600)} `)).toBeGreaterThan(count('x'.repeat(600)) - 1);
    expect(tookMs()).toBeLessThan(5000);
  });

  it('has no margin where it is exact, and more where letters are not Latin', async () => {
    const exact = await tokenizerOf('openai', 'gpt-4o');
    expect(exact.margin('الرصيف طويل')).toBe(1);
    const other = await tokenizerOf('compatible', 'qwen3:8b');
    expect(other.margin('The pier is long. 340 m')).toBe(1.4);
    expect(other.margin('')).toBe(1.4);
    expect(other.margin('الرصيف طويل')).toBeCloseTo(2.6);
    expect(other.margin('The pier: الرصيف')).toBeGreaterThan(1.4);
    expect(other.margin('The pier: الرصيف')).toBeLessThan(2.6);
  });

  const folder = sharedData('xquad-en');
  it.skipIf(!folder)(
    'has margins that hold for 95 of 100 paragraphs of four languages, digits one by one',
    async () => {
      const cl100k = await tokenizerOf('openai', 'gpt-4');
      const other = await tokenizerOf('compatible', 'qwen3:8b');
      for (const language of ['en', 'de', 'zh', 'ar']) {
        const path = sharedData(`xquad-${language}`);
        if (!path) continue;
        const bytes = ['corpus.jsonl', 'corpus.jsonl.gz'].flatMap((name) => {
          try {
            return [readFileSync(join(path, name))];
          } catch {
            return [];
          }
        })[0] as Buffer;
        const lines = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n').slice(0, 80);
        const held = lines.filter((line) => {
          const { text } = JSON.parse(line) as { text: string };
          const digits = (text.match(/\p{N}/gu)?.length ?? 0) - (text.match(/\p{N}{1,3}/gu)?.length ?? 0);
          return cl100k.count(text) + digits <= countTokens(text) * other.margin(text);
        });
        expect(held.length / lines.length, language).toBeGreaterThanOrEqual(0.95);
      }
    },
  );
});
