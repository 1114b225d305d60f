// What a screen reads of a document over HTTP, over the real system: the boxes of a span on its pages, and its file in parts. Invariant: whoever may not read the document
// learns nothing by any of it, also not that it is there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { DocumentBoxes } from '../../src/footnote/record/document-boxes.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
let id: string;
let text: string;
let bytes: Uint8Array;
const keys: Record<string, string> = {};

const get = (path: string, key = keys['reader'], headers: Record<string, string> = {}) =>
  app.inject({ url: path, headers: { authorization: `Bearer ${key}`, ...headers } });

/** Two pages of two lines each. */
async function pdfBytes(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const page of ['first', 'second']) {
    const drawn = document.addPage([400, 300]);
    for (const [at, line] of [`The lamp of the ${page} tower`, `burns ${page} oil at night.`].entries())
      drawn.drawText(line, { x: 40, y: 200 - at * 16, size: 12, font });
  }
  return document.save();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-reads-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  const make = async (name: string, grants: object) =>
    (await opened.keys.create({ name, role: 'reader', ...grants })).secret;
  keys['reader'] = await make('reader', { groups: ['keepers'] });
  keys['owner'] = await make('owner', { role: 'admin' });
  keys['writer'] = await make('writer', { role: 'writer', groups: ['keepers'] });
  keys['stranger'] = await make('stranger', {});
  keys['otherSource'] = await make('other source', { groups: ['keepers'], sources: ['letters'] });
  keys['otherTenant'] = await make('other tenant', { role: 'admin', tenant: 'elsewhere' });
  bytes = await pdfBytes();
  const owner = opened.forScope((await opened.keys.authenticate(keys['writer'])) ?? expect.fail());
  const [added] = await owner.documents.add({
    bytes,
    name: 'lamp.pdf',
    uri: 'lamp.pdf',
    source: 'towers',
    access: ['keepers'],
  });
  id = added?.id ?? '';
  ({ text } = await owner.documents.text(id));
  app = appOf(opened);
}, 120_000);
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

describe('the boxes of a span', () => {
  it('lie on its lines, in the measures of its page', async () => {
    const quote = 'second tower\nburns second';
    const start = text.indexOf(quote);
    const reply = await get(`/v1/documents/${id}/boxes?start=${start}&end=${start + quote.length}`);
    const { pages, boxes } = reply.json<DocumentBoxes>();
    expect(pages).toEqual([{ number: 2, width: 400, height: 300 }]);
    expect(boxes.map((box) => text.slice(box.start, box.end))).toEqual(quote.split('\n'));
    for (const [at, { x, y, width, height }] of boxes.entries()) {
      // Drawn 200 and 184 points above the lower edge of 300.
      expect(Math.abs(y + height - (100 + at * 16))).toBeLessThan(5);
      expect([x >= 39, x + width < 400, height < 20, y > 80]).toEqual([true, true, true, true]);
    }
  });

  it('are the words of a page', async () => {
    const { boxes } = (await get(`/v1/documents/${id}/boxes?page=1`)).json<DocumentBoxes>();
    expect(boxes.map((box) => text.slice(box.start, box.end)).join(' ')).toBe(
      'The lamp of the first tower burns first oil at night.',
    );
  });

  it('are refused with what is wrong, or with why there are none', async () => {
    for (const query of ['', '?start=1', '?start=5&end=5', '?start=0&end=99999', '?page=3', '?page=0', '?page=x'])
      expect((await get(`/v1/documents/${id}/boxes${query}`)).json(), query).toMatchObject({
        code: 'invalid-request',
        detail: expect.stringMatching(/query/) as string,
      });
    const posted = await app.inject({
      method: 'POST',
      url: '/v1/documents',
      headers: { authorization: `Bearer ${keys['writer']}` },
      payload: { text: 'A plain note.', uri: 'note.txt' },
    });
    const [note] = posted.json<{ documents: { id: string }[] }>().documents;
    const none = await get(`/v1/documents/${note?.id}/boxes?start=0&end=7`);
    expect(none.json()).toMatchObject({
      status: 422,
      code: 'unsupported',
      detail: expect.stringMatching(/has no pages/),
    });
  });
});

describe('the file', () => {
  const file = (headers: Record<string, string> = {}, key?: string) => get(`/v1/documents/${id}/file`, key, headers);

  it('says how long it is, which edition, and that it may be asked for in parts', async () => {
    const { statusCode, headers, rawPayload } = await file();
    expect([statusCode, Buffer.from(bytes).equals(rawPayload)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(bytes.byteLength),
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Cookie',
      etag: expect.stringMatching(/^"[0-9a-f]{64}\.[0-9a-f]{64}"$/),
    });
  });

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, Infinity],
    ['bytes=-7', -7, Infinity],
    ['bytes=5-999999999', 5, Infinity],
    ['bytes=-999999999', 0, Infinity],
  ])('gives the range %s', async (range, start, end) => {
    const { statusCode, headers, rawPayload } = await file({ range });
    const part = Buffer.from(bytes).subarray(start, end === Infinity ? undefined : end);
    const from = start < 0 ? bytes.byteLength + start : start;
    expect([statusCode, part.equals(rawPayload)]).toEqual([206, true]);
    expect(headers['content-range']).toBe(`bytes ${from}-${from + part.byteLength - 1}/${bytes.byteLength}`);
    expect(headers['content-length']).toBe(String(part.byteLength));
  });

  it('is told whole where only its head is asked for', async () => {
    const headers = { authorization: `Bearer ${keys['reader']}`, range: 'bytes=0-9' };
    const head = await app.inject({ method: 'HEAD', url: `/v1/documents/${id}/file`, headers });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(bytes.byteLength)]);
  });

  it.each(['bytes=0-1,4-5', 'bytes=9-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes=0-99999999999999999'])(
    'is given whole for %s',
    async (range) => expect((await file({ range })).rawPayload.byteLength).toBe(bytes.byteLength),
  );

  it.each(['bytes=999999999-', 'bytes=-0'])('refuses %s with its length', async (range) => {
    const { statusCode, headers, body } = await file({ range });
    expect([statusCode, headers['content-range']]).toEqual([416, `bytes */${bytes.byteLength}`]);
    expect(JSON.parse(body)).toMatchObject({ status: 416, code: 'invalid-request' });
  });

  it('is not sent again to who has it, and in parts only of that edition', async () => {
    const etag = String((await file()).headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await file({ 'if-none-match': known, range: 'bytes=0-1' });
      expect([reply.statusCode, reply.body, reply.headers.etag], known).toEqual([304, '', etag]);
    }
    expect((await file({ 'if-none-match': '"other"' })).statusCode).toBe(200);
    expect((await file({ 'if-range': etag, range: 'bytes=0-1' })).statusCode).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect((await file({ 'if-range': other, range: 'bytes=0-1' })).statusCode, other).toBe(200);
  });

  it('has another tag when it is another, and its parts are of that', async () => {
    const put = async (content: string) => {
      const owner = opened.forScope((await opened.keys.authenticate(keys['writer'] ?? '')) ?? expect.fail());
      // A byte order mark: the text is not the file itself, so the file is kept.
      const [added] = await owner.documents.add({
        bytes: Buffer.from(`\uFEFF${content}`),
        name: 'a.txt',
        uri: 'a.txt',
      });
      const reply = await get(`/v1/documents/${added?.id}/file`, undefined, { range: 'bytes=3-' });
      return [reply.body, reply.headers.etag];
    };
    const [first, second] = [await put('The first edition.'), await put('The second edition.')];
    expect([first[0], second[0]]).toEqual(['The first edition.', 'The second edition.']);
    expect(first[1]).not.toBe(second[1]);
  });
});

describe('who may not read a document', () => {
  it.each(['/boxes?page=1', '/boxes?start=0&end=5', '/boxes?page=99', '/file', '/file with a range', '/file known'])(
    'is told nothing by %s',
    async (suffix) => {
      const [path = '', ...how] = suffix.split(' ');
      const headers: Record<string, string> = how.includes('known') ? { 'if-none-match': '*' } : {};
      if (how.includes('range')) headers['range'] = 'bytes=0-3';
      expect((await get(`/v1/documents/${id}${path}`, keys['owner'], headers)).statusCode).not.toBe(404);
      for (const key of ['stranger', 'otherSource', 'otherTenant']) {
        const [refused, unknown] = await Promise.all(
          [id, 'doc_none'].map(async (one) => {
            const { statusCode, body } = await get(`/v1/documents/${one}${path}`, keys[key], headers);
            return { statusCode, body: body.replaceAll(one, 'ID').replace(/req_\w+/, '') };
          }),
        );
        expect(refused?.statusCode, key).toBe(404);
        expect(refused, key).toEqual(unknown);
      }
    },
  );
});
