// Marks in every door: documents, conversations and memories are full of brackets, links and footnotes of their own, and what is shown as a link to
// a citation is exactly what the answer says is a mark, in JSON, in a stream, to clients of OpenAI, of Anthropic, of the AI SDK and of MCP, on the ask page, in a terminal and
// in an evidence report; and each link of a citation opens its quote, highlighted.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DefaultTreeAdapterTypes, parse } from '../../packages/readers/testkit/libraries.ts';
import { renderAnswer } from '../../src/cli/render/render.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { loadConfig } from '../../src/config.ts';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import type { HttpServer } from '../../src/http/server.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { faultsOfMarks } from '../../testkit/marks.ts';
import { connectMcp, overHttp, structured, textOf as textOfMcp } from '../../testkit/mcp-clients.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import {
  bracketsIn,
  type Completion,
  faultsOfCompletion,
  faultsOfMessage,
  faultsOfResponse,
  type ToldMessage,
  type ToldResponse,
} from '../../testkit/openai/completion.ts';
import { type ChatPart, chatIn, completionIn, dataIn, messageIn, responseIn } from '../../testkit/openai/streams.ts';
import { isLongRun } from '../../testkit/sample.ts';
import { appOf, serveOpened } from '../../testkit/serve-opened.ts';
import { createEventReader } from '../../web/src/shared/events.ts';
import { blocksOf, claimsInText, highlightsOf, type Segment, segmentsOf } from '../../web/src/shared/marks.ts';
import { parseFrames } from './fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
let server: HttpServer;
let mcp: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-marks-'));
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), ENABLE_SEMANTIC_MEMORY: 'true', MODEL_EMBED: 'none' };
  opened = await openFootnote(loadConfig({ folder, environment }));
  app = appOf(opened, {
    ownerToken: 'owner',
  });
  server = await serveOpened(opened);
  opened.setAddress(server.url);
  mcp = await connectMcp('2026-07-28', overHttp(server.url));
});
afterAll(async () => {
  await mcp.close();
  await server.close({ deadlineMs: 1000 });
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

/** What a document can have in the place of a mark. */
const plants = [
  ...['[1]', '[2]', '[3]', '[10]', '[1][2]', '[[1]]', '[1, 2]', '[^1]', '[^1]: see [2]', '[1](#c1)', '[2](/v1/x)'],
  ...[
    '[1]: /v1/documents',
    '【1】',
    '[ 1 ]',
    '［1］',
    '\\[1\\]',
    '`[1]`',
    '**[2]**',
    '<a href="#c1">[1]</a>',
    '😀 [1]',
  ],
];
const plant = fc.constantFrom('', ...plants);
const world = fc.record({
  lead: plant,
  inside: plant,
  behind: plant,
  title: plant,
  other: plant,
  year: fc.integer({ min: 1700, max: 1999 }),
});
type World = typeof world extends fc.Arbitrary<infer Made> ? Made : never;

let made = 0;
/** A thing that two sources disagree about and a third one speaks of otherwise; its name. */
async function addWorld({ lead, inside, behind, title, other, year }: World): Promise<string> {
  made += 1;
  const name = `Orvel${made}`;
  const texts = [
    `${lead} The mill of ${name} was built in ${year} ${inside} by Ana Reis ${behind}.\n\nThe sails of the ${name} mill are made of linen ${other}.\n`,
    `The mill of ${name} was built in ${year + 7} ${other} by Ana Reis.\n`,
    `Read on ${lead}. The mill of ${name} was built in ${year} ${inside} by Ana Reis ${behind}.\n`,
  ];
  for (const [at, text] of texts.entries()) {
    const payload = {
      text,
      ...{ uri: `${name}-${at}.md`, title: `${title} ${name} ${at}`, mime: 'text/markdown', source: `s${at}` },
      sourceType: (['docs', 'qa', 'web'] as const)[at],
    };
    const reply = await app.inject({ method: 'POST', url: '/v1/documents?wait=true', payload });
    expect(reply.statusCode).toBe(202);
  }
  return name;
}

const questionsOf = (name: string): string[] => [
  `When was the mill of ${name} built?`,
  `What are the sails of the ${name} mill made of, and who was the mayor of ${name}?`,
  `What are the sails of the ${name} mill made of, and when was the mill of ${name} built?`,
];

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });

const nodesOf = (node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Element[] => [
  ...('attrs' in node ? [node] : []),
  ...('childNodes' in node ? node.childNodes.flatMap(nodesOf) : []),
];
const attributeOf = (node: DefaultTreeAdapterTypes.Element, name: string): string | undefined =>
  node.attrs.find((one) => one.name === name)?.value;
const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

/** What is painted in the text of an answer, as a terminal shows it. */
function paintedIn(answer: Answer): string[] {
  const lines: string[] = [];
  const terminal = {
    line: (text = '') => void lines.push(text),
    paint: (style: string, text: string) => `\u0001${style}:${text}\u0002`,
  } as unknown as Terminal;
  renderAnswer(terminal, answer, ({ url }) => url);
  const [told = ''] = lines;
  // The parts that answer stand in bold.
  expect(told.replace(/\u0001(?:cyan|bold):|\u0002/gu, '')).toBe(answer.answer);
  return [...told.matchAll(/\u0001cyan:([^\u0002]*)\u0002/gu)].map(([, text = '']) => text);
}

/** Links in the text of an answer in its report: mark and number of the quote. */
async function linksInReport(id: string): Promise<string[]> {
  const reply = await app.inject(`/v1/answers/${id}/report`);
  expect(reply.statusCode, reply.body.slice(0, 500)).toBe(200);
  const page = reply.body;
  const told = nodesOf(parse(page)).find(({ attrs, tagName }) => tagName === 'p' && attrs[0]?.value === 'answer');
  return told
    ? nodesOf(told).flatMap((one) => (one.tagName === 'a' ? [`${textOf(one)}${attributeOf(one, 'href')}`] : []))
    : [];
}

/** What a link leads to has the quote: a document highlights it, what was said or is remembered tells it. */
async function checkLinks({ citations }: Answer): Promise<void> {
  for (const { url, quote, documentId, conversationId, memoryId, turnId } of citations) {
    const { pathname, search } = new URL(url);
    const { body } = await app.inject({ url: pathname + search, headers: { accept: 'text/html' } });
    if (conversationId === undefined && memoryId === undefined && turnId !== documentId)
      expect(
        nodesOf(parse(body))
          .filter(({ tagName }) => tagName === 'mark')
          .map(textOf),
      ).toEqual([quote]);
    else expect(body).toContain(JSON.stringify(quote).slice(1, -1));
  }
}

interface ToldByMcp {
  readonly answer: string;
  readonly marks: readonly { readonly start: number; readonly end: number; readonly citation: number }[];
  readonly citations: readonly { readonly index: number; readonly url: string; readonly quote: string }[];
}
/** What a tool gives is the answer with the brackets of others inert: in its structure, and in its text above the passages. */
async function checkMcp(question: string, own: Answer): Promise<void> {
  const result = await mcp.callTool({ name: 'ask', arguments: { question } });
  const { answer, marks, citations } = structured<ToldByMcp>(result as never);
  const shown = marks.map(({ start, end }) => answer.slice(start, end));
  expect(shown).toEqual(texts(own));
  expect(bracketsIn(answer)).toEqual(marks.map(({ citation }) => citation));
  expect(answer.replaceAll('\u2060', '')).toBe(own.answer.replaceAll('\u2060', ''));
  expect(citations.map(({ index, url, quote }) => [index, url, quote])).toEqual(
    own.citations.map(({ index, url, quote }) => [index, url, quote]),
  );
  const text = textOfMcp(result as never);
  expect(text.startsWith(`${answer}\n\n`) || text === answer).toBe(true);
  // Below stands each citation with its number, and nothing else that looks like one.
  expect(bracketsIn(text.slice(answer.length))).toEqual(citations.map(({ index }) => index));
}

/** The same question at the doors of others, whole and in a stream. */
async function checkForeignDoors(question: string, own: Answer): Promise<void> {
  const messages = [{ role: 'user', content: question }];
  const streamed = async (url: string, payload: object): Promise<string> =>
    (await post(url, { ...payload, stream: true })).body;
  for (const model of ['footnote', 'footnote:links']) {
    const hasLinks = model.endsWith(':links');
    const asked = { model, messages };
    for (const completion of [
      (await post('/v1/chat/completions', asked)).json<Completion>(),
      completionIn(await streamed('/v1/chat/completions', asked)),
    ]) {
      expect(faultsOfCompletion(completion, hasLinks)).toEqual([]);
      expect(completion.footnote?.claims).toEqual(own.claims);
    }
    for (const message of [
      (await post('/v1/messages', asked)).json<ToldMessage>(),
      messageIn<ToldMessage>(dataIn(await streamed('/v1/messages', asked))),
    ])
      expect(faultsOfMessage(message, hasLinks)).toEqual([]);
  }
  const tools = [{ type: 'file_search', vector_store_ids: ['vs_s0', 'vs_s1', 'vs_s2'] }];
  for (const body of [{ model: 'footnote', tools }, { model: 'footnote:links' }])
    for (const told of [
      (await post('/v1/responses', { ...body, input: question })).json<ToldResponse>(),
      responseIn(await streamed('/v1/responses', { ...body, input: question })),
    ])
      expect(faultsOfResponse(told, !('tools' in body))).toEqual([]);
  const chat = { id: 'chat', messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: question }] }] };
  const { completion, faults } = chatIn(dataIn<ChatPart>((await post('/v1/ui/chat', chat)).body));
  expect([...faults, ...faultsOfCompletion(completion)]).toEqual([]);
  await checkMcp(question, own);
}

const texts = ({ answer, marks = [] }: Pick<Answer, 'answer' | 'marks'>): string[] =>
  marks.map(({ start, end }) => answer.slice(start, end));

async function checkDoors(answer: Answer): Promise<void> {
  answerSchema.parse(answer);
  expect(faultsOfMarks(answer)).toEqual([]);
  if (!answer.abstained) expect(paintedIn(answer)).toEqual(texts(answer));
  expect(await linksInReport(answer.id)).toEqual(answer.marks?.map(({ citation }) => `[${citation}]#c${citation}`));
  const { claims, reasons } = (await post('/v1/answers/verify', answer)).json<{
    claims: object[];
    reasons: string[];
  }>();
  expect(reasons).toEqual([]);
  // The passages that it shows are checked as well.
  expect(claims).toHaveLength(answer.claims.length + (answer.passages?.length ?? 0));
  await checkLinks(answer);
}

interface PageMarks {
  /** What becomes a button in each piece of the stream, and in the whole answer. */
  readonly streamed: readonly string[];
  readonly shown: readonly string[];
  readonly answer: Answer;
  readonly events: readonly object[];
}

/** What the ask page makes of a stream, whose bytes are cut anywhere. */
async function marksOnPage(question: string): Promise<PageMarks> {
  const { body } = await post('/v1/ask', { question, stream: true });
  const read = createEventReader();
  const events = (body.match(/[\s\S]{1,7}/gu) ?? []).flatMap(read).map(({ data }) => JSON.parse(data) as FootnoteEvent);
  const { answer } = events.at(-1) as { answer: Answer };
  const buttonsOf = (segments: readonly Segment[]): string[] =>
    segments.flatMap(({ text, citation }) => (citation === undefined ? [] : text));
  let from = 0;
  const streamed = events.flatMap((event) => {
    if (event.type !== 'delta') return [];
    const { text, marks = [] } = event;
    const own = marks.map(({ start, end, citation }) => ({ start: start - from, end: end - from, citation }));
    from += text.length;
    return buttonsOf(segmentsOf(text, { start: 0, end: text.length }, { marks: own }));
  });
  const parts = { marks: answer.marks ?? [], highlights: highlightsOf(answer) };
  const shown = blocksOf(answer).flatMap(({ claims, span }) =>
    (claims.length > 0 ? claims.map((claim) => claim.span) : [span]).flatMap((own) =>
      buttonsOf(segmentsOf(answer.answer, own, parts)),
    ),
  );
  return { streamed, shown, answer, events };
}

/** Each is three questions: more than 500 in the long run. */
const worlds = isLongRun ? 170 : 10;

describe('marks', () => {
  it('are the buttons of the ask page, while an answer streams and afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (one) => {
        const name = await addWorld(one);
        for (const question of questionsOf(name)) {
          const { streamed, shown, answer, events } = await marksOnPage(question);
          expect(faultsOfMarks(answer, events)).toEqual([]);
          expect(shown).toEqual(texts(answer));
          expect(streamed).toEqual(texts(answer));
          // Each claim is found where it stands, and not as text without marks.
          expect(blocksOf(answer).flatMap(({ claims }) => claims)).toHaveLength(claimsInText(answer).length);
        }
      }),
      { numRuns: 5, seed: 38 },
    );
  });

  it('are told of conversations and memories as of documents', async () => {
    for (const [at, sign] of plants.entries()) {
      const line = (role: string, text: string) =>
        `${JSON.stringify({ conversation_id: `c${at}`, turn_id: `t${at}`, role, text, timestamp: '2024-05-11T08:00:00Z', title: `Kites ${sign}` })}\n`;
      const payload =
        line('user', `We ordered the kite Zorrel${at} ${sign} in May.`) + line('assistant', `Noted ${sign}.`);
      const url = '/v1/conversations/import?format=jsonl';
      const headers = { 'content-type': 'application/x-ndjson' };
      expect((await app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200);
      const body = { messages: [{ role: 'user', content: `When did we order the kite Zorrel${at}?` }] };
      const events = parseFrames((await post('/chat', body)).body).map(({ data }) => data);
      const chat = events.at(-1) as unknown as Answer;
      expect(chat.citations.length).toBeGreaterThan(0);
      expect(faultsOfMarks({ ...chat, claims: undefined } as never, events)).toEqual([]);
      expect(chat.marks?.map(({ citation }) => citation)).toEqual(chat.citations.map(({ index }) => index));
    }
    const session = (await post('/v1/rag/sessions', {})).json<{ id: string }>().id;
    const say = async (content: string): Promise<Answer> =>
      (await post(`/v1/rag/sessions/${session}/messages`, { content })).json<Answer>();
    await say('I prefer tea [1] over coffee [2].');
    for (const content of ['Which drink do I prefer?', 'What did I ask before?', 'Hello [1]!', 'Who is the Zmbrk?'])
      await checkDoors(await say(content));
  });

  it('are those of what is left, where documents of an answer are deleted', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(world, fc.nat(2), async (one, gone) => {
        const name = await addWorld(one);
        const ids: string[] = [];
        for (const question of questionsOf(name)) ids.push((await post('/v1/ask', { question })).json<Answer>().id);
        const { data } = (await app.inject(`/v1/documents?source=s${gone}&limit=500`)).json<{
          data: { id: string; uri: string }[];
        }>();
        const { id = '' } = data.find(({ uri }) => uri === `${name}-${gone}.md`) ?? {};
        expect((await app.inject({ method: 'DELETE', url: `/v1/documents/${id}` })).statusCode).toBe(204);
        await opened.settleErasures();
        for (const answerId of ids) {
          const answer = (await app.inject(`/v1/answers/${answerId}`)).json<Answer>();
          if (answer.erased && answer.claims.length > 0) changed += 1;
          await checkDoors(answer);
        }
      }),
      { numRuns: 5, seed: 38 },
    );
    expect(changed).toBeGreaterThan(3);
  });

  // The last, as it leaves thousands of answers behind, each of which a deletion looks into.
  it('are the links of every door, whatever documents have in their place', { timeout: worlds * 60_000 }, async () => {
    let [asked, claimed, planted] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(world, async (one) => {
        const name = await addWorld(one);
        for (const question of questionsOf(name)) {
          const answer = (await post('/v1/ask', { question })).json<Answer>();
          await checkDoors(answer);
          const events = parseFrames((await post('/v1/ask', { question, stream: true })).body).map(({ data }) => data);
          const streamed = (events.at(-1) as unknown as { answer: Answer }).answer;
          expect(faultsOfMarks(streamed, events)).toEqual([]);
          expect(texts(streamed)).toEqual(texts(answer));
          await checkForeignDoors(question, answer);
          asked += 1;
          claimed += answer.claims.length;
          if (answer.claims.some(({ text }) => text.includes('['))) planted += 1;
        }
        const analysis = (await post('/v1/analyses', { kind: 'market', subject: `mill of ${name}` })).json<Answer>();
        await checkDoors(analysis);
        const events = parseFrames(
          (await post('/v1/analyses', { kind: 'market', subject: `mill of ${name}`, stream: true })).body,
        ).map(({ data }) => data);
        expect(faultsOfMarks((events.at(-1) as unknown as { answer: Answer }).answer, events)).toEqual([]);
      }),
      { numRuns: worlds, seed: 38 },
    );
    console.log(`marks: ${asked} questions at every door, ${claimed} claims, ${planted} answers with look-alikes`);
    expect(asked).toBe(worlds * 3);
    expect(claimed).toBeGreaterThan(worlds * 3);
    expect(planted).toBeGreaterThan(worlds);
  });
});
