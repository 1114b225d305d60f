// What an author struck out stays in the text and can be found; nothing claims it: no sentence, row, conflict or memory, and no claim of a model,
// whichever words that quotes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type FakeServer, openFakeServer } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const documents = {
  ferry:
    '<main><h1>Ferry prices</h1><p><del>A car costs 30 EUR.</del> <ins>A car costs 35 EUR.</ins></p><p>A bicycle costs <s>6 EUR</s> 8 EUR.</p></main>',
  rates:
    '<main><h1>Berth rates</h1><table><tr><th>Berth</th><th>Rate in EUR</th></tr><tr><td>North quay</td><td><s>410</s> 455</td></tr><tr><td><s>South quay</s></td><td><s>390</s></td></tr></table></main>',
  club: '# Sailing club\n\n~~The commodore of the sailing club is Edda Fahl.~~ The commodore of the sailing club is Nuno Prata.\n',
  long: `# Harbour master\n\n<del>${'The harbour master keeps a list of boats. '.repeat(120)}The harbour master is called Olga Brand. ${'The harbour master keeps a list of masts. '.repeat(120)}</del>\n`,
};

let server: FakeServer;
let folder: string;
let say: () => FakeReply = () => ({ text: '' });
const opened: Record<'plain' | 'model', OpenedFootnote | undefined> = { plain: undefined, model: undefined };
const footnotes = {} as Record<'plain' | 'model', Footnote>;

beforeAll(async () => {
  server = await openFakeServer((request) => renderChat(say(), request));
  folder = await mkdtemp(join(tmpdir(), 'footnote-struck-'));
  for (const kind of ['plain', 'model'] as const) {
    const provider = {
      OPENAI_BASE_URL: `${server.address}/v1`,
      OPENAI_API_KEY: 'k',
      MODEL_ANSWER: 'compatible:qwen3:8b',
    };
    const environment = {
      FOOTNOTE_DATA: join(folder, kind),
      ENABLE_SEMANTIC_MEMORY: 'true',
      ...(kind === 'model' && provider),
    };
    const one = await openFootnote(loadConfig({ folder, environment }));
    opened[kind] = one;
    footnotes[kind] = one.forScope(localScope());
    for (const [name, text] of Object.entries(documents)) {
      const isHtml = text.startsWith('<');
      const file = `${name}.${isHtml ? 'html' : 'md'}`;
      await footnotes[kind].documents.add({ bytes: new TextEncoder().encode(text), name: file, uri: file });
    }
  }
});
afterAll(async () => {
  for (const one of Object.values(opened)) await one?.close();
  await server.close();
  await rm(folder, { recursive: true });
});

async function expectSound(footnote: Footnote, answer: Answer): Promise<void> {
  const check = await footnote.answers.verify(answer);
  expect(check, JSON.stringify(check)).toMatchObject({ ok: true });
}
const said = ({ claims, conflicts = [] }: Answer): string =>
  JSON.stringify([claims.map(({ text }) => text), conflicts]);

describe('what is struck out', () => {
  it.each([
    ['How much does a car cost on the ferry?', /35 EUR/u, /30/u],
    ['How much does a bicycle cost on the ferry?', /8 EUR/u, /\b6\b/u],
    ['What is the rate of the north quay?', /455/u, /410/u],
    ['Who is the commodore of the sailing club?', /Nuno Prata/u, /Edda/u],
  ])('is not what answers "%s"', async (question, stands, gone) => {
    const answer = await footnotes.plain.ask({ question });
    expect(answer.claims[0]?.text).toMatch(stands);
    expect(said(answer)).not.toMatch(gone);
    await expectSound(footnotes.plain, answer);
  });

  it.each([
    ['What is the rate of the south quay?', /390|South/u],
    ['Who is the harbour master called?', /Olga/u],
  ])('is not claimed where nothing else is said: "%s"', async (question, gone) => {
    expect(said(await footnotes.plain.ask({ question }))).not.toMatch(gone);
  });

  it('is found by a search, marked', async () => {
    const { results } = await footnotes.plain.search({ query: 'commodore Edda Fahl' });
    expect(results[0]?.text).toContain('~~The commodore of the sailing club is Edda Fahl.~~');
  });

  it('supports no claim of a model, however that quotes it', async () => {
    const question = 'Who is the commodore of the sailing club?';
    const gone = 'The commodore of the sailing club is Edda Fahl.';
    for (const quote of [
      gone,
      `~~${gone}~~`,
      'Edda Fahl',
      `~~${gone}~~ The commodore of the sailing club is Nuno Prata.`,
    ]) {
      say = () => ({
        text: JSON.stringify({
          claims: [{ text: gone, quotes: [1, 2, 3].map((id) => ({ id, quote })) }],
          insufficient: false,
        }),
      });
      expect(said(await footnotes.model.ask({ question }))).not.toContain('Edda');
    }
    const stands = 'The commodore of the sailing club is Nuno Prata.';
    say = () => ({
      text: JSON.stringify({ claims: [{ text: stands, quotes: [{ id: 1, quote: stands }] }], insufficient: false }),
    });
    const answer = await footnotes.model.ask({ question });
    expect(answer.claims[0]?.text).toBe(stands);
    await expectSound(footnotes.model, answer);
  });

  it('is refused in an answer that cites it', async () => {
    const answer = await footnotes.plain.ask({ question: 'Who is the commodore of the sailing club?' });
    const [citation] = answer.citations;
    const [claim] = answer.claims;
    if (!citation || !claim) throw new Error('There is no claim.');
    const { text: written } = await footnotes.plain.documents.text(citation.documentId);
    const quote = 'The commodore of the sailing club is Edda Fahl.';
    const start = written.indexOf(quote);
    const end = start + quote.length;
    const forged: Answer = {
      ...answer,
      answer: `${quote} [1]`,
      claims: [{ ...claim, text: quote, citations: [1] }],
      citations: [
        {
          ...citation,
          index: 1,
          quote,
          start,
          end,
          url: citation.url.replace(/\?.*$/u, `?start=${start}&end=${end}`),
          lines: [3, 3],
        },
      ],
    };
    const check = await footnotes.plain.answers.verify(forged);
    expect(check.citations[0]?.reasons).toEqual([expect.stringContaining('text-deleted')]);
    expect(check.ok).toBe(false);
  });

  it('is remembered of nobody', async () => {
    await footnotes.plain.ask({
      question: 'My name is Kim. ~~I live in Bergen.~~ I live in Tromso. How much is a car on the ferry?',
      user: 'kim',
    });
    await expect
      .poll(async () => JSON.stringify(await footnotes.plain.memories.list({ user: 'kim' })), { timeout: 60_000 })
      .toContain('Tromso');
    expect(JSON.stringify(await footnotes.plain.memories.list({ user: 'kim' }))).not.toContain('Bergen');
  });
});
