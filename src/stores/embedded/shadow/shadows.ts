// The indexes in memory of an open record on a network, one for each tenant, whoever asks.
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { engineThreads } from '../../../engine/threads/engine-threads.ts';
import type { SealTiming } from '../choose-segments.ts';
import { createEngine, type Engine, type EngineView } from '../engine.ts';
import type { HeldVectors } from '../held-vectors.ts';
import { indexWithin } from '../index-within.ts';
import { embeddedName } from '../port.ts';
import { type FollowedFacts, followFacts } from './facts-selection.ts';
import { type FollowedVectors, followVectors } from './followed-vectors.ts';
import { type Budgeted, createMemoryBudget, type MemoryBudget } from './memory-budget.ts';
import { openSegmentFiles, type SegmentFiles } from './segment-files.ts';
import { createShadowUpkeep, type ShadowUpkeep } from './shadow-upkeep.ts';

export interface Shadow {
  readonly engine: Engine;
  readonly facts: FollowedFacts;
  readonly upkeep: ShadowUpkeep;
  /** Brings the index to what is committed, and the vectors of a space where one is named. Whoever looks at them does so in the turn in which this resolves. */
  follow(options?: {
    readonly needsFacts?: boolean;
    readonly space?: string | undefined;
  }): Promise<{ readonly view: EngineView; readonly vectors: HeldVectors | undefined }>;
  /** Lets go of the vectors of a space. */
  forget(space: string): void;
}

interface Shadows {
  readonly held: Map<string, Shadow>;
  /** Undefined: this process does not keep the indexes of the record in order. */
  kept?: Partial<SealTiming>;
  files?: SegmentFiles;
  budget?: MemoryBudget;
}

export interface KeepOptions extends Partial<SealTiming> {
  /** Of this server alone, for segments as files. */
  readonly folder?: string;
  /** What indexes in memory may take together; by default there is no limit. */
  readonly memoryBytes?: number | undefined;
}

const shadows = new WeakMap<PostgresRecord, Shadows>();

/** From now on the commits of this record write the entries of its embedded store. */
function joined(record: PostgresRecord): Shadows {
  const known = shadows.get(record);
  if (known) return known;
  const made: Shadows = { held: new Map() };
  shadows.set(record, made);
  // A bulk of commits is looked at every now and then.
  const written = (tenant: string): void => made.kept && shadowOf(record, tenant).upkeep.schedule(writtenMs);
  record.keepEntries(embeddedName, { ...indexWithin, written });
  return made;
}

const writtenMs = 2000;
/** What a document says about itself, roughly. */
const factBytes = 1000;

/** From now on this process, which is a server of the record, keeps its indexes in order, too, in its turn with others. Call what it returns before the record is closed. */
export function keepShadows(
  record: PostgresRecord,
  { folder, memoryBytes, ...timing }: KeepOptions = {},
): () => Promise<void> {
  const all = joined(record);
  all.kept = timing;
  if (folder !== undefined) all.files = openSegmentFiles(folder, record.namedSegments);
  if (memoryBytes !== undefined) all.budget = createMemoryBudget(memoryBytes);
  const ignore = record.leases.onLeft(() => {
    for (const { upkeep } of all.held.values()) upkeep.schedule(writtenMs);
  });
  return async () => {
    ignore();
    delete all.kept;
    all.files?.close();
    await Promise.all([...all.held.values()].map(({ upkeep }) => upkeep.close()));
  };
}

/** Deletes what this server has as files of segments that nobody names any more. */
export const sweepSegments = async (record: PostgresRecord): Promise<void> => joined(record).files?.sweep();

/** One for each tenant of an open record, whoever asks. */
export function shadowOf(record: PostgresRecord, tenant: string): Shadow {
  const all = joined(record);
  const present = all.held.get(tenant);
  if (present) return present;
  const engine = createEngine(tenant);
  const kept = record.indexLogOf(tenant);
  const log = all.files?.over(tenant, kept) ?? kept;
  const facts = followFacts(log);
  const spaces = new Map<string, FollowedVectors>();
  const vectorsOf = (name: string): FollowedVectors => {
    const held = spaces.get(name) ?? followVectors(tenant, name, log);
    spaces.set(name, held);
    return held;
  };
  const { leases } = record;
  const look = async (): Promise<EngineView> => (await bringUp({})).view;
  /** What only upkeep read goes when it was put in order. */
  const rested = (): void => void (!isAsked && engine.revision() !== -1 && budgeted.drop());
  const upkeep = createShadowUpkeep({ engine, look, log, rested, leases, timing: all.kept });
  let revision = -1;
  let isAsked = false;
  let index: EngineView['index'] | undefined;
  const budgeted: Budgeted = {
    bytes() {
      const segments = index?.segments().reduce((sum, { segment }) => sum + segment.bytes.length, 0) ?? 0;
      const vectors = [...spaces.values()].reduce((sum, space) => sum + (space.held()?.index.memoryBytes() ?? 0), 0);
      return segments + vectors + facts.count() * factBytes;
    },
    async drop() {
      isAsked = false;
      await engine.drop(() => {
        facts.forget();
        spaces.clear();
        index = undefined;
        // Its next look is to be told of what is still due.
        revision = -1;
      });
      engineThreads.release(engine.threaded);
    },
  };
  async function bringUp({ needsFacts = false, space }: NonNullable<Parameters<Shadow['follow']>[0]>) {
    const followed = needsFacts ? facts.withFacts : facts.log;
    const vectors = space === undefined ? undefined : vectorsOf(space);
    const view = await engine.follow(vectors?.through(followed) ?? followed);
    if (all.kept && revision !== engine.revision()) upkeep.schedule();
    revision = engine.revision();
    // Threads would hold what was replaced until their next search.
    if (index && view.index !== index) engineThreads.release(engine.threaded);
    ({ index } = view);
    return { view, vectors: vectors?.held() };
  }
  const made: Shadow = {
    engine,
    facts,
    upkeep,
    async follow(options = {}) {
      isAsked = true;
      const followedTo = await bringUp(options);
      all.budget?.used(budgeted);
      return followedTo;
    },
    forget: (space) => void spaces.delete(space),
  };
  all.held.set(tenant, made);
  return made;
}
