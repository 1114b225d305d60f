// A model that says that the passages do not answer is believed, over documents about something else and over documents about the very subject;
// so is one whose only claim was false. The answer abstains and shows the closest passages as such: checked, cited, streamed and replayed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { replayTrace } from '../../src/footnote/replay/replay.ts';
import { answerOf, startFakeOpenAI } from '../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

/** A document, what is asked over it and it does not say, and a false claim about it. */
const related: readonly (readonly [title: string, text: string, asked: string, claimed: string])[] = [
  [
    'Kestrel Tower',
    'The Kestrel Tower is 112 metres tall.',
    'How tall was the old Kestrel Tower in 1820?',
    '98 metres',
  ],
  ['Leave', 'New employees get 25 days of annual leave.', 'How many days of annual leave do interns get?', '12 days'],
  ['Pump P-12', 'Pump P-12 moves 40 litres a minute.', 'How many litres a minute does pump P-12 lose?', '3 litres'],
  ['Ferry', 'The last ferry to Corran leaves at 21:15.', 'When does the first ferry to Corran leave?', '05:40'],
  ['Museum', 'The museum had 52,000 visitors in 2023.', 'How many visitors does the museum expect in 2030?', '90,000'],
  ['Backups', 'Backups are kept for 30 days on tape.', 'How long are backups kept in the cloud?', '400 days'],
  [
    'Harbour Club',
    'The annual fee of the Harbour Club is 120 EUR.',
    'What was the annual fee of the Harbour Club?',
    '77',
  ],
  [
    'Gateway',
    'The default timeout of the gateway is 30 seconds.',
    'What is the longest timeout of the gateway?',
    '999',
  ],
  [
    'Velorin',
    'The daily dose of Velorin is 40 mg for adults.',
    'What is the daily dose of Velorin for children?',
    '5 mg',
  ],
  [
    'Mill House',
    'The Mill House was designed by Clara Voss.',
    'Who designed the garden of the Mill House?',
    'Garden 7',
  ],
  ['Lake Tarn', 'Lake Tarn is 38 metres deep at the weir.', 'How deep is Lake Tarn at the pier?', '71 metres'],
  ['Corvid Labs', 'Corvid Labs was founded in 2011 in Ghent.', 'When was Corvid Labs sold?', '2019'],
  ['Rye bread', 'The rye bread bakes for 60 minutes.', 'How long does the rye bread rest?', '20 minutes'],
  ['Server hera', 'The server hera has 64 GB of memory.', 'How much disk does the server hera have?', '8 TB'],
  ['Contract', 'The deposit of contract 8814 is 450 EUR.', 'What is the rent of contract 8814?', '610 EUR'],
  ['Tariff', 'Der Tarif Nord kostet 12 Euro im Monat.', 'Was kostet der Tarif Nord im Jahr?', '99 Euro'],
];
const unrelated = [
  'Who painted the ceiling of the opera in Lyon?',
  'How many moons does Saturn have?',
  'What is the boiling point of ethanol?',
  'When did the Thirty Years War end?',
  'Which river flows through Prague?',
  'What is the airspeed of a swallow?',
  'Who discovered penicillin?',
  'How do I boil an egg?',
  'What is the deposit of the moon base?',
  'How long is the fee of silence?',
  'Who designed the annual visitors?',
  'Which minute does the server leave?',
  'How many days does the museum bake?',
  'What does the daily tower cost?',
  'Where is the last backup buried?',
  'Was kostet ein Pferd?',
];

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
let provider: Awaited<ReturnType<typeof startFakeOpenAI>>;
/** What the model says next. */
let reply = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-believed-'));
  provider = await startFakeOpenAI((request) =>
    request.prompt.includes('<claim>') ? '{"claims": [], "insufficient": true}' : reply,
  );
  opened = await openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...provider.environment } }),
  );
  footnote = opened.forScope(localScope());
  for (const [title, text] of related) await footnote.documents.add({ title, text, uri: title });
  await opened.settle('default');
});
afterAll(async () => {
  await opened.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

/** Asks, and checks all that holds of an abstention with its closest passages. */
async function abstention(question: string) {
  let streamed = '';
  const cited: number[] = [];
  const answer = await footnote.ask(
    { question },
    {
      onEvent(event) {
        if (event.type === 'delta') streamed += event.text;
        if (event.type === 'citation') cited.push(event.citation.index);
      },
    },
  );
  expect(answer, question).toMatchObject({ abstained: true, claims: [], conflicts: [] });
  expect(answer.closestPassages).toBeUndefined();
  expect(streamed).toBe(answer.answer);
  expect(cited).toEqual(answer.citations.map(({ index }) => index));
  for (const { citations } of answer.passages ?? []) expect(citations.length).toBeGreaterThan(0);
  if (answer.passages) expect(answer.answer).toContain('The closest passages:\n');
  expect(await footnote.answers.verify(answer)).toMatchObject({ ok: true });
  return answer;
}

describe('a model that says that the passages do not answer', () => {
  it.each(related.map(([title, , asked]) => [asked, title] as const))('is believed: %s', async (asked, title) => {
    reply = '{"claims": [], "insufficient": true}';
    const answer = await abstention(asked);
    expect(answer.passages?.length).toBeGreaterThan(0);
    expect(answer.citations.map((one) => one.title)).toContain(title);
    expect(answer.abstainReason).toBeDefined();
    const replay = await replayTrace(await footnote.traces.get(answer.traceId));
    expect(replay).toMatchObject({ same: true, sameCalls: true, divergences: [] });
  });

  it.each(unrelated)('is believed over documents about something else: %s', async (asked) => {
    reply = '{"claims": [], "insufficient": true}';
    await abstention(asked);
  });

  it.each(related.map(([title, text, asked, claimed]) => [asked, title, text, claimed] as const))(
    'abstains where its only claim was false: %s',
    async (asked, _, quote, claimed) => {
      reply = answerOf([{ text: `${claimed}.`, quote }]);
      const answer = await abstention(asked);
      expect(answer.passages?.length).toBeGreaterThan(0);
      expect(answer.answer).not.toContain(claimed);
      expect(answer.degraded.map(({ code }) => code)).toContain('claims-unsupported');
    },
  );

  it('loses its passages with their document, and keeps its reason', async () => {
    reply = '{"claims": [], "insufficient": true}';
    const [added] = await footnote.documents.add({ text: 'The quince tree was planted in 1931.', uri: 'quince' });
    await opened.settle('default');
    const answer = await abstention('When was the quince tree felled?');
    expect(answer.answer).toContain('1931');
    await footnote.documents.delete(added!.id);
    await opened.settleErasures();
    const left = await footnote.answers.get(answer.id);
    expect(JSON.stringify(left)).not.toContain('1931');
    expect(left).toMatchObject({ abstained: true, claims: [], erased: { documents: [added!.id] } });
    expect(await footnote.answers.verify(left!)).toMatchObject({ ok: true });
  });

  it('cannot be given passages that nobody said', async () => {
    reply = '{"claims": [], "insufficient": true}';
    const answer = await abstention(related[0]![2]);
    const [first, ...rest] = answer.passages ?? [];
    const forged = { ...answer, passages: [{ ...first!, text: 'The Kestrel Tower is 512 metres tall.' }, ...rest] };
    expect(await footnote.answers.verify(forged)).toMatchObject({ ok: false });
    const added = { ...answer, answer: `${answer.answer} And it leans.` };
    expect(await footnote.answers.verify(added)).toMatchObject({ ok: false });
  });
});

describe('the confidence of what a model wrote', () => {
  it('is that of its own claims', async () => {
    const [, text, , claimed] = related[4]!;
    expect(claimed).toBeDefined();
    reply = answerOf([{ text, quote: text }]);
    const fitting = await footnote.ask({ question: 'How many visitors did the museum have in 2023?' });
    const [, beside] = related[9]!;
    reply = answerOf([{ text: beside, quote: beside }]);
    const off = await footnote.ask({ question: 'How many visitors did the museum have in 2023? Who counted them?' });
    expect(fitting.confidence).toBeGreaterThan(0.7);
    if (off.claims.length > 0) expect(off.confidence).toBeLessThan(fitting.confidence / 2);
  });
});
