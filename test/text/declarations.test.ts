import { describe, expect, it } from 'vitest';
import { declarationAsked, declarationWordsAsked, declaresWords, isDeclaration } from '../../src/text/declarations.ts';

describe('declarationAsked', () => {
  it.each([
    ['Where is retryWithBackoff implemented?', 'retryWithBackoff'],
    ['Where is the error FST_ERR_BODY defined?', 'FST_ERR_BODY'],
    ['What does get_schema do?', 'get_schema'],
    ['What does client.openWire() do?', 'openWire'],
    ['Which file defines `parse`?', 'parse'],
    ['In which function is maxAttempts read?', undefined],
    ['How is maxAttempts implemented?', 'maxAttempts'],
    ['Where is the treaty defined?', undefined],
    ['Where was McDonald born?', undefined],
    ['What is the default of maxAttempts?', undefined],
  ])('%s', (question, name) => {
    expect(declarationAsked(question)).toBe(name);
  });
});

describe('a declaration that is named in plain words', () => {
  it.each([
    ['Where is the capacity of the queue defined?', ['capacity', 'queue']],
    ['Where is the limit of retries set?', ['limit', 'retry']],
    ['Where is queueCapacity defined?', undefined],
    ['Where is the treaty defined?', undefined],
    ['Where is the bridge?', undefined],
  ])('%s', (question, words) => {
    expect(declarationWordsAsked(question)).toEqual(words);
  });

  it('is found by the words of its name, in any order and writing', () => {
    const words = ['capacity', 'queue'];
    for (const piece of ['export const queueCapacity = 10_000;', 'QUEUE_CAPACITY = 10', 'def capacity_of_queue(self):'])
      expect(declaresWords(words, piece), piece).toBe(true);
    for (const piece of [
      'if (size >= queueCapacity) throw full;',
      'const queue = [];',
      '// The capacity of the queue.',
    ])
      expect(declaresWords(words, piece), piece).toBe(false);
  });
});

describe('isDeclaration', () => {
  it.each([
    'export async function retry(send: Send): Promise<void> {',
    'class retry extends Policy {',
    'def retry(self, times):',
    'func (c *Client) retry(times int) error {',
    'pub fn retry(times: u32) -> bool {',
    'const retry = async () => {}',
    'exports.retry = function () {}',
    'Client.prototype.retry = function () {',
    '  retry: createError(1),',
    '  async retry (times) {',
    '  retry?: number;',
  ])('%s', (piece) => {
    expect(isDeclaration('retry', piece)).toBe(true);
  });

  it.each([
    'const done = retry(send)',
    "const { retry } = require('./retry')",
    "const retry = require('./retry')",
    'import { retry } from "./retry.ts"',
    'this.retry(send)',
    'if (retry === undefined) return',
    'function retryTwice() {}',
    'The function calls retry again.',
  ])('not: %s', (piece) => {
    expect(isDeclaration('retry', piece)).toBe(false);
  });
});
