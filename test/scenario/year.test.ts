// A year of somebody's talk, what was told of the person and the manuals of a household are in: ten questions, in words that none of what answers them
// has, lead to the right place. Without the encoder words alone are compared, and nothing is found by other words: then it is skipped.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { systemClock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { openLocalEncoder } from '../../src/models/encoder/local-encoder.ts';
import { analyzeText } from '../../src/text/analyze.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { chats, exportOfYear } from '../../testkit/year/chats.ts';
import { manuals } from '../../testkit/year/manuals.ts';
import { farQuestions, questions, type YearQuestion } from '../../testkit/year/questions.ts';
import { told } from '../../testkit/year/told.ts';

/** Documents by the vectors of the same encoder: those learned from six files know none of their words. */
const settings = {
  ENABLE_SEMANTIC_MEMORY: 'true',
  ENCODER_TIMEOUT_MS: '60000',
  MODEL_EMBED: 'onnx:encoder',
  MODELS_FOLDER: join(import.meta.dirname, '../../models'),
};

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

const isOfTime = (place: string): boolean => /^\d{4}-\d\d$/u.test(place);

/** Whether what is cited stands where it should, and nothing that was told of the person is taken for anything else. */
function isRight({ citations }: Answer, { of, place }: YearQuestion): boolean {
  const cited = citations.map(({ quote, source, conversationId, timestamp = '' }) => ({
    of: source === 'memory' ? 'person' : conversationId === undefined ? 'manual' : 'past',
    isThere: isOfTime(place) ? timestamp.startsWith(place) : quote.includes(place),
  }));
  if (of === 'person' || isOfTime(place)) return cited.length > 0 && cited.every((one) => one.of === of && one.isThere);
  return cited.some((one) => one.of === of && one.isThere);
}

async function wrongOf(all: readonly YearQuestion[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const one of all) {
    const answer = await footnote.ask({ question: one.question });
    if (!isRight(answer, one)) wrong.push(`${one.question} -> ${answer.answer.slice(0, 300)}`);
  }
  return wrong;
}

const paragraphs = (): readonly string[] => [
  ...told,
  ...chats.flatMap(([, , ...said]) => said),
  ...Object.values(manuals).flatMap((text) => text.split('\n\n')),
];

const hasEncoder = await openLocalEncoder().then(
  async (encoder) => encoder.warm().then(() => encoder.close().then(() => true)),
  () => false,
);
if (!hasEncoder) console.log('The encoder cannot run here: the year of talk is not asked.');

describe.skipIf(!hasEncoder)('a year of talk, what was told of a person and the manuals of a household', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-year-'));
    opened = await openFootnote(
      loadConfig({ folder, environment: { ...settings, FOOTNOTE_DATA: join(folder, 'data') } }),
      {
        withEncoder: true,
        clock: { ...systemClock, now: () => '2026-01-10T09:00:00.000Z' },
      },
    );
    footnote = opened.forScope(localScope());
    const path = join(folder, 'conversations.json');
    await writeFile(path, exportOfYear());
    const report = await footnote.conversations.import({ content: { path }, details: { name: 'conversations.json' } });
    expect(report).toMatchObject({ conversations: chats.length });
    await mkdir(join(folder, 'manuals'));
    for (const [name, text] of Object.entries(manuals)) await writeFile(join(folder, 'manuals', name), text);
    const connector = { kind: 'folder', path: join(folder, 'manuals') } as const;
    await footnote.sources.put({ name: 'manuals', type: 'docs', connector });
    await footnote.sources.sync('manuals');
    for (const [at, content] of told.entries()) await footnote.sessions.send(`told-${at}`, { content });
    await opened.settle(localScope().tenant);
  });
  afterAll(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('have none of the words that are asked with, where they answer', () => {
    const wordsOf = (text: string) => new Set(analyzeText(text, { language: 'en' }));
    for (const { question, place } of [...questions, ...farQuestions].filter((one) => !isOfTime(one.place))) {
      const [there = '', ...others] = paragraphs().filter((text) => text.includes(place));
      expect(there, place).not.toBe('');
      for (const text of [there, ...others])
        expect([...wordsOf(question).intersection(wordsOf(text))], `${question} | ${text}`).toEqual([]);
    }
  });

  it('answer what is asked in other words from the right place', async () => {
    const wrong = await wrongOf(questions);
    expect(questions).toHaveLength(10);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(2);
  });

  it('answer nothing from what was told of the person where the question does not speak of them', async () => {
    const { citations } = await footnote.ask({ question: 'Which languages does the porter talk in?' });
    expect(citations.filter(({ source }) => source === 'memory')).toEqual([]);
  });

  it('answer what takes a step of thought besides as far as they did', async () => {
    const wrong = await wrongOf(farQuestions);
    expect(farQuestions).toHaveLength(10);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(4);
  });
});
