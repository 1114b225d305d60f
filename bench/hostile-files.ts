// Files made to hurt, uploaded to a running server, one after another, while others search: what each ends in, how long it takes, how much
// memory the server and its parsers hold, and whether the others notice (G25). About 5 minutes.
//
//   npm run bench:hostile-files [-- --dry]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hostileFiles } from '../test/ingest/hostile-files.ts';
import { residentMiB, watchMemory } from './parser-children.ts';
import { writeResult } from './report.ts';
import { startServerProcess } from './server-process.ts';

const isDry = process.argv.includes('--dry');
const data = process.env['FOOTNOTE_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../shared/data');

interface Upload {
  readonly group: string;
  readonly name: string;
  readonly bytes: () => Uint8Array;
}

function filesOf(group: string, ...parts: string[]): readonly Upload[] {
  const folder = join(data, ...parts);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'LICENSE')
    .map((entry) => ({ group, name: entry.name, bytes: () => readFileSync(join(entry.parentPath, entry.name)) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const uploads: readonly Upload[] = [
  ...hostileFiles.map(({ name, bytes }) => ({ group: 'generated', name, bytes })),
  ...filesOf('made', 'hostile', 'made'),
  ...filesOf('blns', 'hostile', 'blns'),
  ...filesOf('commonmark', 'hostile', 'commonmark-spec'),
  ...filesOf('pdf-broken', 'documents', 'pdf-broken'),
  ...filesOf('pdf-encrypted', 'documents', 'pdf-encrypted'),
  ...filesOf('json-test-suite', 'hostile', 'json-test-suite'),
];

interface Ended extends Upload {
  readonly code: string;
  readonly message: string;
  readonly seconds: number;
  readonly childMiB: number;
}

interface Reply {
  readonly documents?: readonly { readonly chunks: number }[];
  readonly code?: string;
  readonly detail?: string;
  readonly failed?: readonly { readonly code: string; readonly message: string }[];
}

async function upload(url: string, file: Upload, pid: number): Promise<Ended> {
  const memory = watchMemory(pid);
  const form = new FormData();
  form.set('uri', `${file.group}/${file.name}`);
  form.set('file', new Blob([file.bytes() as Uint8Array<ArrayBuffer>]), file.name);
  const begun = performance.now();
  const response = await fetch(`${url}/v1/documents?wait=true&retry=true`, { method: 'POST', body: form });
  const reply = (await response.json()) as Reply;
  const seconds = (performance.now() - begun) / 1000;
  const { childMiB } = memory.stop();
  const failure = reply.failed?.[0];
  const chunks = reply.documents?.reduce((sum, document) => sum + document.chunks, 0) ?? 0;
  return {
    ...file,
    code: failure?.code ?? reply.code ?? 'read',
    message: failure?.message ?? reply.detail ?? `${reply.documents?.length ?? 0} documents, ${chunks} chunks`,
    seconds,
    childMiB,
  };
}

/** Others who search, 20 times a second whatever happens; their latencies in ms. */
function startOthers(url: string): { stop(): Promise<readonly number[]> } {
  const latencies: number[] = [];
  const open = new Set<Promise<void>>();
  const search = async (): Promise<void> => {
    const begun = performance.now();
    const body = JSON.stringify({ query: 'text of the reply', topK: 5 });
    const response = await fetch(`${url}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    if (response.ok) latencies.push(performance.now() - begun);
    else latencies.push(Number.POSITIVE_INFINITY);
  };
  const timer = setInterval(() => {
    const one: Promise<void> = search().finally(() => open.delete(one));
    open.add(one);
  }, 50);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return latencies;
    },
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const place = await mkdtemp(join(tmpdir(), 'footnote-hostile-'));
const server = await startServerProcess(place);
const ended: Ended[] = [];
let idle: readonly number[] = [];
let busy: readonly number[] = [];
let growth = { before: 0, peak: 0, after: 0 };
try {
  // Something sound to search, and to have everything loaded.
  for (let at = 0; at < 200; at++)
    await fetch(`${server.url}/v1/documents?wait=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        uri: `sound/${at}`,
        text: `Reply ${at}.\n\nThe text of reply ${at} speaks of harbours and tides.`,
      }),
    });
  await startOthers(server.url).stop();
  const first = startOthers(server.url);
  await new Promise((done) => setTimeout(done, 10_000));
  idle = await first.stop();
  const before = residentMiB(server.pid);
  const memory = watchMemory(server.pid);
  const others = startOthers(server.url);
  for (const file of uploads) {
    const one = await upload(server.url, file, server.pid);
    ended.push(one);
    if (isDry && file.group !== 'json-test-suite')
      console.log(
        `${one.seconds.toFixed(1).padStart(6)} s ${Math.round(one.childMiB)} MiB ${one.name}: ${one.code} ${one.message.slice(0, 140)}`,
      );
  }
  busy = await others.stop();
  const { parentMiB } = memory.stop();
  await new Promise((done) => setTimeout(done, 5000));
  growth = { before, peak: parentMiB, after: residentMiB(server.pid) };
} finally {
  await server.stop();
  await rm(place, { recursive: true, force: true });
}

const round = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits;
const slowest = Math.max(...ended.map(({ seconds }) => seconds));
const childMiB = Math.max(...ended.map((one) => one.childMiB));
const typed = new Set(['read', 'invalid-media', 'unsupported-media', 'too-large', 'deadline-exceeded']);
const untyped = ended.filter(({ code }) => !typed.has(code));
const ratio = percentile(busy, 0.99) / percentile(idle, 0.99);
const goals = [
  {
    what: 'files without an end of their own (a document or a typed error)',
    wanted: '0',
    got: untyped.length,
    met: untyped.length === 0,
  },
  { what: 'slowest file (s)', wanted: '<= 20', got: round(slowest), met: slowest <= 20.5 },
  { what: 'memory of a parser at most (MiB)', wanted: '<= 512', got: round(childMiB, 0), met: childMiB <= 512 },
  {
    what: 'memory of the server, five seconds after, above before (MiB)',
    wanted: '<= 50',
    got: round(growth.after - growth.before, 0),
    met: growth.after - growth.before <= 50,
  },
  { what: 'p99 of other searches meanwhile, to that before', wanted: '<= 2', got: round(ratio, 2), met: ratio <= 2 },
];
for (const { name, code, message } of untyped) console.log(`UNTYPED ${name}: ${code} ${message}`);
for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got} (${goal.wanted})`);
if (!isDry) {
  const suite = ended.filter(({ group }) => group === 'json-test-suite');
  await writeResult('hostile-files', {
    title: 'Files made to hurt, while others search',
    command: 'npm run bench:hostile-files',
    seed: null,
    data: ['hostile', 'documents/pdf-broken', 'documents/pdf-encrypted']
      .map((part) => join(data, part))
      .filter(existsSync),
    metrics: {
      files: ended.length,
      'read all the same': ended.filter(({ code }) => code === 'read').length,
      'server before (MiB)': round(growth.before, 0),
      'server at most meanwhile (MiB)': round(growth.peak, 0),
      'server after (MiB)': round(growth.after, 0),
      'p99 before (ms)': round(percentile(idle, 0.99)),
      'p99 meanwhile (ms)': round(percentile(busy, 0.99)),
      'JSON test suite: y_ read': suite.filter(({ name, code }) => name.startsWith('y_') && code === 'read').length,
      'JSON test suite: n_ refused': suite.filter(({ name, code }) => name.startsWith('n_') && code !== 'read').length,
    },
    goals,
    tables: [
      {
        title: 'Each file (the JSON test suite is summed up above)',
        columns: ['group', 'file', 'outcome', 'message', 's', 'parser MiB'],
        rows: ended
          .filter(({ group }) => group !== 'json-test-suite')
          .map((one) => [
            one.group,
            one.name,
            one.code,
            one.message.slice(0, 160),
            round(one.seconds),
            round(one.childMiB, 0),
          ]),
      },
    ],
    notes: [
      'JSON that is no JSON is refused, not read as text: n_ files that are read hold lines or text of other kinds.',
    ],
  });
}
