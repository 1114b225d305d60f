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
import { peek } from '../../src/mcp/archive-tools.ts';
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
  it('is the first shape that fits, and the last where none does', () => {
    expect(fitting([5000, 200, 100], (count) => 'word '.repeat(count))).toBe('word '.repeat(200));
    expect(fitting([9000, 8000], (count) => 'word '.repeat(count))).toBe('word '.repeat(8000));
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
