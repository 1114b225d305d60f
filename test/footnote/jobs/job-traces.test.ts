// Work that nobody asks a question with leaves traces, too: documents handed over, sources read, vectors made, stores delivered to, answers
// judged. What reached providers on 127.0.0.1 is the referee of what the traces say.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { LoggedEvent, TraceKind } from '../../../src/core/events.ts';
import { sha256 } from '../../../src/core/ids.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { SavedTrace } from '../../../src/core/trace-file.ts';
import { createJobTraces } from '../../../src/footnote/jobs/job-traces.ts';
import { type FakeProviderServer, startFakeOpenAI } from '../../../src/testing/index.ts';
import { createMemoryStores } from '../../../testkit/memory-store.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';

const memory = createMemoryStores({ name: 'cloud', ownPieces: true });
let refusal: FootnoteError | undefined;
let provider: FakeProviderServer;
const inputs: string[][] = [];
let folder: string;
let opened: OpenedFootnote;

beforeAll(async () => {
  provider = await startFakeOpenAI(() => '{}', {
    embeddings: ({ body }) => {
      inputs.push(body['input'] as string[]);
      return {};
    },
  });
});
afterAll(() => provider.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-jobs-'));
  refusal = undefined;
  inputs.length = 0;
  memory.held('default').clear();
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(environment: Readonly<Record<string, string>> = {}, withStore = false): Promise<void> {
  const given = { FOOTNOTE_DATA: join(folder, 'data'), OCR: 'off', ...environment };
  const cloud = {
    name: 'cloud',
    open: (scope: Parameters<typeof memory.store>[0]) => {
      const store = memory.store(scope);
      return {
        ...store,
        async upsert(...call: Parameters<typeof store.upsert>) {
          if (refusal) throw refusal;
          return store.upsert(...call);
        },
      };
    },
  };
  opened = await openFootnote(loadConfig({ folder, environment: given }), withStore ? { stores: [cloud] } : {});
}

const footnote = () => opened.forScope(localScope());

async function tracesOf(kind: TraceKind): Promise<readonly SavedTrace[]> {
  const { data } = await footnote().traces.list({ limit: 50, filter: { kind } });
  return Promise.all(data.map(({ id }) => footnote().traces.get(id)));
}

const all = <Type extends LoggedEvent['event']['type']>({ events }: SavedTrace, type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<LoggedEvent['event'], { type: Type }>] : []));

const sizeOf = ({ events }: SavedTrace): number => JSON.stringify(events).length;

describe('documents that are handed over', () => {
  it('are one trace for a collection of 2,000 records, and one for 40 in a row', async () => {
    await open();
    const lines = Array.from({ length: 2000 }, (_, n) =>
      JSON.stringify({ _id: `r${n}`, text: `Record ${n} is short.` }),
    );
    const bytes = new TextEncoder().encode(lines.join('\n'));
    await footnote().documents.add({ bytes, name: 'records.jsonl', source: 'lines' });
    const [collection, ...others] = await tracesOf('ingestion');
    expect(others).toEqual([]);
    expect(collection?.trace).toMatchObject({ kind: 'ingestion', status: 'done', sources: ['lines'] });
    expect(all(collection as SavedTrace, 'items')).toMatchObject([{ outcome: 'created', count: 2000 }]);
    expect(all(collection as SavedTrace, 'ended')[0]?.counts).toMatchObject({ documents: 2000, chunks: 2000 });
    expect(sizeOf(collection as SavedTrace)).toBeLessThan(8000);

    for (let n = 0; n < 40; n += 1)
      await footnote().documents.add({ uri: `n-${n}.md`, text: `Note ${n}.`, source: 'notes' });
    await footnote().documents.add({ uri: 'n-1.md', text: 'Note 1.', source: 'notes' });
    const refused = footnote().documents.add({
      uri: 'bad.pdf',
      bytes: new TextEncoder().encode('%PDF-1.4'),
      source: 'notes',
    });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-media' });
    const notes = (await tracesOf('ingestion')).filter(({ trace }) => trace.sources?.includes('notes'));
    // More than one only where the machine stood still between two of them.
    expect(notes.length).toBeLessThan(20);
    const items = notes.flatMap((one) => all(one, 'items'));
    const count = (outcome: string): number =>
      items.filter((one) => one.outcome === outcome).reduce((sum, one) => sum + one.count, 0);
    expect([count('created'), count('unchanged'), count('failed')]).toEqual([40, 1, 1]);
    expect(items.find(({ outcome }) => outcome === 'failed')).toMatchObject({
      reason: 'invalid-media',
      documents: [{ uri: 'bad.pdf' }],
    });
    const head = all(notes[0] as SavedTrace, 'job')[0];
    expect(head).toMatchObject({ kind: 'ingestion', about: { source: 'notes' }, version: 1 });
    expect(head?.config).toMatch(/^[0-9a-f]{64}$/u);
  });
});

it('a run over a source says what was read, left out and refused, each by its reason, and loses names with their documents', async () => {
  await open();
  const docs = join(folder, 'docs');
  await mkdir(docs);
  for (const name of ['one', 'two', 'three'])
    await writeFile(join(docs, `${name}.md`), `# ${name}\n\nThe ${name} is here.`);
  await writeFile(join(docs, '.gitignore'), 'secret.md\n');
  await writeFile(join(docs, 'secret.md'), 'It is left out.');
  await writeFile(join(docs, 'cut.pdf'), '%PDF-1.4 not really');
  await footnote().sources.put({ name: 'press', type: 'docs', connector: { kind: 'folder', path: docs } });
  const run = await footnote().sources.sync('press');
  const [saved] = await tracesOf('sync');
  expect(saved?.trace).toMatchObject({ status: 'done', sources: ['press'] });
  expect(all(saved as SavedTrace, 'job')[0]?.about).toMatchObject({
    source: 'press',
    ingestionId: run.id,
    connector: 'folder',
  });
  const items = all(saved as SavedTrace, 'items');
  expect(items).toContainEqual(expect.objectContaining({ outcome: 'skipped', reason: 'gitignore', count: 1 }));
  expect(items).toContainEqual(expect.objectContaining({ outcome: 'failed', count: 1 }));
  expect(items.find(({ outcome }) => outcome === 'added')?.count).toBe(run.counts.done);
  expect(all(saved as SavedTrace, 'calls')).toMatchObject([{ port: 'connector.folder', method: 'read', failed: 0 }]);
  expect(all(saved as SavedTrace, 'ended')[0]?.counts).toMatchObject({ found: run.counts.found, failed: 1 });

  const { data } = await footnote().documents.list({ limit: 10 });
  const two = data.find(({ uri }) => uri === 'two.md');
  await footnote().documents.delete(two?.id ?? '');
  await opened.settleErasures();
  const [left] = await tracesOf('sync');
  expect(JSON.stringify(left)).not.toContain('two.md');
  expect(JSON.stringify(left)).toContain('three.md');
  expect(all(left as SavedTrace, 'items').find(({ outcome }) => outcome === 'added')?.count).toBe(run.counts.done);
  expect(all(left as SavedTrace, 'erased')).toHaveLength(1);
  // Of a source that is gone nothing is named, also not what never was a document.
  await footnote().sources.remove('press');
  await opened.settleErasures();
  const gone = JSON.stringify(await tracesOf('sync'));
  for (const word of ['three.md', 'cut.pdf', 'secret.md', docs]) expect(gone).not.toContain(word);
});

it('vectors of a provider: every text that reached it is counted and told by its hash, none by its words', async () => {
  await open({ ...provider.environment, MODEL_EMBED: 'compatible:fake', BUDGET_REQUEST: 'none' });
  for (let n = 0; n < 30; n += 1) await footnote().documents.add({ uri: `m-${n}.md`, text: `The heron ${n} waits.` });
  await opened.settle('default');
  const traces = await tracesOf('embedding');
  const counted = traces
    .flatMap((one) => all(one, 'ended'))
    .reduce((sum, { counts }) => sum + (counts['texts'] ?? 0), 0);
  const sent = inputs.flat().filter((text) => text.includes('heron'));
  expect(counted).toBe(sent.length);
  const told = traces
    .flatMap((one) => all(one, 'call'))
    .flatMap(({ call }) => (call.request as { sha256: string[] }).sha256);
  expect(told.length).toBeGreaterThan(0);
  const hashes = new Set(sent.map((text) => sha256(text).slice(0, 16)));
  expect(told.filter((hash) => !hashes.has(hash))).toEqual([]);
  expect(JSON.stringify(traces)).not.toContain('heron');
});

it('a model that is learned here leaves its trace', async () => {
  await open();
  for (let n = 0; n < 40; n += 1)
    await footnote().documents.add({
      uri: `m-${n}.md`,
      text: `The copper ledger ${n} counts rivers of the quiet harbour every year.`,
    });
  await opened.settle('default', { exact: true });
  const methods = (await tracesOf('learning')).flatMap((one) => all(one, 'calls')).map(({ method }) => method);
  expect(methods).toEqual(expect.arrayContaining(['train', 'embed']));
});

it('deliveries to a store say what was given, taken and refused, and why a store took nothing', async () => {
  await open({}, true);
  refusal = new FootnoteError('upstream-unavailable', 'The cloud is down.');
  const [added] = await footnote().documents.add({ uri: 'heron.md', text: 'The heron waits.' });
  await opened.settle('default');
  const [failed] = await tracesOf('delivery');
  expect(failed?.trace).toMatchObject({ kind: 'delivery', status: 'upstream-unavailable' });
  expect(all(failed as SavedTrace, 'call')[0]?.call).toMatchObject({
    port: 'store.cloud',
    method: 'upsert',
    request: { documents: 1, first: [{ documentId: added?.id }] },
    error: { code: 'upstream-unavailable', message: 'The cloud is down.' },
  });
  refusal = undefined;
  await footnote().stores.sync('cloud');
  const [done] = await tracesOf('delivery');
  expect(done?.trace.status).toBe('done');
  expect(all(done as SavedTrace, 'items')).toMatchObject([{ outcome: 'delivered', count: 1 }]);
  expect(JSON.stringify(await tracesOf('delivery'))).not.toContain('heron');
});

it('judgements of answers are traced in a row', async () => {
  await open({ ENABLE_ONLINE_EVALS: 'true', EVAL_SAMPLE_RATE: '1' });
  await footnote().documents.add({ uri: 'mill.md', text: 'The mill of the north was built in 1801 and grinds oats.' });
  const { traceId } = await footnote().ask({ question: 'When was the mill of the north built?' });
  await opened.settleEvals();
  const [judged] = await tracesOf('evaluation');
  expect(all(judged as SavedTrace, 'call')[0]?.call).toMatchObject({ port: 'judge.rules', request: { traceId } });
  expect(all(judged as SavedTrace, 'items')).toMatchObject([{ outcome: 'judged', count: 1 }]);
});

it('is not replayed, from the record or for real, and says why', async () => {
  await open();
  await footnote().documents.add({ uri: 'a.md', text: 'A note.' });
  const [one] = await tracesOf('ingestion');
  const id = one?.trace.id ?? '';
  for (const request of [{}, { against: 'current' }, { mode: 'embedded' }] as const)
    await expect(footnote().traces.replay(id, request)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('only requests are replayed') as string,
    });
  // It travels like any other.
  const file = await footnote().traces.export(id);
  expect(file.traces[0]?.trace.kind).toBe('ingestion');
});

it('a row ends when nothing comes for a while, when it is long enough, and with the record', async () => {
  await open();
  let [ms, count] = [0, 0];
  let look = (): void => undefined;
  const saved: string[] = [];
  const jobs = createJobTraces({
    tracesOf: () => ({
      saveSoon: async ({ id }) => {
        saved.push(id);
      },
    }),
    facts: { program: '1', config: 'c' },
    clock: { now: () => '2026-11-23T00:00:00.000Z', elapsedMs: () => ms },
    ids: {
      next() {
        count += 1;
        return `trc_${count}`;
      },
    },
    every(work) {
      look = work;
      return () => undefined;
    },
  });
  const row = () => jobs.row(localScope(), { kind: 'delivery', about: { store: 'cloud' } });
  row().item({ outcome: 'delivered' });
  ms = 1500;
  look();
  row().item({ outcome: 'delivered' });
  ms = 3000;
  look();
  expect(saved).toEqual([]);
  ms = 5100;
  look();
  expect(saved).toEqual(['trc_1']);
  // A call that is under way keeps its row; what comes after a minute is in the next one.
  const ending = Promise.withResolvers<void>();
  const working = row().during({ port: 'p', method: 'm', request: {} }, () => ending.promise);
  for (ms = 6000; ms < 67_000; ms += 1000) look();
  expect(saved).toEqual(['trc_1']);
  row().item({ outcome: 'delivered' });
  ending.resolve();
  await working;
  look();
  expect(saved).toEqual(['trc_1', 'trc_2']);
  await jobs.close();
  expect(saved).toEqual(['trc_1', 'trc_2', 'trc_3']);
});
