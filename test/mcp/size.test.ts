// How long the results of tools are, in the worst texts that there are, and that what was cut is told.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { search, sources } from '../../src/mcp/document-tools.ts';
import { fitting, mostTokens, shortened } from '../../src/mcp/size.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import { countTokens } from '../../src/text/tokens/tokens.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { sharedLines } from '../../testkit/shared-data.ts';

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
    expect(fitting([5000, 200, 100].values().map((count) => 'word '.repeat(count)))).toBe('word '.repeat(200));
    expect(fitting(['word '.repeat(9000), 'word '.repeat(8000)])).toBe('word '.repeat(8000));
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

  it('of a search of public questions is within its tokens', async () => {
    for (const set of ['xquad-zh', 'xquad-ar']) {
      const corpus = sharedLines<{ readonly _id: string; readonly title: string; readonly text: string }>(
        set,
        'corpus.jsonl',
      );
      const queries = sharedLines<{ readonly text: string }>(set, 'queries.jsonl');
      if (!corpus || !queries) return;
      for (const { _id, title, text } of corpus) await footnote.documents.add({ source: set, uri: _id, title, text });
      const step = Math.floor(queries.length / 50);
      for (const query of queries.filter((_, at) => at % step === 0))
        expect((await ask(search, { query: query.text })).tokens, query.text).toBeLessThanOrEqual(mostTokens);
    }
  });

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
});
