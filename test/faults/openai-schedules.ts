// Deliveries to OpenAI's stand-in in any order, with calls that fail in any way, retried as an outbox retries them: upsert what is not
// confirmed, delete what is not confirmed gone, sometimes by another process. At the end the vendor must hold what was last wanted.

import type { StoreOutcome } from '../../src/stores/delivered.ts';
import { attributeNames } from '../../src/stores/openai/attributes.ts';
import type { Store } from '../../src/stores/store.ts';
import type { Fault } from '../../testkit/openai/faults.ts';
import type { OpenaiPlace } from '../../testkit/openai/place.ts';
import { createWrite, scopeOf } from '../../testkit/record-fixture.ts';

/** Those that end at once. */
const faults: readonly Fault[] = [
  'lost-reply',
  'lost-reply',
  'twice',
  'reset',
  'truncated',
  'garbage',
  'empty',
  'wrong-types',
  404,
  409,
  429,
  500,
  503,
];
const names = ['a', 'b', 'c', 'd'].map((name) => `doc_${name}`);
const texts = ['The heron waits.', 'A crane stands there.', `${'The otter swims on. '.repeat(20)}`];

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Wanted {
  /** Undefined: deleted. */
  readonly text: string | undefined;
  readonly revision: number;
  isConfirmed: boolean;
  readonly storeDocumentId?: string | undefined;
}

/** Rounds of retries until all was confirmed. */
export interface ScheduleReport {
  readonly rounds: number;
  readonly faults: number;
  /** What is not as it was wanted. */
  readonly wrong: readonly string[];
}

const admin = scopeOf();
/** By requests: nothing is known later than that. */
export const slowestLag = 8;

export async function runSchedule(place: OpenaiPlace, seed: number): Promise<ScheduleReport> {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const { simulator } = place;
  simulator.state.files.clear();
  simulator.state.stores.clear();
  let faulty = 0;
  simulator.setFault(() => {
    if (random() > 0.2) return undefined;
    faulty += 1;
    return pick(faults);
  });
  const wanted = new Map<string, Wanted>();
  let running = place.restarted();
  let store: Store = running.store(admin);
  const restart = (): void => {
    running.stores.close();
    running = place.restarted();
    store = running.store(admin);
  };

  const confirm = (outcomes: readonly StoreOutcome[]): void => {
    for (const { documentId, error, storeDocumentId } of outcomes) {
      const one = wanted.get(documentId);
      if (one && !error) wanted.set(documentId, { ...one, isConfirmed: true, storeDocumentId });
    }
  };
  const deliver = async (ids: readonly string[]): Promise<void> => {
    const open = ids.flatMap((id) => {
      const one = wanted.get(id);
      return one && !one.isConfirmed ? [{ id, ...one }] : [];
    });
    const puts = open.flatMap(({ id, text, revision }) => {
      if (text === undefined) return [];
      const { document, chunks } = createWrite(text, { id, uri: `${id}.md`, revision });
      return [{ document, chunks }];
    });
    const gone = open.flatMap(({ id, text, storeDocumentId }) =>
      text === undefined ? [{ documentId: id, ...(storeDocumentId !== undefined && { storeDocumentId }) }] : [],
    );
    // What failed stays unconfirmed.
    if (puts.length > 0) await store.upsert(puts).then(confirm, () => undefined);
    if (gone.length > 0) await store.delete(gone).then(confirm, () => undefined);
  };

  for (let step = 0; step < 8; step += 1) {
    const ids = [...new Set([pick(names), pick(names), pick(names)])];
    const isDeletion = random() < 0.35;
    for (const id of ids) {
      const { revision = 0, storeDocumentId } = wanted.get(id) ?? {};
      const text = isDeletion ? undefined : pick(texts);
      wanted.set(id, { text, revision: revision + 1, isConfirmed: false, storeDocumentId });
    }
    if (random() < 0.2) restart();
    await deliver(random() < 0.5 ? ids : names);
  }
  simulator.setFault(undefined);
  let rounds = 0;
  while ([...wanted.values()].some(({ isConfirmed }) => !isConfirmed) && rounds < 20) {
    rounds += 1;
    await deliver(names);
  }
  // The next process lists what stands there, when lists show it, and takes away what two deliveries of one request left over.
  for (let late = 0; late < slowestLag; late += 1) simulator.state.tick();
  restart();
  await store.delete([{ documentId: 'doc_none' }]);
  running.stores.close();
  const late = [...wanted].flatMap(([id, { isConfirmed }]) => (isConfirmed ? [] : [`${id} is never confirmed`]));
  return { rounds, faults: faulty, wrong: [...late, ...differences(place, wanted)] };
}

function differences({ simulator }: OpenaiPlace, wanted: ReadonlyMap<string, Wanted>): string[] {
  const { files, stores } = simulator.state;
  const attached = [...stores.values()].flatMap((store) => [...store.attached.values()]);
  const wrong: string[] = [];
  // One that was made twice has nothing in it.
  if ([...stores.values()].filter((store) => store.attached.size > 0).length > 1)
    wrong.push('two vector stores are used');
  for (const { fileId } of attached) if (!files.has(fileId)) wrong.push(`${fileId} is indexed and not there`);
  const isAttached = new Set(attached.map(({ fileId }) => fileId));
  for (const { id } of files.values()) if (!isAttached.has(id)) wrong.push(`${id} is an orphan`);
  for (const [id, { text, revision }] of wanted) {
    const held = attached.filter(({ attributes }) => attributes[attributeNames.documentId] === id);
    if (held.length !== (text === undefined ? 0 : 1)) wrong.push(`${id} is there ${held.length} times`);
    for (const { fileId, attributes } of held) {
      if (text !== undefined && files.get(fileId)?.text !== text) wrong.push(`${id} has another text`);
      if (attributes[attributeNames.revision] !== revision) wrong.push(`${id} has another revision`);
    }
  }
  return wrong;
}
