// People who come back: each of six users told 20 things about themselves in the middle of what they came for, and asks days later in another
// session. With memory off no document answers them. Beside them ordinary questions (XQuAD), which memory must not touch.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { containsAnswer } from '../../src/evals/judges/matching.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { sharedData } from '../../testkit/shared-data.ts';

/** What is told, what is asked later, and the values by user. */
const told: readonly (readonly [told: string, asked: string, values: string])[] = [
  ['Quick question about tax: I live in #. Do I file online?', 'Where do I live?', 'Malmö;Gdansk;Cork'],
  ['I work at # as an analyst, how do I write a review?', 'Where do I work?', 'Ericsson;Lindner Logistics;Nordea'],
  ["I'm allergic to #, so which snacks are safe?", 'What am I allergic to?', 'peanuts;shellfish;penicillin'],
  ['My manager is #. How do I ask for a raise?', 'Who is my manager?', 'Helga Brandt;Yusuf Demir;Ana Silva'],
  ['My deadline is #, can I still change the scope?', 'When is my deadline?', '3 March;9 April;12 May'],
  ['We use # for billing. Is that wise?', 'What do we use for billing?', 'Postgres;Stripe;Oracle'],
  ['I prefer # answers, please.', 'What kind of answers do I prefer?', 'short;detailed;formal'],
  ['Remember that the spare key is #.', 'Where is the spare key?', 'in the shed;with Marta;under the bench'],
  ['My daughter is called #. What gift suits a six-year-old?', "What is my daughter's name?", 'Mila;Ines;Lotte'],
  ['I drive a #. Which tyres fit?', 'What do I drive?', '2012 Corolla;Fiat Panda;Skoda Octavia'],
  ['We deploy on #, what could go wrong?', 'When do we deploy?', 'Mondays;Thursdays;Tuesdays'],
  ['My budget is #. Which camera would do?', 'What is my budget?', '900 euros;1500 euros;400 euros'],
  ['I switched to # last month. How do I move my bookmarks?', 'Which browser do I use?', 'Firefox;Vivaldi;Brave'],
  ['I speak # and some English. Any book tips?', 'Which languages do I speak?', 'Portuguese;Danish;Korean'],
  ['My favourite editor is #, do you have tips?', 'What is my favourite editor?', 'Helix;Emacs;Zed'],
  ['I play the # in an orchestra. How often should I practise?', 'Which instrument do I play?', 'cello;oboe;harp'],
  ['I take # every morning. May I drink grapefruit juice?', 'What do I take every morning?', 'statins;insulin;iron'],
  ['Our standup is at #, is that too early?', 'When is our standup?', '9:15;8:45;10:30'],
  ['I study # at the Open University. How do I cite a lecture?', 'What do I study?', 'psychology;chemistry;law'],
  ['I collect #. How do I store them?', 'What do I collect?', 'stamps;cameras;maps'],
];
/** More of the same people, who said something that was not asked for. */
const asides: readonly string[] = [
  'My sister lives in Bern.',
  'What is the capital of Peru?',
  'I might move to Canada one day.',
  'He said "I prefer tea".',
];

const answersSchema = z.array(z.object({ text: z.string() }));
const ordinaryQuestions = 240;

export interface ReturningFigures {
  readonly questions: number;
  readonly without: number;
  readonly with: number;
  readonly ordinary: number;
  readonly ordinaryWithout: number;
  readonly ordinaryWith: number;
  /** Ordinary questions that were answered rightly without memory and are not with it. */
  readonly worse: readonly string[];
}

const rounds = 6;
const percent = (count: number, of: number): number => Math.round((1000 * count) / Math.max(1, of)) / 10;

export async function measureReturningUsers(): Promise<ReturningFigures | undefined> {
  const data = sharedData('xquad-en');
  if (data === undefined) return undefined;
  const xquad = await openRetrievalDataset(data);
  const queries = xquad.queries.slice(0, ordinaryQuestions);
  const results = new Map<boolean, { own: boolean[]; ordinary: boolean[] }>();
  for (const isOn of [false, true]) {
    const folder = await mkdtemp(join(tmpdir(), 'footnote-returning-'));
    const environment = { FOOTNOTE_DATA: join(folder, 'data'), ENABLE_SEMANTIC_MEMORY: String(isOn) };
    const opened = await openFootnote(loadConfig({ folder, environment }));
    try {
      const footnote = opened.forScope(localScope());
      for await (const { id, title, text } of xquad.documents()) await footnote.documents.add({ uri: id, title, text });
      const own: boolean[] = [];
      for (let user = 0; user < rounds; user += 1) {
        const name = `user-${user}`;
        const mine = told.map(([message, question, values]) => {
          const value = values.split(';')[user % 3] as string;
          return { message: message.replace('#', value), question, value };
        });
        for (const content of [...mine.map(({ message }) => message), ...asides])
          await footnote.sessions.send(`first-${name}`, { content, user: name });
        for (const { question, value } of mine) {
          const answer = await footnote.sessions.send(`later-${name}-${own.length}`, { content: question, user: name });
          own.push(!answer.abstained && answer.answer.includes(value));
        }
      }
      const ordinary: boolean[] = [];
      for (const query of queries) {
        const answer = await footnote.ask({ question: query.text, ...(isOn && { user: 'user-0' }) });
        const gold = answersSchema.parse(query.metadata['answers']);
        ordinary.push(gold.some(({ text }) => containsAnswer(answer.answer, text)));
      }
      results.set(isOn, { own, ordinary });
    } finally {
      await opened.close();
      await rm(folder, { recursive: true });
    }
  }
  const [off, on] = [results.get(false), results.get(true)];
  if (!off || !on) return undefined;
  const right = (all: readonly boolean[]): number => percent(all.filter(Boolean).length, all.length);
  return {
    questions: on.own.length,
    without: right(off.own),
    with: right(on.own),
    ordinary: queries.length,
    ordinaryWithout: right(off.ordinary),
    ordinaryWith: right(on.ordinary),
    worse: queries.filter((_, at) => off.ordinary[at] && !on.ordinary[at]).map(({ text }) => text),
  };
}
