// The pages as they are served: nothing inline (the policy would block it), files with their types, compressed where the client takes that, kept for ever
// where their names say what they hold; and text has contrast in both colour schemes.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DefaultTreeAdapterTypes, parse } from '../../packages/readers/testkit/libraries.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createFakeApp } from '../contract/fake-app.ts';
import { codeOnly, listFiles, readText } from '../source-files.ts';

let app: HttpApp;
let html: string;
let nodes: DefaultTreeAdapterTypes.Element[];
beforeAll(async () => {
  ({ app } = createFakeApp({ keys: true }));
  html = (await app.inject('/')).body;
  const all = (node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] => [
    node,
    ...('childNodes' in node ? node.childNodes.flatMap(all) : []),
  ];
  nodes = all(parse(html)).filter((node): node is DefaultTreeAdapterTypes.Element => 'attrs' in node);
});
afterAll(() => app.close());

const files = (): string[] =>
  nodes.flatMap(({ attrs }) => attrs.flatMap(({ name, value }) => (/^(?:src|href)$/u.test(name) ? value : [])));

describe('the pages', () => {
  it('are served without a key, at every address of the application', async () => {
    for (const url of ['/', '/app', '/app/ask/ses_1?cite=ans_1.2', '/app/documents/doc_1?start=0&end=4']) {
      const page = await app.inject(url);
      expect(page.statusCode, url).toBe(200);
      expect(page.body).toBe(html);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['cache-control']).toBe('no-store');
      expect(String(page.headers['content-security-policy'])).toMatch(/^default-src 'none'; script-src 'self';/u);
      expect(String(page.headers['content-security-policy'])).not.toContain('unsafe');
      expect(String(page.headers['content-security-policy'])).toContain("require-trusted-types-for 'script'");
    }
    const headers = { authorization: 'Bearer writer-key' };
    expect((await app.inject({ method: 'POST', url: '/app', payload: {}, headers })).statusCode).toBe(405);
  });

  it('have nothing inline and nothing from elsewhere', async () => {
    for (const node of nodes) {
      for (const { name, value } of node.attrs) {
        expect(name).not.toMatch(/^(on|style$)/u);
        expect(value).not.toMatch(/^(https?:|\/\/|javascript:|data:)/u);
      }
      if (node.nodeName === 'script') expect(node.childNodes).toEqual([]);
      expect(node.nodeName).not.toBe('style');
    }
    expect(nodes.find(({ nodeName }) => nodeName === 'html')?.attrs).toContainEqual({ name: 'lang', value: 'en' });
    expect(files().length).toBeGreaterThanOrEqual(3);
    for (const url of files()) expect((await app.inject(url)).statusCode, url).toBe(200);
  });

  it('come compressed to who takes that, and are kept for ever under a name that tells their content', async () => {
    const script = files().find((url) => /\.js$/u.test(url)) ?? '';
    const get = (encodings?: string) =>
      app.inject({ url: script, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });
    const plain = await get();
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get('gzip, deflate, br, zstd');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload)).toEqual(plain.rawPayload);
    // A worker that starts from a script has the policy of that script.
    const policy =
      "default-src 'none'; script-src 'self'; connect-src 'self'; trusted-types 'none'; require-trusted-types-for 'script'";
    for (const reply of [plain, brotli]) expect(reply.headers['content-security-policy']).toBe(policy);
    const gzip = await get('gzip');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload);
    expect((await get('identity')).rawPayload).toEqual(plain.rawPayload);
    expect((await app.inject('/assets/view.css')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    '/assets/none.js',
    '/assets/../index.html',
    '/assets/..%2Fbuilt.json',
    '/assets/%2e%2e/built.json',
    '/assets/',
    '/assets/pdf',
    '/assets/view.css.br',
  ])('have no file %s', async (url) => {
    const headers = { authorization: 'Bearer writer-key' };
    expect((await app.inject({ url, headers })).json()).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('are read anew after a file was not there, as while another build takes its place', async () => {
    const built = join(import.meta.dirname, '../../web/dist/assets');
    const name = `kept-${process.pid}.svg`;
    const { app: other } = createFakeApp();
    const status = async (url: string): Promise<number> => (await other.inject(url)).statusCode;
    try {
      writeFileSync(join(built, name), '<svg/>');
      expect(await status('/assets/view.css')).toBe(200);
      rmSync(join(built, name));
      expect(await status(`/assets/${name}`)).toBe(404);
      for (const one of [name, `late-${name}`]) writeFileSync(join(built, one), '<svg/>');
      for (const one of [name, `late-${name}`]) expect(await status(`/assets/${one}`)).toBe(200);
    } finally {
      for (const one of [name, `late-${name}`]) rmSync(join(built, one), { force: true });
      await other.close();
    }
  });

  it('set text as text alone', () => {
    const sources = listFiles('web/src', /\.tsx?$/u);
    expect(sources.length).toBeGreaterThan(20);
    const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|dangerously/u;
    expect(sources.filter((path) => markup.test(codeOnly(readText(path))))).toEqual([]);
    expect(markup.test('element.innerHTML = text')).toBe(true);
  });

  it.each(['light', 'dark'])('have contrast of at least 4.5 in the %s scheme', (scheme) => {
    const css = readText('web/src/style.css');
    const colour = (name: string): string => {
      const pair = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
      return (scheme === 'light' ? pair?.[1] : pair?.[2]) ?? '';
    };
    const pairs = [
      ['ink', 'paper'],
      ['ink', 'panel'],
      ['soft', 'paper'],
      ['soft', 'panel'],
      ['accent', 'panel'],
      ['accent', 'paper'],
      ['accent-ink', 'accent'],
      ['ink', 'quote'],
      ['warn', 'panel'],
      ['warn', 'warn-paper'],
      ['bad', 'warn-paper'],
    ] as const;
    for (const [text, ground] of pairs)
      expect(contrast(colour(text), colour(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });
});

/** WCAG 2.2 contrast ratio of two #rrggbb colours. */
function contrast(left: string, right: string): number {
  const [bright = 0, dark = 0] = [luminance(left), luminance(right)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
