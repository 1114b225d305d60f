// What of a web page is content and what is frame: pages of our own, pages made to hurt, and Readability's own expectations.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { html } from '../../src/web/html.ts';
import { htmlPiece } from '../../src/web/html-piece.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const pageOf = (body: string): Promise<ParsedDocument> =>
  html.parse({ bytes: Buffer.from(`<!doctype html><title>T</title><body>${body}`), name: 'a.html' });
const partsOf = ({ text, blocks }: ParsedDocument, boilerplate: boolean): string =>
  blocks
    .filter((block) => (block.kind === 'boilerplate') === boilerplate)
    .map((block) => text.slice(block.start, block.end))
    .join('\n');
const sentences = (topic: string): string =>
  Array.from(
    { length: 6 },
    (_, index) =>
      `<p>The ${topic} of the northern basin, number ${index}, was replaced in spring, and the smaller ones that took its place share the load, as planned.</p>`,
  ).join('');
const links = (...names: string[]): string =>
  `<ul>${names.map((name) => `<li><a href="/${name}">${name}</a>`).join('')}</ul>`;

describe('the frame of a page', () => {
  it('is navigation, banners, related links and footers, in the text and apart from it', async () => {
    const page = await pageOf(
      `<header><a href="/">Acme</a><nav>${links('Products', 'Prices', 'Imprint')}</nav></header>
       <div class="cookie-banner">We use cookies. <button>Accept all</button></div>
       <main><article><h1>Pumps</h1>${sentences('pump')}<h2>Basins</h2>${sentences('basin')}</article></main>
       <aside class="related"><h2>Related articles</h2>${links('Valves', 'Pipes')}</aside><footer>© 2024 Acme Inc.</footer>`,
    );
    expectWellFormed(page);
    for (const word of ['Products', 'Imprint', 'We use cookies', 'Related articles', 'Valves', '© 2024 Acme']) {
      expect(page.text).toContain(word);
      expect(partsOf(page, true)).toContain(word);
    }
    for (const word of ['The pump of', 'The basin of', 'number 5']) expect(partsOf(page, false)).toContain(word);
    expect(page.headings.map(({ title }) => title)).toEqual(['Pumps', 'Basins']);
  });

  it('does not take what reads like content, even where Readability would leave it out', async () => {
    const reply = sentences('valve').replaceAll('valve', 'reply');
    const page = await pageOf(
      `<article><h1>Pumps</h1>${sentences('pump')}</article><div class="comment">${reply}</div>`,
    );
    expect(partsOf(page, false)).toContain('The reply of the northern basin');
  });

  it('is none where there is nothing else', async () => {
    for (const count of [3, 2500]) {
      const names = Array.from({ length: count }, (_, index) => `entry${index}`);
      const page = await pageOf(`<nav>${links(...names)}</nav>`);
      expect(partsOf(page, true)).toBe('');
      expect(page.text).toContain(`entry${count - 1}`);
    }
  });

  it('is told by its names alone where a page is too large or too deep for Readability', async () => {
    const paragraphs = sentences('pump').repeat(400);
    const flat = await pageOf(
      `<nav>${links('Products', 'Prices')}</nav><div>${paragraphs}</div><footer>© Acme</footer>`,
    );
    expect(partsOf(flat, true)).toBe('- Products\n- Prices\n© Acme');
    const deep = await pageOf(`<nav>${links('Products')}</nav>${'<div>'.repeat(5000)}${sentences('pump')}`);
    expect(partsOf(deep, true)).toBe('- Products');
  });

  it('is told by its names alone where an element has more attributes than anybody writes', async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => `a${at}=1`).join(' ');
    const before = process.cpuUsage();
    const page = await pageOf(`<nav>${links('Products')}</nav><p ${many}>${sentences('pump')}`);
    expect(partsOf(page, true)).toBe('- Products');
    // Readability takes 8 s and half a gigabyte for them.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(4);
  });

  it('is not the rows of a table whose header is content', async () => {
    const cells = (texts: readonly string[]): string => `<tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`;
    const header = cells(['Site', 'Turbidity'].map((name) => `${name} ${'measured in spring, '.repeat(6)}as planned`));
    const rows = Array.from({ length: 100 }, (_, row) => cells([`Station ${row}`, `${row}.5`])).join('');
    const page = await pageOf(`<table>${header}${rows}</table>`);
    expect(partsOf(page, false)).toContain('Station 99 | 99.5');
    expect(partsOf(page, true)).toBe('');
  });

  it('is not what stands behind an anchor without an address', async () => {
    // Written as in XHTML, `<a id="x"/>` is never closed in HTML.
    const sections = ['pump', 'basin', 'valve'].map(
      (topic) => `<div class="section"><h2><a id="${topic}"/>The ${topic}</h2>${sentences(topic)}</div>`,
    );
    const page = await pageOf(`<nav>${links('Prev', 'Next')}</nav><div class="chapter">${sections.join('')}</div>`);
    expect(partsOf(page, true)).toBe('- Prev\n- Next');
    expect(page.headings.map(({ title }) => title)).toEqual(['The pump', 'The basin', 'The valve']);
  });

  it('is no short part of what the page marks as its content', async () => {
    const method = (name: string): string =>
      `<details open><summary><h4>fn ${name}(&amp;mut self) -> usize</h4></summary><div>Counts the ${name}.</div></details>`;
    const page = await pageOf(
      `<nav>${links('Structs', 'Traits')}</nav><main><h1>Pump</h1><pre>struct Pump</pre>${sentences('pump')}<h2>Methods</h2>
       ${['starts', 'stops', 'turns'].map(method).join('')}<section id="pagination"><h2><a href="#pagination">Pagination</a></h2><p>Ten a page.</p></section>
       <aside class="footnote"><p>[1] A note.</p></aside></main><div class="hint"><p>Press s to search.</p></div>`,
    );
    for (const text of [
      'struct Pump',
      'fn stops(&mut self) -> usize',
      'Counts the turns.',
      'Ten a page.',
      '[1] A note.',
    ])
      expect(partsOf(page, false)).toContain(text);
    expect(partsOf(page, true)).toBe('- Structs\n- Traits\nPress s to search.');
    expect(page.headings.map(({ title }) => title)).toContain('Pagination');
  });

  it('is not the title and the first words of a chapter whose sections are shown', async () => {
    const page = await pageOf(
      `<div class="navheader">${links('Prev', 'Next')}</div><div class="chapter"><div><h1>Pumps</h1></div><p>What they are.</p>
       <h2>Kinds</h2><div class="section"><div>${sentences('pump').repeat(2)}</div></div></div>`,
    );
    expect(partsOf(page, false)).toContain('What they are.');
    expect(page.headings.map(({ title }) => title)).toEqual(['Pumps', 'Kinds']);
  });

  it('is not the links of a page that is a list of links', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Chapter${index}`);
    const legal =
      'The words of this manual are under the licence of its authors, the programs in it are free, and all marks belong to whom they belong.';
    const page = await pageOf(
      `<div class="navbar">${links('Prev', 'Next')}</div><div id="page-content"><h1>Manual</h1><div>${links(...names)}</div></div>
       <div id="end"><div><p>${legal}</p></div></div>`,
    );
    expect(partsOf(page, false)).toContain('Chapter29');
    expect(partsOf(page, true)).toBe('- Prev\n- Next');
  });

  it('is no concern of formats that are converted to HTML', () => {
    const { blocks } = htmlPiece(`<nav>${links('One')}</nav><p>Text.</p>`);
    expect(blocks.map(({ kind }) => kind)).not.toContain('boilerplate');
  });

  it('leaves what Readability expects of real pages', async () => {
    const folder = sharedData('documents', 'html');
    if (folder === undefined) return;
    const names = readdirSync(folder).filter((name) => !name.includes('.expected'));
    let sum = 0;
    for (const name of names) {
      const page = await html.parse({ bytes: readFileSync(join(folder, name)), name });
      expectWellFormed(page);
      const expected = readFileSync(join(folder, name.replace('.html', '.expected.html')), 'utf8');
      sum += wordScore(partsOf(page, false), htmlPiece(expected).text);
    }
    expect(names).toHaveLength(10);
    expect(sum / names.length).toBeGreaterThanOrEqual(0.95);
  });
});

/** F1 of the words, each as often as it stands there. */
function wordScore(found: string, expected: string): number {
  const wordsOf = (text: string): string[] =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const left = new Map<string, number>();
  for (const word of wordsOf(expected)) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of wordsOf(found)) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(word, count - 1);
  }
  return (2 * shared) / (wordsOf(found).length + wordsOf(expected).length);
}
