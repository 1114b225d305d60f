// A provider configured as people configure it: the model's claims stand in the answer as far as the documents carry them, the rest
// falls to the documents' own sentences, and no key or forged quote comes through.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const lighthouse =
  '# The lighthouse\n\nMarta Oliveira designed the lighthouse of Cabo Frio in 1887. The lighthouse is 43 metres tall.\n';
const key = 'sk-planted-4f1c9e';

let server: FakeServer;
let seen: SeenRequest[] = [];
let say: (request: SeenRequest) => FakeReply;
let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

const claims = (...made: readonly (readonly [text: string, quote: string])[]): FakeReply => ({
  text: JSON.stringify({
    claims: made.map(([text, quote]) => ({ text, quotes: [{ id: 1, quote }] })),
    insufficient: false,
  }),
});

beforeAll(async () => {
  server = await openFakeServer((request) => {
    seen.push(request);
    return renderChat(say(request), request);
  });
  folder = await mkdtemp(join(tmpdir(), 'footnote-by-model-'));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${server.address}/v1`,
    OPENAI_API_KEY: key,
    MODEL_ANSWER: 'compatible:qwen3:8b',
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
  await footnote.documents.add({ text: lighthouse, mime: 'text/markdown', uri: 'lighthouse.md', source: 'notes' });
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await opened.close();
  await server.close();
  await rm(folder, { recursive: true });
});

describe('a configured model', () => {
  it('writes the answer, each claim on a verified span', async () => {
    say = () => claims(['The lighthouse is 43 metres tall.', 'The lighthouse is 43 metres tall.']);
    const answer = await footnote.ask({ question: 'How tall is the lighthouse of Cabo Frio?' });
    expect(answer.claims.map(({ text }) => text)).toEqual(['The lighthouse is 43 metres tall.']);
    expect(answer.citations[0]?.quote).toBe('The lighthouse is 43 metres tall.');
    expect((await footnote.answers.verify(answer)).citations.every(({ ok }) => ok)).toBe(true);
    expect(answer.usage.outputTokens).toBeGreaterThan(0);
    expect(answer.degraded.filter(({ component }) => component === 'answer-model')).toEqual([]);
    expect(seen.length).toBe(1);
    expect(seen[0]?.body['model']).toBe('qwen3:8b');
  });

  it('is not believed: forged quotes and altered numbers give way to the documents’ own sentences', async () => {
    say = () =>
      claims(
        ['The lighthouse is 48 metres tall.', 'The lighthouse is 48 metres tall.'],
        ['Marta Oliveira was paid 900 reis.', 'Marta Oliveira was paid 900 reis for it.'],
      );
    const answer = await footnote.ask({ question: 'How tall is the lighthouse of Cabo Frio?' });
    expect(answer.answer).toContain('43 metres');
    expect(answer.answer).not.toMatch(/48|900/u);
    expect(answer.degraded.map(({ component }) => component)).toContain('answer-model');
  });

  it('that fails is replaced and disclosed, and its key is nowhere', async () => {
    say = () => ({ error: { status: 401, message: `Incorrect API key provided: ${key}` } });
    const answer = await footnote.ask({ question: 'How tall is the lighthouse of Cabo Frio?' });
    expect(answer.answer).toContain('43 metres');
    expect(answer.degraded.filter(({ component }) => component === 'answer-model')).toMatchObject([
      { code: 'config-invalid' },
    ]);
    const trace = await footnote.traces.get(answer.traceId);
    expect(JSON.stringify([answer, trace])).not.toContain(key);
    expect(seen.some(({ headers }) => JSON.stringify(headers).includes(key))).toBe(true);
  });
});
