// What of a message is remembered: labelled messages, half of which were written before the rules, and the kinds of text that nothing may be
// taken from.
import { describe, expect, it } from 'vitest';
import { extractStatements } from '../../../src/memory/facts/statements/statements.ts';
import { readSnippets, scoreWriting, snippetSets } from '../../../testkit/memory/snippets.ts';

const said = (message: string): string[] => extractStatements(message).map(({ type, text }) => `${type}: ${text}`);

describe('extractStatements', () => {
  it('is judged by many messages', () => {
    expect(snippetSets.flatMap(readSnippets).length).toBeGreaterThanOrEqual(700);
  });

  /** Sets that rules were hardly mended on. */
  const isNew = (name: string): boolean => name === 'counted' || name === 'everyday';
  it.each(snippetSets)('writes what is wanted of the %s messages, and little else', (name) => {
    const { precision, recall } = scoreWriting(readSnippets(name), extractStatements);
    expect(precision).toBeGreaterThanOrEqual(isNew(name) ? 0.85 : 0.92);
    expect(recall).toBeGreaterThanOrEqual(isNew(name) ? 0.75 : 0.85);
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
    ['Remember that our fiscal year starts in April.', ['semantic: our fiscal year starts in April.']],
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
    'Yeah right, I just love standing in line.',
    'Act like my coach. I am a runner who hates hills.',
    "For this exercise I'm a nurse. I live in Bonn and I prefer tea.",
    'Dear all,\nI moved to Bonn and I prefer calls.\nBest regards, Olga\n\nMake it shorter.',
    'Write a letter saying I work at Acme and I hate my job.',
    "My brother-in-law collects stamps. I don't.",
    'I prefer the second draft.',
    'I am so proud of that!',
    'I moved the file and I am at the station.',
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
