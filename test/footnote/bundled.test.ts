// The documents that come with Footnote: something to ask before there is anything else, and afterwards no evidence beside a user's own and
// nothing that a provider is sent. Every role has a model on the loopback, and every request to it is searched for each line of them.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { modes } from '../../src/core/search.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { bundledSource } from '../../src/footnote/record/bundled.ts';
import { type FakeServer, openFakeServer } from '../../src/testing/fake-http.ts';
import { answerOf } from '../../src/testing/model-replies.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { embeddingsOf } from '../../src/testing/openai-embeddings.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const corpus = resolve(import.meta.dirname, '../../corpus');
const aboutFootnote = [
  'What does a citation point to?',
  'Which formats can be read?',
  'Does anything leave this machine?',
];

/** Lines that are long enough to be nobody else's. */
let lines: readonly string[];
let provider: FakeServer;
let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

async function open(embed: string): Promise<void> {
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${provider.address}/v1`,
    MODEL_ANSWER: 'compatible:writer',
    MODEL_JUDGE: 'compatible:judge',
    MODEL_ROUTER: 'compatible:router',
    MODEL_RERANK: 'compatible:grader',
    MODEL_EMBED: embed,
    BUDGET_REQUEST: 'none',
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
}

/** Lines of the bundled documents that the provider was sent since so many requests. */
function sentSince(count: number): string[] {
  const sent = provider.requests
    .slice(count)
    .map(({ body }) => JSON.stringify(body))
    .join('\n');
  return lines.filter((line) => sent.includes(JSON.stringify(line).slice(1, -1)));
}

beforeAll(async () => {
  const texts = await Promise.all((await readdir(corpus)).map((name) => readFile(join(corpus, name), 'utf8')));
  lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 40);
  expect(lines.length).toBeGreaterThan(40);
  provider = await openFakeServer((request) => {
    if (request.path.endsWith('/embeddings'))
      return {
        headers: { 'content-type': 'application/json' },
        chunks: [JSON.stringify(embeddingsOf(request.body, {}, 32))],
      };
    return renderChat({ text: answerOf([]) }, request);
  });
  folder = await mkdtemp(join(tmpdir(), 'footnote-bundled-'));
  await open('compatible:first-vectors');
  await footnote.sources.put({ name: bundledSource, type: 'docs', connector: { kind: 'folder', path: corpus } });
  await footnote.sources.sync(bundledSource);
  await opened.settle('default');
});
afterAll(async () => {
  await opened.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

describe('the documents about Footnote', () => {
  let own: string;

  it('are evidence while there is nothing else', async () => {
    const answer = await footnote.ask({ question: aboutFootnote[0]! });
    expect(answer.sources.length).toBeGreaterThan(0);
    expect(sentSince(0).length).toBeGreaterThan(10);
  });

  it('are none beside a user’s own, whatever is asked in whatever way, and no provider is sent them', async () => {
    const [added] = await footnote.documents.add({
      text: 'The grey heron weighs up to 2 kilograms. A citation of the heron register points to its ring.',
      mime: 'text/plain',
      source: 'notes',
      uri: 'heron.txt',
    });
    own = added!.id;
    await opened.settle('default');
    const before = provider.requests.length;
    for (const question of [...aboutFootnote, 'How much does the grey heron weigh?'])
      for (const mode of modes) {
        const found = await footnote.search({ query: question, mode, topK: 50, explain: true });
        expect(found.results.filter(({ source }) => source !== 'notes')).toEqual([]);
        expect(found.routing.reason).toContain(bundledSource);
        for (const answer of [
          await footnote.ask({ question, mode }),
          await footnote.ask({ question, mode, sources: ['notes'] }),
          await footnote.sessions.send(`talk-${mode}`, { content: question, mode }),
        ]) {
          expect(answer.citations.filter(({ source }) => source !== 'notes')).toEqual([]);
          expect(answer.sources.filter(({ documentId }) => documentId !== own)).toEqual([]);
        }
      }
    // Found by its rank among what is shown, not among what was left out.
    const { results } = await footnote.search({ query: 'citation', mode: 'embedded' });
    expect(results.map(({ ranks }) => ranks['embedded'])).toEqual([1]);
    expect(sentSince(before)).toEqual([]);
  });

  it('named beside others they are no evidence either; named alone they are found and quoted here', async () => {
    const before = provider.requests.length;
    const both = await footnote.search({ query: aboutFootnote[0]!, sources: [bundledSource, 'notes'], topK: 50 });
    expect(both.results.filter(({ source }) => source !== 'notes')).toEqual([]);
    const alone = await footnote.search({ query: aboutFootnote[0]!, sources: [bundledSource] });
    expect(alone.results.length).toBeGreaterThan(0);
    const answer = await footnote.ask({ question: 'Which port does the server listen on?', sources: [bundledSource] });
    expect(answer.answer).toContain('4180');
    expect(answer.models?.some(({ role }) => role === 'answer') ?? false).toBe(false);
    expect(sentSince(before)).toEqual([]);
  });

  it('are not sent for other vectors, nor when they are read again', async () => {
    await opened.close();
    const before = provider.requests.length;
    await open('compatible:second-vectors');
    await opened.settle('default');
    await footnote.sources.sync(bundledSource, { reread: true });
    await opened.settle('default');
    expect(
      provider.requests
        .slice(before)
        .map(({ body }) => JSON.stringify(body))
        .join(),
    ).toContain('grey heron');
    expect(sentSince(before)).toEqual([]);
    const [store] = await footnote.stores.list();
    expect(store?.vectors?.embedded).toBe(store?.vectors?.chunks);
    expect((await footnote.search({ query: 'heron', mode: 'vector' })).results[0]?.uri).toBe('heron.txt');
  });

  it('are evidence again once they are alone', async () => {
    await footnote.documents.delete(own);
    const found = await footnote.search({ query: aboutFootnote[0]!, mode: 'embedded' });
    expect(found.results.map(({ source }) => source)).toContain(bundledSource);
  });
});
