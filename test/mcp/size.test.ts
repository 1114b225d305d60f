// How long the results of tools are, in the worst texts that there are, and that what was cut is told.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { showAnswer } from '../../src/mcp/answer-tools.ts';
import { peek, turn } from '../../src/mcp/archive-tools.ts';
import { search, sources } from '../../src/mcp/document-tools.ts';
import { fitting, mostTokens, shortened } from '../../src/mcp/size.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import { countTokens } from '../../src/text/tokens/tokens.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { sharedData, sharedLines, sharedQueries } from '../../testkit/shared-data.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-mcp-size-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

/** Tokens of the one text of a result, and the result. */
async function ask(tool: Tool, asked: Record<string, unknown>) {
  const call = { signal: new AbortController().signal };
  const { value, text } = await tool.run(asked, { footnote, address: 'https://knowledge.example.org/deep', call });
  const shown = tool.output.parse(value) as Readonly<Record<string, unknown>>;
  return { shown, tokens: countTokens(text ?? JSON.stringify(shown)) };
}

describe('a result', () => {
  it('is the first shape that fits, and where none does the last with as many items as fit', () => {
    const words = (count: number, items: number): string => 'word '.repeat(count * items);
    expect(fitting([5000, 200, 100], words, { items: 1 })).toBe('word '.repeat(200));
    const most = 100;
    for (let items = 1; items < 40; items += 1) {
      const shown = fitting([9, 7], words, { items, most });
      expect(countTokens(JSON.stringify(shown))).toBeLessThanOrEqual(most);
      expect(shown).toBe('word '.repeat(Math.min(items * (items > 10 ? 7 : 9), 98)));
    }
    expect(() => fitting([1], () => words(200, 1), { items: 3, most })).toThrow(/more than 100 tokens/u);
    expect(shortened('😀😀😀', 4)).toBe('😀…');
  });

  it.each([
    ['in Chinese', '水车的锁在一九三一年重建了。'],
    ['of pictures', '🏳️‍🌈👩‍👩‍👧‍👦🧑🏽‍🚀'],
    ['of rare characters', '𓀀𓁐𓃀𒀀𒁀ꙮ﷽'],
  ])('of a search is within its tokens %s', async (name, text) => {
    for (let at = 0; at < 10; at += 1)
      await footnote.documents.add({
        source: name,
        uri: `${at}.txt`,
        title: text.repeat(40),
        text: `heron ${at} ${`${text} `.repeat(60)}`,
      });
    const { shown, tokens } = await ask(search, { query: `heron ${text}` });
    expect(shown['results']).toHaveLength(10);
    expect(tokens).toBeLessThanOrEqual(mostTokens);
    expect(shown['note']).toMatch(/fetch an id/u);
  });

  it('of a search leaves out hits whose addresses alone are too long, and counts them', async () => {
    for (let at = 0; at < 10; at += 1)
      await footnote.documents.add({ source: 'long', uri: `${at}.txt`, text: `otter ${at} swims.` });
    const own = footnote;
    const search_: Footnote['search'] = async (...asked) => {
      const found = await own.search(...asked);
      return { ...found, results: found.results.map((hit) => ({ ...hit, url: `${hit.url}&${'𓀀'.repeat(200)}` })) };
    };
    footnote = { ...own, search: search_ };
    const { shown, tokens } = await ask(search, { query: 'otter' }).finally(() => {
      footnote = own;
    });
    const { length } = shown['results'] as unknown[];
    expect(length).toBeGreaterThan(0);
    expect(shown['note']).toContain(`The best ${length} of 10 hits are shown, ${10 - length} are left out`);
    expect(tokens).toBeLessThanOrEqual(mostTokens);
  });

  const sets = ['xquad-zh', 'xquad-ar', 'xquad-de', 'xquad-en'];
  it.skipIf(!sets.every((set) => sharedData(set)))(
    'of a search of 200 public questions is within its tokens',
    async () => {
      let asked = 0;
      for (const set of sets) {
        const packed = set === 'xquad-ar' ? '.gz' : '';
        const corpus = sharedLines<{ readonly _id: string; readonly title: string; readonly text: string }>(
          set,
          `corpus.jsonl${packed}`,
        );
        if (!corpus) throw new Error(`${set} lacks its documents.`);
        for (const { _id, title, text } of corpus) await footnote.documents.add({ source: set, uri: _id, title, text });
        const queries = sharedQueries(set);
        const step = Math.floor(queries.length / 50);
        for (const query of queries.filter((_, at) => at % step === 0)) {
          expect((await ask(search, { query })).tokens, query).toBeLessThanOrEqual(mostTokens);
          asked += 1;
        }
      }
      expect(asked).toBeGreaterThanOrEqual(200);
    },
  );

  it('that lists sources counts all of them, and shows the largest', async () => {
    for (let at = 0; at < 90; at += 1)
      await footnote.documents.add({
        source: `a source with a rather long name ${at}`,
        uri: '1.txt',
        text: `Text ${at}.`,
      });
    const { shown, tokens } = await ask(sources, {});
    const all = (await footnote.sources.list()).length;
    expect(shown).toMatchObject({ total: all, note: expect.stringContaining('largest') });
    expect((shown['sources'] as unknown[]).length).toBeLessThan(all);
    expect(tokens).toBeLessThanOrEqual(mostTokens);
  });

  it('of the archive keeps its totals, and the fullest bins', async () => {
    const messages = Array.from({ length: 300 }, (_, at) => ({
      role: 'user',
      turn_id: `t${at}`,
      text: `The heron was seen. ${'It stood there. '.repeat(20)}`,
      timestamp: new Date(Date.UTC(2000, at, 1)).toISOString(),
    }));
    await footnote.conversations.addTurns('herons', { messages });
    const { shown, tokens } = await ask(peek, { query: 'heron', bin: 'month', top_n_snippets: 100 });
    expect(tokens).toBeLessThanOrEqual(mostTokens);
    expect(shown).toMatchObject({ total: { hits: 300 }, note: expect.stringMatching(/left out.*snippets/u) });
  });

  it('of the archive is within its tokens whatever was asked, and however many messages a turn has', async () => {
    const long = { title: '𓀀'.repeat(240), turn_id: `t${'ꙮ'.repeat(200)}` };
    const messages = Array.from({ length: 400 }, (_, at) => ({
      ...{ role: 'user', turn_id: long.turn_id, text: `The otter ${at} was seen. ${'水车的锁'.repeat(60)}` },
    }));
    await footnote.conversations.addTurns('otters', { title: long.title, messages });
    const query = `otter ${'rivers and lakes, '.repeat(500)}`;
    const peeked = await ask(peek, { query, top_n_snippets: 100 });
    expect(peeked.tokens).toBeLessThanOrEqual(mostTokens);
    expect(peeked.shown).toMatchObject({ total: { turns: expect.any(Number) }, query: shortened(query, 200) });
    const read = await ask(turn, { turn_id: long.turn_id });
    expect(read.tokens).toBeLessThanOrEqual(mostTokens);
    const whole = await ask(turn, { turn_id: long.turn_id, content: 'full' });
    expect(whole.tokens).toBeLessThanOrEqual(20_000);
    const { length } = whole.shown['messages'] as unknown[];
    expect(length).toBeGreaterThan(50);
    expect(whole.shown['note']).toContain(`The first ${length} of 400 messages are shown`);
  });
});

/** An answer of many long claims, each with its mark and its quote. */
function longAnswer(count: number): Answer {
  const claims = Array.from(
    { length: count },
    (_, at) => `Claim ${at} says [9] ${'a good deal of what it says '.repeat(10)}.`,
  );
  let answer = '';
  const marks = claims.map((text, at) => {
    answer += `${text} `;
    const start = answer.length;
    answer += `[${at + 1}] `;
    return { start, end: start + `[${at + 1}]`.length, citation: at + 1 };
  });
  return answerSchema.parse({
    id: 'ans_1',
    traceId: 'trc_1',
    mode: 'hybrid',
    intent: 'research',
    answer: answer.trimEnd(),
    marks,
    claims: claims.map((text, at) => ({ text, citations: [at + 1], support: 1, kind: 'quoted' })),
    citations: claims.map((text, at) => ({
      index: at + 1,
      documentId: 'doc_1',
      chunkId: 'chk_1',
      title: 'A title [3]',
      uri: 'a.md',
      url: 'https://kb.example.org/v1/documents/doc_1/view?start=0&end=1',
      source: 'notes',
      quote: `${text} And more [4]. `.repeat(3),
      start: at,
      end: at + 1,
      score: 1,
      alsoIn: [],
    })),
    conflicts: [],
    sources: [],
    abstained: false,
    ragEnabled: true,
    confidence: 1,
    coverage: 1,
    routing: { sources: [], reason: '' },
    degraded: [],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 0, costUsd: 0 },
    timings: { totalMs: 1 },
  });
}

describe('an answer', () => {
  it.each([1, 4, 12, 60])('of %i long claims fits, keeps its first one, and cuts behind a mark', (count) => {
    const answer = longAnswer(count);
    const { value, text = '' } = showAnswer(answer, 'https://kb.example.org');
    expect(countTokens(text)).toBeLessThanOrEqual(mostTokens);
    expect(countTokens(JSON.stringify(value))).toBeLessThanOrEqual(mostTokens);
    expect(value.marks.length).toBeGreaterThan(0);
    for (const { start, end, citation } of value.marks) expect(value.answer.slice(start, end)).toBe(`[${citation}]`);
    expect(value.answer.endsWith(`[${value.marks.length}]`)).toBe(true);
    expect(value.citations.map(({ index }) => index)).toEqual(value.marks.map(({ citation }) => citation));
    expect(value.claims).toHaveLength(value.marks.length);
    // Brackets of documents are inert wherever the text shows them.
    expect(text.match(/\[\d/gu)).toHaveLength(value.marks.length + value.citations.length);
    if (count === 1) expect(value.note).toBeUndefined();
    if (value.marks.length < count) expect(value.note).toContain('/v1/answers/ans_1');
  });

  it.each([
    [
      'one claim is longer than all that fits',
      1,
      (text: string) => `${'水车的锁𓀀'.repeat(2000)} ${text}`,
      /0 of|1 of 1/u,
    ],
    ['addresses are', 30, (text: string) => text, /\d+ of 30 citations are left out/u],
  ] as const)('fits where %s, and tells how many citations it lacks', (_, count, said, told) => {
    const { answer, marks = [], citations, ...rest } = longAnswer(count);
    const before = said('').length;
    const url = `https://kb.example.org/${'ꙮ'.repeat(120)}`;
    const { value, text = '' } = showAnswer(
      {
        ...{ ...rest, answer: said(answer), citations: citations.map((one) => ({ ...one, url })) },
        marks: marks.map(({ start, end, citation }) => ({ start: start + before, end: end + before, citation })),
      },
      'https://kb.example.org',
    );
    for (const shown of [text, JSON.stringify(value)]) expect(countTokens(shown)).toBeLessThanOrEqual(mostTokens);
    for (const { start, end, citation } of value.marks) expect(value.answer.slice(start, end)).toBe(`[${citation}]`);
    expect(value.note).toMatch(told);
    expect(value.answer.length).toBeGreaterThanOrEqual(250);
  });

  it('names no document where none is cited, and cites all that an answer without marks rests on', () => {
    const answer = longAnswer(2);
    const [first, second] = answer.citations;
    const citations = [{ ...first, memoryId: 'mem_1' }, second] as Answer['citations'];
    const { value, links } = showAnswer({ ...answer, citations }, '');
    expect(value.citations.map(({ id }) => id)).toEqual([undefined, 'doc_1:1-2']);
    expect(links).toMatchObject([{ uri: 'footnote://document/doc_1#1-2' }]);
    const { marks: _, ...older } = answer;
    expect(showAnswer(older, '').value).toMatchObject({ marks: [], citations: [{ index: 1 }, { index: 2 }] });
  });
});
