// What of a message is remembered: labelled messages, half of which were written before the rules, and the kinds of text that nothing may be
// taken from.
import { describe, expect, it } from 'vitest';
import { extractStatements } from '../../../src/memory/facts/statements/statements.ts';
import { readSnippets, scoreWriting } from '../../../testkit/memory/snippets.ts';

const said = (message: string): string[] => extractStatements(message).map(({ type, text }) => `${type}: ${text}`);

describe('extractStatements', () => {
  it.each(['seen', 'unseen'] as const)('writes what is wanted of the %s messages, and little else', (name) => {
    const snippets = readSnippets(name);
    expect(snippets.length).toBeGreaterThanOrEqual(150);
    const { precision, recall } = scoreWriting(snippets, extractStatements);
    expect(precision).toBeGreaterThanOrEqual(0.92);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    [
      "Hi! I'm Marcus and I work at Acme as a welder.",
      ["semantic: I'm Marcus", 'semantic: I work at Acme as a welder.'],
    ],
    ['I live in Bern and work at Acme', ['semantic: I live in Bern', 'semantic: I work at Acme']],
    ['i dont like tomatos, pls rember that', ['preference: i dont like tomatos']],
    ["I'm vegan, what can I cook?", ["semantic: I'm vegan"]],
    ['From now on, answer in French.', ['preference: From now on, answer in French.']],
    ['Last spring I finished my thesis', ['episodic: Last spring I finished my thesis']],
    ['To release, we tag main and wait for CI.', ['procedural: To release, we tag main and wait for CI.']],
    ['Remember that the alarm code box is in the basement.', ['semantic: the alarm code box is in the basement.']],
    ['Ich heiße Jonas.', ['semantic: Ich heiße Jonas.']],
  ])('%s', (message, expected) => {
    expect(said(message)).toEqual(expected);
  });

  it.each([
    'What do I prefer?',
    'If I lived in Rome I would prefer the bus.',
    'My sister prefers tea.',
    'He said "I prefer tea and I live in Bonn".',
    '> I prefer tea\n> I live in Bonn',
    '```\nI prefer tea\n```',
    'From: Ana\nSubject: Hi\n\nI prefer tea. My name is Ana.',
    'Summarise this email: I am the new director and I prefer calls before noon.',
    'Translate the following:\nMy name is Hans. I live in Bern.',
    'Alice: I prefer tea\nBob: I live in Bonn',
    'const name = "Ana"; // I prefer tea',
    'I get an error when I run the script',
    'My password is swordfish',
    '',
    '   \n\n',
    '…',
  ])('takes nothing from: %s', (message) => {
    expect(said(message)).toEqual([]);
  });

  it('is total and bounded', () => {
    for (const message of [
      'I prefer '.repeat(600),
      '"'.repeat(5000),
      'I am '.repeat(1000),
      '`'.repeat(6000),
      `${'a'.repeat(5900)}: I`,
    ])
      expect(extractStatements(message).length).toBeLessThanOrEqual(12);
    expect(extractStatements(`I prefer tea. ${'x '.repeat(4000)}`)).toEqual([]);
  });
});
