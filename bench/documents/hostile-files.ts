// Files made to hurt, uploaded to a running server, one after another, while others search: what each ends in, how long it takes, how much
// memory the server and its parsers hold, and whether the others notice (G25). About 5 minutes.
//
//   npm run bench hostile-files [-- --dry]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hostileFiles } from '../../packages/readers/testkit/hostile-files.ts';
import { residentMiB, watchMemory } from '../../testkit/parser-children.ts';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';
import { writeResult } from '../report.ts';

const isDry = process.argv.includes('--dry');
const data = process.env['FOOTNOTE_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../../shared/data');

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

interface Measured {
  readonly before: number;
  readonly peak: number;
  readonly after: number;
  readonly idle: readonly number[];
  readonly busy: readonly number[];
}

/** A server of its own with something sound to search, first left alone with those who search, then given work. */
async function measured(work: (server: ServerProcess) => Promise<void>, finish?: (url: string) => Promise<void>) {
  const place = await mkdtemp(join(tmpdir(), 'footnote-hostile-'));
  const server = await startServerProcess(place);
  try {
    for (let at = 0; at < 200; at++)
      await add(server.url, {
        uri: `sound/${at}`,
        text: `Reply ${at}.\n\nThe text of reply ${at} speaks of harbours and tides.`,
      });
    await startOthers(server.url).stop();
    const first = startOthers(server.url);
    await wait(10_000);
    const idle = await first.stop();
    const before = residentMiB(server.pid);
    const memory = watchMemory(server.pid);
    const others = startOthers(server.url);
    let busy: Awaited<ReturnType<typeof others.stop>>;
    try {
      await work(server);
    } finally {
      busy = await others.stop();
    }
    const { parentMiB: peak } = memory.stop();
    await wait(5000);
    const after = residentMiB(server.pid);
    await finish?.(server.url);
    return { before, peak, after, idle, busy } satisfies Measured;
  } finally {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  }
}

/** False where the text alone is refused: what a file is can tell more than its text. */
async function add(url: string, { uri, text }: Accepted): Promise<boolean> {
  const form = new FormData();
  form.set('uri', uri);
  form.set('file', new Blob([text], { type: 'text/plain' }), 'text.txt');
  const response = await fetch(`${url}/v1/documents?wait=true`, { method: 'POST', body: form });
  await response.arrayBuffer();
  return response.ok;
}

interface Accepted {
  readonly uri: string;
  readonly text: string;
}

/** What became of the files: the texts that can be searched now. */
async function acceptedBy(url: string): Promise<readonly Accepted[]> {
  const found: Accepted[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page = await fetch(
      `${url}/v1/documents?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    const { data, nextCursor } = (await page.json()) as { data: { id: string; uri: string }[]; nextCursor?: string };
    for (const { id, uri } of data) {
      if (uri.startsWith('sound/')) continue;
      const response = await fetch(`${url}/v1/documents/${encodeURIComponent(id)}/text`);
      found.push({ uri, text: ((await response.json()) as { text: string }).text });
    }
    cursor = nextCursor;
  }
  return found;
}

const ended: Ended[] = [];
let accepted: readonly Accepted[] = [];
const hurt = await measured(
  async (server) => {
    for (const file of uploads) {
      const one = await upload(server.url, file, server.pid);
      ended.push(one);
      if (isDry && file.group !== 'json-test-suite')
        console.log(
          `${one.seconds.toFixed(1).padStart(6)} s ${Math.round(one.childMiB)} MiB ${one.name}: ${one.code} ${one.message.slice(0, 140)}`,
        );
    }
  },
  async (url) => {
    accepted = await acceptedBy(url);
  },
);
let plainTexts = 0;
/** The same documents without their files: what holding and searching them costs a server in any case. */
const plain = await measured(async ({ url }) => {
  const left = [...accepted];
  const next = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) if (await add(url, one)) plainTexts += 1;
  };
  await Promise.all([next(), next(), next(), next()]);
});
const growth = hurt.after - hurt.before;
const plainGrowth = plain.after - plain.before;

const round = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits;
const slowest = Math.max(...ended.map(({ seconds }) => seconds));
const childMiB = Math.max(...ended.map((one) => one.childMiB));
const typed = new Set(['read', 'invalid-media', 'unsupported-media', 'too-large', 'deadline-exceeded']);
const untyped = ended.filter(({ code }) => !typed.has(code));
const ratioOf = ({ busy, idle }: Measured): number => percentile(busy, 0.99) / percentile(idle, 0.99);
const [ratio, plainRatio] = [ratioOf(hurt), ratioOf(plain)];
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
    what: 'memory of the server, five seconds after, above before, beyond what the accepted documents cost it as plain texts (MiB)',
    wanted: '<= 50',
    got: round(growth - plainGrowth, 0),
    met: growth - plainGrowth <= 50,
  },
  { what: 'p99 of other searches meanwhile, to that before', wanted: '<= 2', got: round(ratio, 2), met: ratio <= 2 },
  {
    what: 'the same while the documents that came of them are added as plain texts, four at a time',
    wanted: '<= 2',
    got: round(plainRatio, 2),
    met: plainRatio <= 2,
  },
];
for (const { name, code, message } of untyped) console.log(`UNTYPED ${name}: ${code} ${message}`);
for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got} (${goal.wanted})`);
if (isDry) {
  const latencies = [hurt.idle, hurt.busy, plain.idle, plain.busy].map((values) => round(percentile(values, 0.99)));
  console.log(
    `memory +${round(growth, 0)} MiB, plain texts +${round(plainGrowth, 0)} MiB; p99 ${latencies.join(', ')} ms`,
  );
} else {
  const suite = ended.filter(({ group }) => group === 'json-test-suite');
  await writeResult('hostile-files', {
    title: 'Files made to hurt, while others search',
    command: 'npm run bench hostile-files',
    seed: null,
    data: ['hostile', 'documents/pdf-broken', 'documents/pdf-encrypted']
      .map((part) => join(data, part))
      .filter(existsSync),
    metrics: {
      files: ended.length,
      'read all the same': ended.filter(({ code }) => code === 'read').length,
      'documents that came of them': accepted.length,
      'of these, added to the other server as plain texts': plainTexts,
      'server before (MiB)': round(hurt.before, 0),
      'server at most meanwhile (MiB)': round(hurt.peak, 0),
      'server after (MiB)': round(hurt.after, 0),
      'server after, above before (MiB)': round(growth, 0),
      'another server after the same documents as plain texts, above before (MiB)': round(plainGrowth, 0),
      'p99 before (ms)': round(percentile(hurt.idle, 0.99)),
      'p99 meanwhile (ms)': round(percentile(hurt.busy, 0.99)),
      'p99 of the other server, before (ms)': round(percentile(plain.idle, 0.99)),
      'p99 of the other server, meanwhile (ms)': round(percentile(plain.busy, 0.99)),
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
      'Memory: most of what a server holds more afterwards comes of the 5,000 documents of one archive and is the same where they are added as plain texts: threads that index them, and a heap that has grown and is not collected while nobody needs its room. So that is measured too, in a server of its own, and taken off.',
      'JSON that is no JSON is refused, not read as text: n_ files that are read hold lines or text of other kinds.',
    ],
  });
}
