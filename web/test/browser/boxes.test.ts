// The box test: what stands under the boxes of a citation is its quote, on pages of every kind, held against pdf.js, which reads PDF by other code
// than the record does; where pdf.js has no text, against the ink of the page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrawnGlyph, drawnGlyphs, openPdf } from './drawn-glyphs.ts';
import { generatedPdfs } from './generated-pdfs.ts';
import { hasBrowser, meant, openPage, type Server, sharedBrowser, startServer, type Watched } from './harness.ts';

const folder = join(process.env['FOOTNOTE_SHARED_DATA'] ?? '', 'documents/pdf');
const hasDocuments = process.env['FOOTNOTE_SHARED_DATA'] !== undefined && existsSync(folder);
if (!hasDocuments)
  console.log('skipped: boxes of real PDFs, as FOOTNOTE_SHARED_DATA names no folder with documents/pdf');

/** With what is special about them. */
const realPdfs = [
  'attention-is-all-you-need.1706.03762v7.pdf', // formulas
  'multicolumn.pdf',
  'basicapi.pdf',
  'canvas.pdf', // tables
  'issue840.pdf',
  'markitdown-test.pdf',
  'markitdown-RECEIPT-2024-TXN-98765_retail_purchase.pdf',
  'markitdown-SPARSE-2024-INV-1234_borderless_table.pdf',
  'markitdown-movie-theater-booking-2024.pdf',
  'pdfjs_wikipedia.pdf',
  'pdflatex-outline.pdf',
  'google-doc-document.pdf',
  'german-umlaut-r.pdf',
  'french_diacritics.pdf',
  'copy_paste_ligatures.pdf',
  'XiaoBiaoSong.pdf', // Chinese
  'habibi.pdf', // Arabic
  '90ms_rksj_h_sample.pdf', // Japanese, by a map of characters
  'rotation.pdf', // each page turned otherwise
  '160F-2019.pdf', // a form of an authority
  'prefilled_f1040.pdf',
  'attachment.pdf',
] as const;

interface Box {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}
interface Citation {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}
type Edges = Pick<DrawnGlyph, 'left' | 'right' | 'top' | 'bottom'>;
/** Of a box on the screen, as shares of the page. */
interface Shown extends Edges {
  readonly start: number;
  readonly end: number;
  readonly ink: number;
}

interface ShownPage {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Shown[];
}

/** Two pixels of the screen; letters of formulas lean over what they take of their line, by a share of their height. */
const most = 2;
const lean = 0.08;

/** What both read alike: canonical text parts cells by bars, and writes dots of a leader in its own way; signs are drawn by fonts whose keys are letters. */
const readAlike = (text: string): string[] =>
  [...text.normalize('NFKC').replace(/[\s\p{Cc}\p{Co}\u{ad}\p{So}|.⋯\u{fffd}]/gu, '')].sort();

describe.skipIf(!hasBrowser)('the boxes of citations', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  let answers = 0;
  let files = 0;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(meant)]);
    // The page is about as wide as in the pane beside an answer.
    watched = await openPage(browser, server, { viewport: { width: 720, height: 800 } });
    ({ page } = watched);
    await page.goto(`${server.url}/app/none`);
  });
  afterAll(async () => {
    await server?.close();
  });

  const asked = async <Value>(path: string, body?: object): Promise<Value> => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const reply = await fetch(server.url + path, init ?? {});
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Value;
  };

  /** Citations of answers to questions in words of the document, from all over it. */
  async function citationsOf(id: string, text: string): Promise<Citation[]> {
    const found = new Map<string, Citation>();
    const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word);
    const wanted = 6;
    const step = Math.max(1, Math.floor(words.length / wanted));
    for (let at = 0; at < words.length && at < step * wanted; at += step) {
      const { citations } = await asked<{ citations: Citation[] }>('/v1/ask', {
        question: `What does it say of ${words.slice(at, at + 8).join(' ')}?`,
        filter: { op: 'eq', field: 'id', value: id },
      });
      if (citations.length > 0) answers += 1;
      for (const citation of citations) found.set(`${citation.start} ${citation.end}`, citation);
    }
    return [...found.values()];
  }

  /** Shows a span as the page itself does when a link leads there, and reads its boxes. */
  async function shownBoxes(id: string, start: number, end: number): Promise<ShownPage> {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/app/documents/${id}?start=${start}&end=${end}`);
    await page.locator(`.page[data-drawn="true"] .box[data-start="${start}"]`).waitFor({ state: 'attached' });
    return page.evaluate(() => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      const ground = canvas.getBoundingClientRect();
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const scale = canvas.width / ground.width;
      const boxes = [...document.querySelectorAll<HTMLElement>('.box')].map((box) => {
        const { left, top, right, bottom, width, height } = box.getBoundingClientRect();
        const at = [(left - ground.left) * scale, (top - ground.top) * scale, width * scale, height * scale] as const;
        const { data } = context?.getImageData(...at) ?? { data: [] };
        return {
          start: Number(box.dataset['start']),
          end: Number(box.dataset['end']),
          left: (left - ground.left) / ground.width,
          right: (right - ground.left) / ground.width,
          top: (top - ground.top) / ground.height,
          bottom: (bottom - ground.top) / ground.height,
          ink: [...data].filter((value, place) => place % 4 < 3 && value < 160).length / (at[2] * at[3] * 3),
        };
      });
      return { width: ground.width, height: ground.height, boxes };
    });
  }

  /** What is wrong with the boxes of a citation, on each of its pages. */
  async function faultsOf(citation: Citation, document: { id: string; text: string; file: PDFDocumentProxy }) {
    const { id, text, file } = document;
    const { start, end, quote } = citation;
    const { boxes } = await asked<{ boxes: Box[] }>(`/v1/documents/${id}/boxes?start=${start}&end=${end}`);
    const faults: string[] = [];
    const boxed = boxes.map((box) => text.slice(box.start, box.end)).join('');
    if (readAlike(boxed).join('') !== readAlike(quote).join('')) faults.push(`boxes hold ${boxed}`);
    for (const number of new Set(boxes.map((box) => box.page))) {
      // Of a quote over pages the one with most of it is shown, so each is looked at by itself.
      const own = boxes.filter((box) => box.page === number);
      const shown = await shownBoxes(id, own[0]?.start ?? start, own.at(-1)?.end ?? end);
      const glyphs = await glyphsOf(file, number);
      const words = shown.boxes.map((box) => text.slice(box.start, box.end)).join('');
      const under = glyphs.filter((glyph) => shown.boxes.some((box) => isUnder(glyph, box)));
      // A picture of a page has no text of its own.
      if (glyphs.length === 0) faults.push(...shown.boxes.filter(({ ink }) => ink < 0.02).map(() => 'a box is empty'));
      else if (readAlike(words).join('') !== readAlike(under.map((glyph) => glyph.text).join('')).join(''))
        faults.push(`under the boxes of page ${number} stands ${under.map((glyph) => glyph.text).join('')}`);
      for (const box of shown.boxes) {
        const beneath = under.filter((glyph) => isUnder(glyph, box));
        if (beneath.length === 0) continue;
        const [from, to, pixels] = beneath[0]?.isUpright
          ? (['top', 'bottom', shown.height] as const)
          : (['left', 'right', shown.width] as const);
        const off = [
          Math.min(...beneath.map((glyph) => glyph[from])) - box[from],
          Math.max(...beneath.map((glyph) => glyph[to])) - box[to],
        ].map((share) => share * pixels);
        const high = Math.max(...beneath.map(({ top, bottom }) => bottom - top)) * shown.height;
        if (off.some((by) => Math.abs(by) > most + lean * high))
          faults.push(`a box of ${text.slice(box.start, box.end)} is ${off.map((one) => one.toFixed(1))} px off`);
      }
    }
    return faults.map((fault) => `"${quote}": ${fault}`);
  }

  async function check(name: string, bytes: Uint8Array): Promise<void> {
    const id = await server.add({ name, bytes, mime: 'application/pdf' });
    const { text } = await asked<{ text: string }>(`/v1/documents/${id}/text`);
    const file = await openPdf(bytes);
    const citations = await citationsOf(id, text);
    const faults: string[] = [];
    for (const citation of citations) faults.push(...(await faultsOf(citation, { id, text, file })));
    await file.loadingTask.destroy();
    expect(citations.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await watched.check();
    files += 1;
  }

  it.each(generatedPdfs)('of $name hold the words of its quotes', async ({ name, bytes }) =>
    check(name, await bytes()),
  );

  it.skipIf(!hasDocuments).each(realPdfs)('of %s hold the words of its quotes', (name) =>
    check(name, readFileSync(join(folder, name))),
  );

  it.skipIf(!hasDocuments)('were looked at on enough files and answers', () => {
    console.log(`boxes: ${answers} answers over ${files} files`);
    expect(files).toBeGreaterThanOrEqual(25);
    expect(answers).toBeGreaterThanOrEqual(200);
  });
});

const pages = new WeakMap<PDFDocumentProxy, Map<number, Promise<DrawnGlyph[]>>>();

function glyphsOf(file: PDFDocumentProxy, number: number): Promise<DrawnGlyph[]> {
  const known = pages.get(file) ?? new Map<number, Promise<DrawnGlyph[]>>();
  pages.set(file, known);
  const glyphs = known.get(number) ?? drawnGlyphs(file, number);
  known.set(number, glyphs);
  return glyphs;
}

function isUnder(glyph: DrawnGlyph, box: Edges): boolean {
  const [x, y] = [(glyph.left + glyph.right) / 2, (glyph.top + glyph.bottom) / 2];
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}
