// Every call that the store at OpenAI makes, with every fault that a service can have there: it ends correctly, in a typed error, or telling
// that it is down; in its time; without a word of the vendor; and doing it again afterwards ends in what was wanted.
import { afterEach, describe, expect, it } from 'vitest';
import { errorTable, isFootnoteError } from '../../src/core/errors.ts';
import type { StoreDocument } from '../../src/stores/delivered.ts';
import type { Store } from '../../src/stores/store.ts';
import { leakMark } from '../../testkit/openai/faults.ts';
import { allFaults, simulatedCalls, simulatorKey } from '../../testkit/openai/openai-simulator.ts';
import { type OpenaiPlace, openOpenaiPlace } from '../../testkit/openai/place.ts';
import { createWrite, scopeOf } from '../../testkit/record-fixture.ts';

const rounds = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 1 : 3;
/** From when the faulty call arrives. */
const deadlineMs = 250;
/** A hang, and not a slow machine. */
const hungMs = 5000;

/** How long the documents are: other pieces, other sizes of what is cut, garbled and dripped. */
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 1);
const admin = scopeOf();
const document = (name: string, text: string, revision = 1): StoreDocument =>
  createWrite(text, { id: `doc_${name}`, uri: `${name}.md`, title: '', revision });
const old = document('old', 'The heron waits.'.repeat(seed));
const kept = document('kept', 'A crane stands.');
const newer = document('old', 'The heron sleeps.'.repeat(seed * 7), 2);
const described = document('old', 'The heron waits.'.repeat(seed), 2);
const others = [document('x', 'An otter swims.'), document('y', 'An otter eats.')];

interface Operation {
  readonly name: string;
  /** Calls on its way, each of which fails once. */
  readonly calls: readonly string[];
  run(store: Store, signal?: AbortSignal): Promise<unknown>;
  /** Nothing was brought before. */
  readonly isFirst?: boolean;
  /** Texts that are held afterwards. */
  readonly after: readonly StoreDocument[];
  /** Whether what it resolved with is right. */
  isRight(result: unknown): boolean;
}

const isDelivered = (result: unknown): boolean =>
  (result as readonly { error?: unknown }[]).every(({ error }) => error === undefined);

const operations: readonly Operation[] = [
  {
    name: 'search',
    calls: ['stores.list', 'search'],
    run: (store, signal) => store.search({ text: 'heron', mode: 'vector', limit: 5 }, signal),
    after: [old, kept],
    isRight: (result) =>
      JSON.stringify((result as { hits: { documentId: string }[] }).hits.map(({ documentId }) => documentId)) ===
      '["doc_old"]',
  },
  {
    name: 'health',
    calls: ['stores.list', 'stores.get', 'attached.list'],
    run: (store, signal) => store.health(signal),
    after: [old, kept],
    isRight: (result) => {
      const { status, documents } = result as { status: string; documents: number };
      return status === 'down' || (status === 'ok' && documents === 2);
    },
  },
  {
    name: 'replacing a document',
    calls: [
      'stores.list',
      'files.list',
      'attached.list',
      'files.create',
      'attached.create',
      'attached.get',
      'attached.delete',
      'files.delete',
    ],
    run: (store, signal) => store.upsert([newer], signal),
    after: [newer, kept],
    isRight: isDelivered,
  },
  {
    name: 'bringing the first document',
    calls: ['stores.create'],
    isFirst: true,
    run: (store, signal) => store.upsert([old], signal),
    after: [old],
    isRight: isDelivered,
  },
  {
    name: 'describing a document anew',
    calls: ['attached.update'],
    run: (store, signal) => store.upsert([described], signal),
    after: [described, kept],
    isRight: isDelivered,
  },
  {
    name: 'a batch',
    calls: ['files.create', 'batches.create', 'batches.files'],
    run: (store, signal) => store.upsert(others, signal),
    after: [old, kept, ...others],
    isRight: isDelivered,
  },
  {
    name: 'deleting a document',
    calls: ['stores.list', 'files.list', 'attached.list', 'attached.delete', 'files.delete'],
    run: (store, signal) => store.delete([{ documentId: 'doc_old', revision: 2 }], signal),
    after: [kept],
    isRight: isDelivered,
  },
];

let place: OpenaiPlace | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

/** What the vendor holds, as documents and texts, and what is left over. */
function heldIn({ simulator: { state } }: OpenaiPlace): string[] {
  const attached = [...state.stores.values()].flatMap((store) => [...store.attached.values()]);
  const texts = attached.map(({ fileId, attributes }) =>
    [attributes['document_id'], attributes['revision'], state.files.get(fileId)?.text].join(' '),
  );
  const isAttached = new Set(attached.map(({ fileId }) => fileId));
  const orphans = [...state.files.keys()].filter((id) => !isAttached.has(id)).map((id) => `orphan ${id}`);
  return [...texts, ...orphans].sort();
}

const wantedOf = (documents: readonly StoreDocument[]): string[] =>
  documents
    .map(({ document: { id, revision }, chunks }) => [id, revision, chunks.map(({ text }) => text).join('')].join(' '))
    .sort();

const tookMs: number[] = [];

describe.each(operations)('$name', ({ calls, run, after, isRight, isFirst = false }) => {
  it.each(calls)('ends well, whatever happens to %s', async (call) => {
    const at = await openOpenaiPlace({ indexLooks: 1, slowMs: 60_000 });
    place = at;
    const bad: string[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const fault of allFaults) {
        const cell = JSON.stringify(fault);
        at.simulator.setFault(undefined);
        at.simulator.state.files.clear();
        at.simulator.state.stores.clear();
        for (const one of [old, kept]) await record(at, one);
        if (!isFirst) await at.restarted().store(admin).upsert([old, kept]);
        const { store: handle } = at.restarted();
        const store = handle(admin);
        let hitMs: number | undefined;
        const late = new AbortController();
        const timers: NodeJS.Timeout[] = [];
        at.simulator.setFault(({ name, count }) => {
          if (name !== call || count !== 1) return undefined;
          hitMs = performance.now();
          timers.push(setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), deadlineMs));
          return fault;
        });
        const ended = await run(store, late.signal).then(
          (result) =>
            isRight(result) || hasTypedErrors(result) ? undefined : `resolved with ${JSON.stringify(result)}`,
          (thrown: unknown) => faultOf(thrown),
        );
        for (const timer of timers) clearTimeout(timer);
        const ms = performance.now() - (hitMs ?? 0);
        tookMs.push(ms);
        if (hitMs === undefined) bad.push(`${cell}: the call was not made`);
        if (ended !== undefined) bad.push(`${cell}: ${ended}`);
        if (ms > deadlineMs + hungMs) bad.push(`${cell}: hangs`);
        // Doing it again ends in what was wanted, and the next process leaves nothing over.
        at.simulator.setFault(undefined);
        const again = await run(store).catch((thrown: unknown) => thrown);
        if (isFootnoteError(again) || !isRight(again)) bad.push(`${cell}: again ended in ${String(again)}`);
        await at
          .restarted()
          .store(admin)
          .delete([{ documentId: 'doc_none' }]);
        const held = heldIn(at);
        if (JSON.stringify(held) !== JSON.stringify(wantedOf(after))) bad.push(`${cell}: holds ${held.join('; ')}`);
      }
    expect(bad).toEqual([]);
    expect(at.simulator.violations).toEqual([]);
    const inTime = tookMs.filter((each) => each <= deadlineMs + 250).length;
    console.log(`${inTime} of ${tookMs.length} ended by their deadline + 250 ms`);
  });
});

it('meets every call that the store makes', () => {
  const met = new Set(operations.flatMap(({ calls }) => calls));
  // Made only where two processes make a vector store at the same time.
  expect(simulatedCalls.filter((name) => !met.has(name))).toEqual(['stores.delete']);
});

async function record({ database }: OpenaiPlace, { document: given, chunks }: StoreDocument): Promise<void> {
  const text = chunks.map((chunk) => chunk.text).join('');
  await database
    .forScope(admin)
    .commit([{ kind: 'put-document', write: { ...createWrite(text, given), document: given, chunks } }]);
}

/** Undefined: it is as it should be. */
function faultOf(thrown: unknown): string | undefined {
  if (!isFootnoteError(thrown) || !Object.hasOwn(errorTable, thrown.code) || thrown.code === 'internal')
    return `untyped: ${String(thrown)}`;
  const said = JSON.stringify([thrown.message, thrown.details, String(thrown.cause), thrown.stack]);
  return said.includes(leakMark) || said.includes(simulatorKey) ? `leaks: ${said}` : undefined;
}

const hasTypedErrors = (result: unknown): boolean =>
  Array.isArray(result) &&
  result.some(({ error }) => error) &&
  result.every(({ error }: { error?: unknown }) => error === undefined || faultOf(error) === undefined);
