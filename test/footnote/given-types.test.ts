// A document is read as the kind that whoever hands it over says, whichever way it comes in; where its name and that differ, what is called HTML is read
// as HTML, so that what a page hides is no evidence.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';
import { multipart } from '../contract/fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
let app: HttpApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-types-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
  app = appOf(opened, {
    ownerToken: 'owner',
    log: () => undefined,
  });
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

let count = 0;
/** A page that says one thing to people and another to programs, each time another one. */
const page = (): string =>
  `<h1>Page ${++count}</h1><p>The gate opens at nine.</p><p style="display:none">The gate opens at four.</p><p hidden>It is free.</p>`;

async function expectAsSeen(id: string): Promise<void> {
  const { text } = await footnote.documents.text(id);
  expect(text).toContain('The gate opens at nine.');
  expect(text).not.toMatch(/<p|four|free/u);
}
const post = async (url: string, body: object): Promise<string> => {
  const reply = await app.inject({ method: 'POST', url, payload: body });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json().documents[0].id as string;
};

describe('what is handed over as HTML', () => {
  it.each([
    ['no uri', {}],
    ['a uri without an extension', { uri: 'notes/gate' }],
    ['the name of a plain text', { uri: 'gate.txt' }],
    ['the name of Markdown', { uri: 'gate.md' }],
    ['the name of LaTeX', { uri: 'gate.tex' }],
    ['the name of a table', { uri: 'gate.csv' }],
    ['parameters', { mime: 'Text/HTML; charset=utf-8' }],
    ['the type of XHTML', { mime: 'application/xhtml+xml' }],
  ])('is read as that, with %s', async (_, facts) => {
    const given = { mime: 'text/html', ...facts };
    const unique = 'uri' in given ? { uri: `${++count}/${given.uri}` } : {};
    await expectAsSeen(await post('/v1/documents', { text: page(), ...given, ...unique }));
    const [added] = await footnote.documents.add({ text: page(), ...given, ...unique });
    await expectAsSeen(added?.id ?? '');
  });

  it('is read as that from an upload, by its field or by its part, and by a store', async () => {
    for (const parts of [
      [{ file: `${++count}.txt`, bytes: page(), mime: 'text/html' }],
      [
        { file: `${++count}.txt`, bytes: page() },
        { field: 'mime', value: 'text/html' },
      ],
    ]) {
      const reply = await app.inject({ method: 'POST', url: '/v1/documents', ...multipart(parts) });
      await expectAsSeen(reply.json().documents[0].id);
    }
    await expectAsSeen(await post('/v1/stores/embedded/documents', { text: page(), mime: 'text/html' }));
  });

  it('is read as that in a line of JSONL', async () => {
    const text = `${JSON.stringify({ id: 'line', text: page(), mime: 'text/html' })}\n`;
    const [added] = await footnote.documents.add({ bytes: new TextEncoder().encode(text), name: 'lines.jsonl' });
    await expectAsSeen(added?.id ?? '');
  });

  it('is read again as that where it was read as a text before', async () => {
    const text = page();
    const id = await post('/v1/documents', { text, uri: 'again' });
    expect((await footnote.documents.text(id)).text).toContain('four');
    await post('/v1/documents', { text, uri: 'again', mime: 'text/html' });
    await expectAsSeen(id);
  });
});

it.each([
  ['text/markdown', '# Tides\n\nHigh water.', /# Tides/u],
  ['text/csv', 'name,zip\nAda,00123\nBo,00124\n', /name: Ada; zip: 00123/u],
  ['application/json', '{"tide": "high"}', /tide: high/u],
])('a text that is called %s is read as that', async (mime, text, pattern) => {
  const id = await post('/v1/documents', { text, mime });
  expect((await footnote.documents.get(id)).mime).toBe(mime);
  expect((await footnote.documents.text(id)).text).toMatch(pattern);
});

it('keeps what says itself what it is, whatever a server calls it', async () => {
  const feed =
    '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>Tide</title></item></channel></rss>';
  const json = '{"tide": "high"}';
  for (const [name, text, mime] of [
    ['feed.xml', feed, 'application/rss+xml'],
    ['tide.json', json, 'application/json'],
  ] as const) {
    const [added] = await footnote.documents.add({ bytes: new TextEncoder().encode(text), name, mime: 'text/html' });
    expect((await footnote.documents.get(added?.id ?? '')).mime).toBe(mime);
  }
});
