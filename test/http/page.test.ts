// The ask page as files: nothing inline (the policy would block it), every id that the script uses is there, every field
// has a label, and text has contrast in both colour schemes.
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DefaultTreeAdapterTypes, parse } from '../../packages/readers/testkit/libraries.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createFakeApp } from '../contract/fake-app.ts';

let app: HttpApp;
let html: string;
let script: string;
let nodes: DefaultTreeAdapterTypes.Element[];
beforeAll(async () => {
  ({ app } = createFakeApp({ keys: true }));
  html = (await app.inject('/')).body;
  script = (await app.inject('/assets/ask.js')).body;
  const all = (node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] => [
    node,
    ...('childNodes' in node ? node.childNodes.flatMap(all) : []),
  ];
  nodes = all(parse(html)).filter((node): node is DefaultTreeAdapterTypes.Element => 'attrs' in node);
});
afterAll(() => app.close());

const attribute = (node: DefaultTreeAdapterTypes.Element, name: string): string | undefined =>
  node.attrs.find((candidate) => candidate.name === name)?.value;

describe('the ask page', () => {
  it('is served without a key, with its files and types', async () => {
    const page = await app.inject('/');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(page.headers['content-security-policy'])).not.toContain('unsafe');
    const files = nodes
      .flatMap((node) => [attribute(node, 'src'), attribute(node, 'href')])
      .filter((url) => url?.startsWith('/'));
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const url of files) expect((await app.inject(url ?? '')).statusCode, url).toBe(200);
    expect((await app.inject('/assets/ask.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('has nothing inline and nothing from elsewhere', () => {
    for (const node of nodes) {
      for (const { name, value } of node.attrs) {
        expect(name).not.toMatch(/^(on|style$)/);
        expect(value).not.toMatch(/^(https?:|\/\/|javascript:|data:)/);
      }
      if (node.nodeName === 'script') expect(node.childNodes).toEqual([]);
      expect(node.nodeName).not.toBe('style');
    }
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(/);
  });

  it('shows what nothing confirms above its passage, and the passages below what a model wrote', () => {
    const { document } = parseHTML(html);
    const context = { document, URL, location: { href: 'http://127.0.0.1:4180/' } };
    const storage = { getItem: () => null };
    const asked = async () => ({ ok: false, status: 503, json: async () => ({}) });
    const drawn = runInNewContext(
      `${script.replaceAll('import.meta.url', '"http://127.0.0.1:4180/assets/ask.js"')}; render`,
      {
        ...context,
        sessionStorage: storage,
        fetch: asked,
      },
    ) as (box: unknown, answer: object) => void;
    const box = document.createElement('div');
    const said = { citations: [1], support: 1, kind: 'quoted' };
    const citation = {
      index: 1,
      title: 'Pumps',
      uri: 'p.md',
      url: '/v1/documents/d/view',
      source: 'files',
      quote: 'It runs at 40 bar.',
    };
    const claims = [
      { ...said, text: 'It runs.' },
      { ...said, text: 'It runs fast.', kind: 'reworded', confirmed: false },
    ];
    const passages = [{ ...said, text: 'It runs at 40 bar.', form: 'paragraph', headingPath: ['Pumps', 'P-7'] }];
    const timings = { totalMs: 5 };
    const rest = {
      abstained: false,
      conflicts: [],
      degraded: [],
      citations: [citation],
      confidence: 1,
      coverage: 1,
      mode: 'hybrid',
      timings,
    };
    drawn(box, { ...rest, answer: 'It runs. [1]', marks: [{ start: 9, end: 12, citation: 1 }], claims, passages });
    expect(box.querySelector('.text').textContent).toBe('It runs. [1]');
    expect(box.querySelector('.reworded').textContent).toBe(
      'In the model’s words, not confirmed: It runs fast.[1] It runs at 40 bar.',
    );
    expect(box.querySelector('details').textContent).toBe('The passagesPumps › P-7It runs at 40 bar. [1]');
  });

  it('shows characters that turn the order of what is read, and writes no words of others without looking for them', () => {
    const source = /function inOrder[\s\S]*?\n\}/u.exec(script)?.[0] ?? '';
    const inOrder = (text: string): string => runInNewContext(`${source}; inOrder(text)`, { text }) as string;
    expect(inOrder('a\u202eb\u2066c\u2069d\u200fe\u061cf')).toBe('a\ufffdb\ufffdc\ufffddef');
    const written = [...script.matchAll(/(?:textContent = |replaceChildren\()([^;]*);/gu)].map(
      (match) => match[1] ?? '',
    );
    const foreign = written.filter((what) => /\b(?:view|citation|answer|error|text|turn)\b[.;,)]?/u.test(what));
    expect(foreign.length).toBeGreaterThan(4);
    for (const what of foreign) expect(what).toMatch(/inOrder\(|make\(|answer\.abstained/u);
  });

  it('has every element that the script asks for', () => {
    const ids = new Set(nodes.map((node) => attribute(node, 'id')));
    const asked = [...script.matchAll(/element\('([^']+)'\)/g)].map((match) => match[1]);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('labels every field and dialog', () => {
    const labelled = new Set(nodes.map((node) => attribute(node, 'for')));
    for (const field of nodes.filter((node) => ['textarea', 'input', 'select'].includes(node.nodeName)))
      expect(labelled.has(attribute(field, 'id')), attribute(field, 'id')).toBe(true);
    for (const dialog of nodes.filter((node) => node.nodeName === 'dialog'))
      expect(attribute(dialog, 'aria-labelledby')).toBeTruthy();
    expect(nodes.find((node) => node.nodeName === 'html')?.attrs).toContainEqual({ name: 'lang', value: 'en' });
  });

  it.each(['light', 'dark'])('has contrast of at least 4.5 in the %s scheme', async (scheme) => {
    const css = await readFile(new URL('../../src/http/assets/ask.css', import.meta.url), 'utf8');
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
      ['accent-ink', 'accent'],
      ['ink', 'quote'],
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
