// Turns of every kind, asked of whole systems: modes, intents, filters, models that write well, forge, stammer, fail, stall and reason, judges,
// routers, rerankers, stores that are down or silent, budgets, sessions, cancellations and deadlines. Each leaves its trace.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import type { WorkspaceFile } from '../../src/core/answer.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import { type Mode, modes } from '../../src/core/search.ts';
import type { SavedTrace } from '../../src/core/trace-file.ts';
import type { CallOptions, Footnote } from '../../src/footnote/facade.ts';
import { answerOf, type FakeReply, type FakeRequest, startFakeOpenAI } from '../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { isRevised, type SystemKind, setupOf, webQuestions } from './recorded-systems.ts';

export interface RecordedTurn {
  readonly kind: string;
  readonly saved: SavedTrace;
  /** What whoever asked was given, as JSON; undefined where it was an error. */
  readonly answer?: string;
  /** What the stream showed. */
  readonly shown: string;
}

const things = ['lighthouse', 'harbour', 'archive', 'mill', 'winery', 'quarry', 'ferry', 'museum'];
const places = ['Cabo Frio', 'Lindau', 'Sines', 'Vardø', 'Oban', 'Kotor'];
const sentenceOf = (thing: string, place: string, n: number): string =>
  `The ${thing} of ${place} was built in ${1800 + n} and is ${20 + n} metres tall.`;

function documents(): readonly { readonly uri: string; readonly text: string }[] {
  return places.flatMap((place, p) =>
    things.map((thing, t) => {
      const n = p * things.length + t;
      const lines = [
        `# The ${thing} of ${place}`,
        '',
        sentenceOf(thing, place, n),
        `It is open on ${['Monday', 'Tuesday', 'Friday'][n % 3]} and costs ${n + 1} euros.`,
        '',
        '| Year | Visitors |',
        '|---|---|',
        ...[1, 2, 3].map((row) => `| ${2000 + row} | ${n * 100 + row} |`),
        '',
        `The International Society of Old Buildings (ISOB) looks after the ${thing}. It was never moved.`,
      ];
      return { uri: `${thing}-${p}.md`, text: lines.join('\n') };
    }),
  );
}

/** What a person has open: some of it answers, some of it cannot be read. */
const filesOf = (n: number): WorkspaceFile[] => [
  {
    path: 'notes/today.md',
    text: `# Today\n\n${sentenceOf(things[n % things.length] ?? '', places[n % places.length] ?? '', n)}\n`,
  },
  { path: 'src/limits.ts', text: '// Limits.\nexport const most = 3;\n' },
  { path: 'empty.txt', text: ' ' },
];

const questions = places.flatMap((place, p) =>
  things.map((thing, t) => {
    const forms = [
      `How tall is the ${thing} of ${place}?`,
      `When was the ${thing} of ${place} built, and what does it cost?`,
      `Who looks after the ${thing} in ${place}?`,
      `Compare the ${thing} of ${place} with the ${things[(t + 1) % things.length]}.`,
      `What did ISOB say of ${place}?`,
      `Is there a spaceport in ${place}?`,
    ];
    return forms[(p + t) % forms.length] ?? '';
  }),
);

const cited = ({ prompt }: FakeRequest): string =>
  /The \w+ of [^.|\n]+ was built in \d+ and is \d+ metres tall\./u.exec(prompt)?.[0] ?? 'Nothing of it.';

const isAnswer = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('"claims"');

/** What models say, by the number of the question. */
const manners: readonly ((request: FakeRequest) => string | FakeReply)[] = [
  (request) => answerOf([{ text: cited(request), quote: cited(request) }]),
  (request) => answerOf([{ text: cited(request).replace(/\d+ metres/u, '999 metres'), quote: cited(request) }]),
  () => 'I would rather not say.',
  () => '{"claims": [], "insufficient": true}',
  () => ({ error: { status: 500, message: 'It broke.' } }),
  (request) => ({ text: answerOf([{ text: cited(request), quote: cited(request) }]), cutAfter: 4 }),
  () => ({ error: { status: 429, headers: { 'retry-after': '0' } } }),
  (request) =>
    answerOf([
      { text: cited(request), quote: cited(request) },
      { text: 'It is made of cheese.', quote: 'It is made of cheese.' },
      { text: cited(request).replace('was built', 'went up'), quote: cited(request) },
    ]),
  (request) => ({ text: answerOf([{ text: cited(request), quote: cited(request) }]), stop: 'length' }),
  () => ({ refusal: 'I will not.' }),
];

/** What a model says that is asked for plain sentences. */
const sentences: readonly ((request: FakeRequest) => string | FakeReply)[] = [
  (request) => `${cited(request)} [1] It is made of cheese. [2]`,
  () => 'NOT FOUND',
  (request) => `${cited(request).replace(/\d+ metres/u, '999 metres')} ${cited(request)}`,
  (request) => ({ text: `${cited(request)} ${cited(request)}`, cutAfter: 4 }),
  () => ({ error: { status: 500, message: 'It broke.' } }),
  (request) => `${cited(request)} `.repeat(40),
  () => '',
];

const seeks = (name: string, text: string): FakeReply => ({
  toolCalls: [{ id: `c${name.length}`, name, arguments: text }],
});
const hasLooked = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('"c15"');

/** What a model that gathers with tools does. */
const toolManners: readonly ((request: FakeRequest) => string | FakeReply)[] = [
  (request) => (hasLooked(request) ? 'Enough.' : seeks('search_embedded', '{"query":"built in tall","limit":4}')),
  () => 'Enough.',
  () => seeks('search_embedded', '{"query":"ISOB looks after","limit":3}'),
  (request) => (hasLooked(request) ? 'Enough.' : seeks('search_embedded', '{"query":')),
  () => seeks('search_elsewhere', '{"query":"x"}'),
  () => ({ error: { status: 500, message: 'It broke.' } }),
  () => ({ text: 'Enough', cutAfter: 2 }),
];

/** What a model that takes questions apart makes of them. */
const planManners: readonly ((request: FakeRequest) => string | FakeReply)[] = [
  ({ prompt }) => planOf(/the \w+ of \p{Lu}\p{L}+/u.exec(prompt)?.[0] ?? 'it', ['tall', 'old']),
  ({ prompt }) => planOf(/the \w+ of \p{Lu}\p{L}+/u.exec(prompt)?.[0] ?? 'it', ['tall', 'tall']),
  () => '{"complexity": 0.1, "reason": "one", "subQueries": []}',
  () => 'I would rather not say.',
  () => ({ error: { status: 500, message: 'It broke.' } }),
];
const planOf = (thing: string, asked: readonly string[]): string =>
  JSON.stringify({
    complexity: 0.9,
    reason: 'several',
    subQueries: asked.map((word, at) => ({
      id: `q${at}`,
      query: `How ${word} is ${thing}?`,
      dependencies: [],
      thing: null,
      criterion: null,
    })),
  });

const partQuestions = places.flatMap((place, p) => {
  const [one, other] = [things[p % things.length], things[(p + 3) % things.length]];
  return [
    `Compare the ${one} of ${place} and the ${other} of ${place} in height, and say which was built first.`,
    `How tall is the ${one} of ${place}, and who looks after the ${other} of ${place}?`,
    `When was the ${one} of ${place} built, what does the spaceport of ${place} cost, and when is the ${other} of ${place} open?`,
  ];
});

const said = [
  'I live in Lisbon.',
  'My favourite colour is teal.',
  'Where do I live?',
  'I prefer short answers.',
  'What is my favourite colour?',
  'What do you know about me?',
];

const topics = ['solar panels', 'tomatoes', 'the bicycle'];
const talk = topics.flatMap((topic) => [
  `When did I first talk about ${topic}, and what did we decide?`,
  `What did ${topic} cost?`,
  `Is there a spaceport for ${topic}?`,
]);

async function importTalk(footnote: Footnote, folder: string): Promise<void> {
  const lines = topics.flatMap((topic, t) =>
    [
      `I wonder about ${topic}.`,
      `We decided that ${topic} can wait until week ${10 + t}.`,
      `Somebody told me that ${topic} cost ${100 * t + 40} euros.`,
    ].map((text, n) => {
      const timestamp = new Date(Date.UTC(2022 + n, t * 2, 3 + n)).toISOString();
      return {
        conversation_id: `c${t}`,
        turn_id: `t${t}-${n}`,
        role: 'user',
        text,
        timestamp,
        title: `About ${topic}`,
      };
    }),
  );
  const path = join(folder, 'talk.jsonl');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await footnote.conversations.import({ content: { path }, details: { name: 'talk.jsonl' } });
}

interface AskedSystem {
  readonly footnote: Footnote;
  readonly kind: string;
}

/** Keeps what a call left behind, however it ended. */
async function turn(
  { footnote, kind }: AskedSystem,
  work: (call: CallOptions) => Promise<{ readonly traceId: string }>,
  call: CallOptions = {},
): Promise<RecordedTurn> {
  const shown: string[] = [];
  let traceId = '';
  let answer: string | undefined;
  const told: CallOptions = {
    ...call,
    onEvent(event) {
      shown.push(JSON.stringify(event));
      call.onEvent?.(event);
    },
  };
  try {
    const given = await work(told);
    traceId = given.traceId;
    answer = JSON.stringify(given);
  } catch {
    traceId = (await footnote.traces.list({ limit: 1 })).data[0]?.id ?? '';
  }
  const isShown = (text: string): boolean =>
    /"type":"(?:delta|citation|done|error|verdict|status)"/u.test(text.slice(0, 30));
  const saved = await footnote.traces.get(traceId);
  return { kind, saved, shown: shown.filter(isShown).join('\n'), ...(answer !== undefined && { answer }) };
}

export interface TurnSource {
  turns(count: number): AsyncGenerator<RecordedTurn>;
  readonly footnote: Footnote;
  close(): Promise<void>;
}

/** What a critic says, by the number of the question. */
const critics: readonly string[] = [
  '{"coverage": 0.2, "groundedness": 1, "claims": [], "queries": ["visitors ferry"], "read": [1], "reason": "more"}',
  '{"coverage": 1, "groundedness": 1, "claims": [{"id": 1, "verdict": "remove", "text": ""}], "queries": [], "read": [], "reason": "no"}',
  'I would rather not say.',
  '{"coverage": 0.9, "groundedness": 0.5, "claims": [{"id": 1, "verdict": "revise", "text": "It is 999 metres tall."}], "queries": [], "read": [], "reason": "so"}',
];

export async function openTurns(kind: SystemKind): Promise<TurnSource> {
  const folder = await mkdtemp(join(tmpdir(), `footnote-replay-${kind}-`));
  const { environment, options, provider, before, close } = await setupOf(kind);
  let place = 0;
  const fake = provider
    ? await startFakeOpenAI((request) => {
        if (kind === 'silent') return { text: 'x', hangAfter: place % 2 === 0 ? 0 : 2 };
        if (kind === 'tools') return (toolManners[place % toolManners.length] ?? (() => 'Enough.'))(request);
        if (kind === 'planned') return (planManners[place % planManners.length] ?? (() => 'No.'))(request);
        const asked = JSON.stringify(request.body);
        if (asked.includes('groundedness')) return critics[place % critics.length] ?? '';
        if (asked.includes('small-talk') || asked.includes('ungrounded-answer')) return '{"text": "It may be so."}';
        if (kind === 'prose' && asked.includes('numbered passages'))
          return (sentences[place % sentences.length] ?? (() => 'No.'))(request);
        if (!isAnswer(request)) return place % 3 === 0 ? 'No.' : '{"intent": "research", "reason": "it asks"}';
        return (manners[place % manners.length] ?? (() => 'No.'))(request);
      })
    : undefined;
  const settings = { FOOTNOTE_DATA: join(folder, 'data'), OCR: 'off', ...fake?.environment, ...environment };
  const opened: OpenedFootnote = await openFootnote(loadConfig({ folder, environment: settings }), options);
  const footnote = opened.forScope(localScope());
  for (const { uri, text } of documents())
    await footnote.documents.add({
      text,
      uri,
      mime: 'text/markdown',
      source: Number(uri.at(-4)) % 2 === 0 ? 'north' : 'south',
    });
  await opened.settle('default');
  if (kind === 'chat') await importTalk(footnote, folder);
  // Turns have a third of a second here, and no other kind went before where this one runs alone: the code is loaded first. A step that begins in the last
  // millisecond may still come out otherwise in a replay; that is a mistake of replays which is not mended yet.
  if (kind === 'silent') await footnote.ask({ question: questions[0] ?? '' }, { timeoutMs: 2_000 });

  const one = (n: number): Promise<RecordedTurn> => {
    place = n;
    before?.(n);
    const mode = modes[n % modes.length] as Mode;
    const asked = ['parts', 'team', 'planned'].includes(kind)
      ? partQuestions
      : kind === 'web'
        ? webQuestions
        : questions;
    const question = asked[(n * 7) % asked.length] ?? '';
    const system = { footnote, kind: `${kind} ${n}` };
    const way = n % 12;
    if (kind === 'memory' && way < 9)
      return turn(system, (call) =>
        footnote.sessions.send(`s${n % 3}`, { content: said[n % said.length] ?? '' }, call),
      );
    if (kind === 'chat')
      return turn(system, async () => {
        const messages = [{ role: 'user' as const, content: talk[n % talk.length] ?? '' }];
        const given = await footnote.conversations.chat({ messages });
        return { ...given, traceId: given.trace_id ?? '' };
      });
    if (kind === 'silent' && way % 2 === 0)
      return turn(system, (call) => footnote.ask({ question, mode }, call), { timeoutMs: 350 });
    if (kind === 'silent') {
      const leaving = new AbortController();
      return turn(system, (call) => footnote.sessions.send(`s${n % 3}`, { content: question, mode }, call), {
        signal: leaving.signal,
        onEvent: ({ type }) =>
          type === 'status' &&
          setImmediate(() => leaving.abort(new FootnoteError('cancelled', 'The client went away.'))),
      });
    }
    if (way === 1) return turn(system, () => footnote.search({ query: question, mode, explain: n % 2 === 0 }));
    if (way === 2 || way === 5)
      return turn(system, (call) =>
        footnote.sessions.send(`s${n % 4}`, { content: way === 2 ? question : 'And when was it built?', mode }, call),
      );
    if (way === 3) return turn(system, (call) => footnote.ask({ question: 'hello there', mode }, call));
    if (way === 4) return turn(system, (call) => footnote.ask({ question, mode, sources: ['north'], topK: 3 }, call));
    if (way === 6) return turn(system, (call) => footnote.ask({ question, mode, sources: ['nowhere'] }, call));
    if (way === 8) {
      const [kindOf, subject] = n % 24 === 8 ? (['swot', 'ISOB'] as const) : (['market', things[n % 8] ?? ''] as const);
      return turn(system, (call) => footnote.analyse({ kind: kindOf, subject, mode, focusAreas: ['height'] }, call));
    }
    if (way === 7)
      return turn(system, (call) =>
        footnote.ask({ question, mode, filter: { op: 'eq', field: 'source', value: 'south' }, minScore: 0.4 }, call),
      );
    if (way === 8 && isRevised(kind))
      return turn(system, (call) =>
        footnote.sessions.send(`s${n % 4}`, { content: 'Summarise what we said so far.', mode }, call),
      );
    if (way === 8) return turn(system, (call) => footnote.ask({ question, mode, workspace: filesOf(n) }, call));
    return turn(system, (call) => footnote.ask({ question, mode }, call));
  };
  return {
    footnote,
    async *turns(count) {
      for (let n = 0; n < count; n += 1) yield await one(n);
    },
    async close() {
      await opened.close();
      await fake?.close();
      await close?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
