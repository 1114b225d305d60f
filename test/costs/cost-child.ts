// Measures what a chunk, a page, a search and an answer cost in processor time, each against the calibration loop beside it, and prints
// them as JSON. In a process of its own, as the product runs. With --renew the committed ratios are written anew.
// Usage: node --expose-gc cost-child.ts [--renew]
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { parseFile } from '../../packages/readers/src/registry/registry.ts';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { createHttpApp } from '../../src/http/app.ts';
import { usageOf } from '../../src/ingest/read/process-usage.ts';
import { createRandom } from '../../testkit/history.ts';
import { calibrate } from './calibration.ts';

/** Of each kind; the median counts. */
const tries = 7;
const chunksPerTry = 300;
const pages = 24;
const searchesPerTry = 128;
const answersPerTry = 24;

const random = createRandom(20_261_121);
const syllables = 'ba ko ri ten mo lar si fen du gal pol vi ner ast om qui tre lun'.split(' ');
const vocabulary = Array.from({ length: 8_000 }, () =>
  Array.from({ length: 2 + random.below(3) }, () => syllables[random.below(syllables.length)]).join(''),
);
/** Common words come often, as in every language. */
const word = (): string => vocabulary[Math.floor(vocabulary.length * random.next() ** 3)] ?? '';
const sentence = (): string => {
  const words = Array.from({ length: 12 }, word).join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};
const textOf = (sentences: number): string => Array.from({ length: sentences }, sentence).join(' ');
const texts: string[] = [];
const query = (): string => {
  const words = (texts[random.below(texts.length)] ?? '').split(/\W+/);
  return Array.from({ length: 6 }, () => words[random.below(words.length)]).join(' ');
};

/** Processes that this one started and that live: parsers. */
function children(): readonly number[] {
  try {
    return readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Processor time of this process with its threads and its children, in milliseconds. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + children().reduce((sum, pid) => sum + (usageOf(pid)?.cpuMs ?? 0), 0);
}

async function costOf(work: () => unknown): Promise<number> {
  globalThis.gc?.();
  const from = usedMs();
  await work();
  return usedMs() - from;
}

/** The cost of one of `count` that `work` does, in calibration loops: the median of several tries. */
async function measure(count: number, work: (attempt: number) => Promise<unknown>): Promise<number> {
  await work(-1);
  const ratios: number[] = [];
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = await costOf(calibrate);
    const cost = await costOf(() => work(attempt));
    const after = await costOf(calibrate);
    ratios.push(cost / count / ((before + after) / 2));
  }
  ratios.sort((a, b) => a - b);
  return ratios[tries >> 1] ?? 0;
}

const folder = await mkdtemp(join(tmpdir(), 'footnote-costs-'));
const open = (model: string) =>
  openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), MODEL_EMBED: model, ENCODER: 'off' } }),
  );

async function measureChunks(): Promise<number> {
  const opened = await open('none');
  try {
    const { sources } = opened.forScope(localScope());
    return await measure(chunksPerTry, async (attempt) => {
      const lines = Array.from({ length: chunksPerTry }, (_, n) => {
        texts.push(textOf(10));
        return JSON.stringify({ id: `${attempt}-${n}`, title: sentence(), text: texts.at(-1) });
      });
      const path = join(folder, `lines${attempt}`);
      await mkdir(path);
      await writeFile(join(path, 'records.jsonl'), `${lines.join('\n')}\n`);
      const name = `source ${attempt}`;
      await sources.put({ name, type: 'docs', connector: { kind: 'folder', path } });
      const { counts } = await sources.sync(name);
      if (counts.chunks !== chunksPerTry) throw new Error(`${counts.chunks} chunks were written.`);
    });
  } finally {
    await opened.close();
  }
}

async function measurePages(): Promise<number> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 0; page < pages; page += 1) {
    const sheet = document.addPage([595, 842]);
    for (let line = 0; line < 45; line += 1) sheet.drawText(sentence(), { x: 50, y: 790 - line * 16, size: 8, font });
  }
  const bytes = await document.save();
  return measure(pages, async () => {
    const { text } = await parseFile({ bytes: bytes.slice(), name: 'pages.pdf' });
    if (text.length < pages * 1_000) throw new Error(`Only ${text.length} characters were read.`);
  });
}

async function measureQuestions(): Promise<Readonly<Record<string, number>>> {
  const opened = await open('corpus');
  try {
    await opened.settle('default');
    const app = createHttpApp({
      system: opened,
      authenticate: (secret) => opened.keys.authenticate(secret),
      hasKeys: () => opened.keys.required(),
      idempotency: opened.idempotency,
      version: 'costs',
    });
    const ask = (url: string, body: () => object, count: number) =>
      measure(count, async () => {
        for (let n = 0; n < count; n += 1) {
          const { statusCode, body: reply } = await app.inject({ method: 'POST', url, payload: body() });
          if (statusCode !== 200) throw new Error(reply);
        }
      });
    const search = (mode: string) => ask('/v1/search', () => ({ query: query(), mode, topK: 10 }), searchesPerTry);
    const costs = {
      search: await search('embedded'),
      'hybrid search': await search('hybrid'),
      answer: await ask('/v1/ask', () => ({ question: `What is ${query()}?` }), answersPerTry),
    };
    await app.close();
    return costs;
  } finally {
    await opened.close();
  }
}

try {
  const costs = { chunk: await measureChunks(), page: await measurePages(), ...(await measureQuestions()) };
  const printed = Object.fromEntries(
    Object.entries(costs).map(([what, ratio]) => [what, Number(ratio.toPrecision(3))]),
  );
  console.log(JSON.stringify(printed));
  if (process.argv.includes('--renew'))
    writeFileSync(join(import.meta.dirname, 'ratios.json'), `${JSON.stringify(printed, undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
