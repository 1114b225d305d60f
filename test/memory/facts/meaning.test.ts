// Long-term memory by the meaning of sentences, measured on sentences that nothing was fitted on (testkit/memory/labelled.ts): what is kept of a message, what
// takes the place of what, which questions are about the user, and whether a memory is found that shares no telling word with the question.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/ids.ts';
import { createRequestMemory } from '../../../src/memory/facts/for-requests.ts';
import { createLongTermMemory } from '../../../src/memory/facts/long-term.ts';
import { isAboutUser, speaksOfSelf } from '../../../src/memory/facts/questions.ts';
import { readMessage } from '../../../src/memory/facts/statements/statements.ts';
import { askedQuestions, paraphrases, sayingPairs } from '../../../testkit/memory/labelled.ts';
import { type OpenedMeaning, openMeaning } from '../../../testkit/memory/meaning.ts';
import { neverLookedAt, readSnippets, scoreWriting } from '../../../testkit/memory/snippets.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
let opened: OpenedMeaning;
beforeAll(async () => {
  opened = await openMeaning();
});
afterAll(() => opened.close());

function open() {
  let last = 0;
  const ids = {
    next(prefix: string) {
      last += 1;
      return `${prefix}_${last}`;
    },
  };
  const { meaning } = opened;
  const memory = createLongTermMemory({ memoriesOf: place.tenant.memoriesOf, clock: systemClock, ids, meaning });
  return {
    memory,
    memoryOf: createRequestMemory({ memory, meaning, recallK: 3, minSimilarity: 0.6, urlOf: (id) => id }),
  };
}

describe('long-term memory by meaning', () => {
  it.each([
    ['sealed', () => readSnippets('sealed')],
    ['never looked at', neverLookedAt],
  ] as const)('keeps what is wanted of the %s messages, and little else', async (_, snippets) => {
    const { precision, recall, mistakes } = await scoreWriting(
      snippets(),
      async (message) => (await readMessage(message, opened.meaning)).statements,
    );
    expect(precision, mistakes.join('\n')).toBeGreaterThanOrEqual(0.85);
    expect(recall, mistakes.join('\n')).toBeGreaterThanOrEqual(0.75);
  });

  it('ends what is no longer so, and nothing that stands beside it', async () => {
    const { memory } = open();
    const both: string[] = [];
    const ended: string[] = [];
    const pairs = sayingPairs('sealed');
    for (const [at, { before, after, isSuperseding }] of pairs.entries()) {
      await memory.add({ text: before, user: `user-${at}` });
      const { superseded } = await memory.add({ text: after, user: `user-${at}` });
      if (isSuperseding && superseded.length === 0) both.push(`${before} | ${after}`);
      if (!isSuperseding && superseded.length > 0) ended.push(`${before} | ${after}`);
    }
    expect(pairs.length).toBe(40);
    expect(both.length, both.join('\n')).toBeLessThanOrEqual(3);
    expect(ended.length, ended.join('\n')).toBeLessThanOrEqual(3);
  });

  it('finds a memory by a question that shares no telling word with it', async () => {
    const { memory } = open();
    const all = paraphrases('sealed');
    for (const { memory: text } of all) await memory.add({ text });
    const missed: string[] = [];
    for (const { memory: text, question } of all)
      if (!(await memory.find({ query: question })).some((one) => one.text === text))
        missed.push(`${question} | ${text}`);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.3 * all.length);
  });

  it('tells questions about the user from others', async () => {
    const wrong: string[] = [];
    for (const { question, isAboutUser: wanted } of askedQuestions('sealed')) {
      const [vector] = (await opened.meaning.ofSaid([question])) ?? [];
      if ((speaksOfSelf(question) && isAboutUser(question, vector)) !== wanted) wrong.push(question);
    }
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(6);
  });

  it('answers what is asked of the user, and lists what is known', async () => {
    const { memoryOf } = open();
    const mine = memoryOf('me');
    for (const message of ['We use Postgres for billing', 'Our puppy is called Biscuit.', 'I live in Lisbon.'])
      await mine.write((await mine.read(message)).statements, { answerId: 'ans' });
    await mine.write((await mine.read('I moved to Porto.')).statements, { answerId: 'ans' });
    const told = async (question: string) => (await mine.answersTo(question)).map(({ text }) => text);
    expect(await told('What is the name of our dog?')).toEqual(['Our puppy is called Biscuit.']);
    expect(await told('Where do I live?')).toEqual(['I moved to Porto.']);
    expect((await mine.recall('what storage engine holds invoices')).map(({ text }) => text)).toContain(
      'We use Postgres for billing',
    );
    expect(await told('What do you know about me?')).toEqual(
      expect.arrayContaining(['I moved to Porto.', 'Our puppy is called Biscuit.', 'We use Postgres for billing']),
    );
    expect(await told('How do I reset the password of a user?')).toEqual([]);
  });
});
