// What of a message is remembered: labelled messages, that the model was fitted on, and the kinds of text that nothing may be taken from.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noMeaning } from '../../../src/memory/facts/fitted/meaning.ts';
import { readMessage } from '../../../src/memory/facts/statements/statements.ts';
import { type OpenedMeaning, openMeaning } from '../../../testkit/memory/meaning.ts';
import { readSnippets, scoreWriting, snippetSets } from '../../../testkit/memory/snippets.ts';

let opened: OpenedMeaning;
beforeAll(async () => {
  opened = await openMeaning();
});
afterAll(() => opened.close());
const read = async (message: string) => (await readMessage(message, opened.meaning)).statements;
const said = async (message: string): Promise<string[]> =>
  (await read(message)).map(({ type, text }) => `${type}: ${text}`);

describe('readMessage', () => {
  it('is judged by many messages', () => {
    expect(snippetSets.flatMap(readSnippets).length).toBeGreaterThanOrEqual(700);
  });

  it.each(snippetSets)('writes what is wanted of the %s messages, and little else', async (name) => {
    const { precision, recall } = await scoreWriting(readSnippets(name), read);
    expect(precision).toBeGreaterThanOrEqual(0.85);
    expect(recall).toBeGreaterThanOrEqual(0.85);
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
  ])('%s', async (message, expected) => {
    expect(await said(message)).toEqual(expected);
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
  ])('takes nothing from: %s', async (message) => {
    expect(await said(message)).toEqual([]);
  });

  it('is total and bounded', async () => {
    for (const message of [
      'I prefer '.repeat(600),
      '"'.repeat(5000),
      'I am '.repeat(1000),
      '`'.repeat(6000),
      `${'a'.repeat(5900)}: I`,
    ])
      expect((await readMessage(message, noMeaning)).statements.length).toBeLessThanOrEqual(12);
    expect(await read(`I prefer tea. ${'x '.repeat(4000)}`)).toEqual([]);
  });
});
