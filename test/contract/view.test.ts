// The view of a span: any text as safe text, the span marked, nothing that runs.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DefaultTreeAdapterTypes, parse } from '../../packages/readers/testkit/libraries.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createFakeApp } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

let app: HttpApp;
let system: FakeSystem;
beforeEach(() => {
  ({ app, system } = createFakeApp());
});
afterEach(() => app.close());

async function add(text: string, mime = 'text/markdown', title = 'A title'): Promise<string> {
  const reply = await app.inject({ method: 'POST', url: '/v1/documents', payload: { text, mime, title } });
  return reply.json<{ documents: { id: string }[] }>().documents[0]?.id ?? '';
}

type Node = DefaultTreeAdapterTypes.Node;
const children = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);
const textOf = (node: Node): string =>
  node.nodeName === '#text' ? (node as DefaultTreeAdapterTypes.TextNode).value : children(node).map(textOf).join('');
const all = (node: Node): Node[] => [node, ...children(node).flatMap(all)];
const find = (html: string, name: string): Node | undefined => all(parse(html)).find((node) => node.nodeName === name);
const attribute = (node: Node | undefined, name: string): string | undefined =>
  node && 'attrs' in node ? node.attrs.find((candidate) => candidate.name === name)?.value : undefined;

const html = { accept: 'text/html' };

describe('the view', () => {
  it('leads whoever opens it in a browser to the page of the source, and nobody else', async () => {
    const id = await add('The lock was rebuilt in 1931.');
    const url = `/v1/documents/${id}/view?start=4&end=8`;
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    const navigation = { ...browser, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const headers of [navigation, { ...browser, 'upgrade-insecure-requests': '1' }]) {
      const reply = await app.inject({ url, headers });
      expect([reply.statusCode, reply.headers.location]).toEqual([303, `/app/documents/${id}?start=4&end=8`]);
      expect(reply.headers['vary']).toContain('Sec-Fetch-Mode');
    }
    const whole = await app.inject({ url: '/v1/documents/a%2Fb/view', headers: navigation });
    expect(whole.headers.location).toBe('/app/documents/a%2Fb?start=0&end=0');
    for (const headers of [
      {},
      html,
      browser,
      { ...navigation, accept: 'application/json' },
      { ...navigation, 'sec-fetch-dest': 'iframe' },
      { ...browser, 'sec-fetch-mode': 'cors', 'upgrade-insecure-requests': '1' },
    ])
      expect((await app.inject({ url, headers })).statusCode, JSON.stringify(headers)).toBe(200);
    expect((await app.inject({ url: `${url}&from=0`, headers: navigation })).statusCode).toBe(200);
    // The pages ask the API, which a key of another door alone may not.
    for (const [doors, status] of [
      [['openai'], 200],
      [['openai', 'api'], 303],
    ] as const) {
      const principal = { id: 'key:chat', role: 'reader', groups: [], doors } as const;
      const authenticate = async () => ({ tenant: 'default', principal });
      const { app: own } = createFakeApp({ system, keys: true, authenticate });
      const reply = await own.inject({ url, headers: { ...navigation, authorization: 'Bearer chat' } });
      expect([reply.statusCode, reply.body.includes('rebuilt')]).toEqual([status, status === 200]);
      await own.close();
    }
  });

  it('marks the span and shows the whole text', async () => {
    const text = 'Line one.\nLine two has the quote here.\nLine three.';
    const id = await add(text);
    const start = text.indexOf('the quote');
    const reply = await app.inject({ url: `/v1/documents/${id}/view?start=${start}&end=${start + 9}`, headers: html });
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    const mark = find(reply.body, 'mark');
    expect(mark && textOf(mark)).toBe('the quote');
    expect(attribute(mark, 'id')).toBe('span');
    const pre = find(reply.body, 'pre');
    expect(pre && textOf(pre)).toBe(text);
    const labels = all(parse(reply.body)).filter((node) => attribute(node, 'class') === 'line');
    expect(labels.map((node) => attribute(node, 'data-label'))).toEqual(['1', '2', '3']);
  });

  it('shows pages, also when the span crosses one', async () => {
    const text = 'Page one ends\fand page two begins\fthree';
    const id = await add(text, 'application/pdf');
    const reply = await app.inject({ url: `/v1/documents/${id}/view?start=5&end=20`, headers: html });
    const mark = find(reply.body, 'mark');
    expect(mark && textOf(mark)).toBe(text.slice(5, 20));
    const pages = all(parse(reply.body)).filter((node) => attribute(node, 'class') === 'page');
    expect(pages.map((node) => attribute(node, 'data-label'))).toEqual(['Page 1', 'Page 2', 'Page 3']);
  });

  it('runs nothing: no element comes from the text or the title, and the policy allows no script', async () => {
    const attack = '</pre></mark><script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;';
    const id = await add(attack, 'text/html', '"><script>alert(2)</script>');
    const reply = await app.inject({ url: `/v1/documents/${id}/view?start=0&end=9`, headers: html });
    const names = new Set(all(parse(reply.body)).map((node) => node.nodeName));
    expect(names.has('script')).toBe(false);
    expect(names.has('img')).toBe(false);
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  it('shows any text exactly, and any span of it', async () => {
    const shown = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    const nasty = fc.array(
      fc.constantFrom('<', '>', '&', '"', '\n', '\r', '\r\n', '\f', '\t', '&amp;', '<!--', ']]>', 'x'),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          shown,
          nasty.map((parts) => parts.join('')),
        ),
        fc.nat(),
        fc.nat(),
        async (text, a, b) => {
          const [start = 0, end = 0] = [a % (text.length + 1), b % (text.length + 1)].sort(
            (left, right) => left - right,
          );
          const id = await add(text);
          const reply = await app.inject({ url: `/v1/documents/${id}/view?start=${start}&end=${end}`, headers: html });
          const pre = find(reply.body, 'pre');
          // U+0000 cannot stand in HTML, and half a character cannot stand in UTF-8.
          const visible = (part: string): string => part.replaceAll('\0', '\ufffd');
          expect(pre && textOf(pre)).toBe(visible(text));
          const mark = find(reply.body, 'mark');
          if (start === end) expect(mark).toBeUndefined();
          else if (text.slice(start, end).isWellFormed())
            expect(mark && textOf(mark)).toBe(visible(text.slice(start, end)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('shows a long document in parts that can be reached', async () => {
    const line = 'A line of a long document with words.\n';
    const text = line.repeat(20_000);
    const id = await add(text);
    const start = 700_000;
    const reply = await app.inject({ url: `/v1/documents/${id}/view?start=${start}&end=${start + 20}`, headers: html });
    expect(reply.body.length).toBeLessThan(1_500_000);
    const mark = find(reply.body, 'mark');
    expect(mark && textOf(mark)).toBe(text.slice(start, start + 20));
    const hrefs = all(parse(reply.body))
      .map((node) => attribute(node, 'href'))
      .filter((href) => href?.includes('from='));
    expect(hrefs.length).toBeGreaterThan(0);
    const earlier = await app.inject({ url: `/v1/documents/${id}/view${hrefs[0]}`, headers: html });
    expect(earlier.statusCode).toBe(200);
  });

  it('gives JSON and plain text to programs', async () => {
    const text = 'Line one.\nLine two.';
    const id = await add(text);
    const url = `/v1/documents/${id}/view?start=10&end=14`;
    expect((await app.inject({ url, headers: { accept: 'application/json' } })).json()).toMatchObject({
      documentId: id,
      quote: 'Line',
      before: 'Line one.\n',
      after: ' two.',
      lines: [2, 2],
      textLength: text.length,
    });
    const plain = await app.inject({ url, headers: { accept: 'text/plain' } });
    expect([plain.headers['content-type'], plain.body]).toEqual(['text/plain; charset=utf-8', text]);
  });

  it('refuses a range outside the text', async () => {
    const id = await add('short');
    for (const range of ['start=0&end=6', 'start=4&end=2', 'start=9'])
      expect((await app.inject(`/v1/documents/${id}/view?${range}`)).json()).toMatchObject({ code: 'invalid-request' });
  });
});
