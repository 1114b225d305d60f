// The search engine of one tenant, kept equal to what the record's database has committed: before each search it reads what
// changed since the last one (log rows, removals, segments). It learns of nothing else, so a transaction that failed or a
// process that was killed leaves no trace in it, and a document is searchable as soon as its transaction has ended.

import type { DatabaseSync } from 'node:sqlite';
import { isFootnoteError } from '../../core/errors.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import {
  type IndexDelta,
  type IndexLog,
  type IndexMark,
  type LanguageCount,
  type RowRange,
  type StoredSegment,
  sealRemoval,
  sealSegment,
} from '../../db/repositories/index-log.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import { createIndexLog } from '../../db/sqlite/index-log.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { buildSegment, type Entry } from '../../engine/build-segment.ts';
import { createLexicalIndex, type LexicalIndex } from '../../engine/lexical.ts';
import { mergeNow } from '../../engine/merge-segments.ts';
import type { Selection } from '../../engine/query.ts';
import { maximumEntries, openSegment, type Segment } from '../../engine/segment.ts';
import type { EngineThreads } from '../../engine/threads/engine-threads.ts';
import { createThreadedIndex, type ThreadedIndex } from '../../engine/threads/pool.ts';
import { readParts } from './parts.ts';
import { createTenantIndex, indexVersion, type TenantIndex } from './tenant-index.ts';

/** Segments that are in memory only: their rows are still in the log. */
export const smallMerge = { segments: 8, entries: 512, each: 128 } as const;

/** An index of no more parts is opened at once: some 10 ms. */
const partsAtOnce = 8;
/** So is a log of no more rows. */
const logAtOnce = 250;

export interface EngineView {
  readonly index: LexicalIndex;
  readonly languages: readonly string[];
  readonly languageCounts: readonly LanguageCount[];
  /** Set while the index lacks something that the record holds: what is wrong, for people. */
  readonly incomplete: string | undefined;
  /** Changes with everything that a search could see of the index and of what documents say about themselves. */
  readonly version: string;
}

export interface Engine {
  readonly tenant: TenantIndex;
  /** The index as worker threads know it. */
  readonly threaded: ThreadedIndex;
  /**
   * Reads a large index ahead of its first use, in pieces and hashed on a thread, so that `sync` finds it in memory.
   * Undefined where there is nothing to wait for.
   */
  opening(database: SqliteRecordDatabase, threads: EngineThreads): Promise<void> | undefined;
  /** Brings memory up to what is committed; call before each use, in one synchronous piece with it. */
  sync(database: DatabaseSync): EngineView;
  /**
   * The same of a record on a network. What it is told is applied in one turn; whoever searches does so in the turn in which this resolves.
   */
  follow(log: Pick<IndexLog, 'changes' | 'bytesOf'>): Promise<EngineView>;
  /** Lets go of everything that it holds, of a record on a network; the next look reads it again. Whoever looked goes on with what it has, and looks in its turn. `also`: in the same turn. */
  drop(also: () => void): Promise<void>;
  /** Segments of the index that the database holds, by identity. */
  stored(segment: Segment): StoredSegment | undefined;
  /** Tells that `segment`, once committed under this seal, replaces these. They are not merged meanwhile. */
  expect(replacement: {
    readonly seal: string;
    readonly segment: Segment;
    readonly replaced: readonly Segment[];
  }): void;
  forget(seal: string): void;
  /** Segments that are about to be replaced and must stay as they are; empty when none. */
  hold(segments: readonly Segment[]): void;
  /** Revision that memory shows. */
  revision(): number;
  /** What was found damaged: `all` where the extent is unknown. Those parts are left out until they were repaired. */
  damage(): readonly RowRange[] | 'all' | undefined;
  /** After the repair of all that `damage` told. */
  repaired(): void;
  /** Selections of rows by filter, valid for one version. */
  readonly selections: Map<string, Selection | Promise<Selection>>;
}

export function createEngine(name: string): Engine {
  const tenant = createTenantIndex(name);
  let index = createLexicalIndex();
  let stored = new Map<Segment, StoredSegment>();
  const expected = new Map<string, { segment: Segment; replaced: readonly Segment[] }>();
  let held: readonly Segment[] = [];
  let revision = -1;
  let lastRow = 0;
  let generation = 0;
  let languages: readonly string[] = [];
  let languageCounts: readonly LanguageCount[] = [];
  let damage: RowRange[] | 'all' | undefined;
  const selections = new Map<string, Selection | Promise<Selection>>();
  let opened: Promise<void> | undefined;

  /** Segments that are verified: read ahead, or in use before a reset. */
  const verified = new Map<string, Segment>();
  /** Seals of segments that cannot be read. */
  let unreadable = new Set<string>();

  const reset = (): void => {
    for (const [segment, { seal }] of stored) verified.set(seal, segment);
    index = createLexicalIndex();
    stored = new Map();
    unreadable = new Set();
    lastRow = 0;
    damage = undefined;
    generation++;
  };
  const report = (range: RowRange | 'all'): void => {
    if (range === 'all' || damage === 'all') damage = 'all';
    else damage = [...(damage ?? []), range];
  };

  type BytesOf = (entry: StoredSegment) => Uint8Array | undefined;
  type Changes = NonNullable<IndexDelta['changes']>;

  function load(bytesOf: BytesOf, entry: StoredSegment): void {
    try {
      const known = verified.get(entry.seal);
      const bytes = known ? undefined : bytesOf(entry);
      const segment = known ?? (bytes && openSegment(bytes));
      if (segment) {
        index.replace([], [segment]);
        stored.set(segment, entry);
        return;
      }
    } catch (error) {
      if (!isFootnoteError(error)) throw error;
    }
    unreadable.add(entry.seal);
    report({ first: entry.first, last: entry.last });
  }

  const presentSeals = (): Set<string> => new Set([...stored.values()].map(({ seal }) => seal));

  const mark = (): IndexMark => ({ revision, row: lastRow, seals: presentSeals() });

  /** Puts the segments that were expected in the place of others. Whether those in memory are then the wanted ones. */
  function replaceExpected(wanted: readonly StoredSegment[]): boolean {
    const present = presentSeals();
    for (const entry of wanted) {
      const replacement = present.has(entry.seal) ? undefined : expected.get(entry.seal);
      if (!replacement) continue;
      expected.delete(entry.seal);
      const there = new Set(index.segments().map(({ segment }) => segment));
      if (!replacement.replaced.every((segment) => there.has(segment))) continue;
      index.replace(replacement.replaced, [replacement.segment]);
      for (const segment of replacement.replaced) stored.delete(segment);
      stored.set(replacement.segment, entry);
      present.add(entry.seal);
    }
    const seals = new Set(wanted.map(({ seal }) => seal));
    return (
      wanted.every(({ seal }) => present.has(seal) || unreadable.has(seal)) &&
      [...stored.values()].every(({ seal }) => seals.has(seal))
    );
  }

  function applyRows({ rowsAfter }: Changes): void {
    for (const { segment } of index.segments()) lastRow = Math.max(lastRow, segment.rows.at(-1) ?? 0);
    for (const { last } of stored.values()) lastRow = Math.max(lastRow, last);
    let entries: Entry[] = [];
    const fresh: Segment[] = [];
    const build = (): void => {
      if (entries.length > 0) fresh.push(buildSegment(entries));
      entries = [];
    };
    for (const { first, last, entry, segment } of tenant.pieces.take(rowsAfter(lastRow))) {
      if (entry) entries.push(entry);
      if (segment || entries.length === maximumEntries) build();
      if (segment) fresh.push(segment);
      else if (!entry) report({ first, last });
      lastRow = last;
    }
    build();
    if (fresh.length === 0) return;
    index.replace([], fresh);
    mergeSmall();
  }

  /** Makes memory what the record holds: everything at once, so that a search sees all of a commit or nothing. */
  function apply({ state, documents, hasDocuments, changes }: IndexDelta): EngineView {
    if (state?.version !== indexVersion) {
      if (revision !== -1) reset();
      revision = -1;
      languages = [];
      languageCounts = [];
      return view(documents, hasDocuments ? 'the index is not there or of another version' : undefined);
    }
    if (changes) {
      verified.clear();
      applyRows(changes);
      for (const removal of changes.removals)
        if (removal.seal === sealRemoval(name, removal)) index.remove(removal.first, removal.last);
        else report('all');
      languageCounts = changes.languages;
      languages = languageCounts.map(({ language }) => language);
      revision = state.revision;
      generation++;
      selections.clear();
    }
    const incomplete =
      damage !== undefined
        ? 'a part of the index was damaged and is not used'
        : state.rebuildAfter !== null
          ? 'the index is not complete'
          : undefined;
    return view(documents, incomplete);
  }

  /** Keeps the number of small segments in memory low; large ones wait for upkeep. */
  function mergeSmall(): void {
    const run: { segment: Segment; dead: Uint32Array | undefined }[] = [];
    let entries = 0;
    for (const part of [...index.segments()].reverse()) {
      const size = part.segment.sizes.entries;
      const large = size > smallMerge.each || entries + size > smallMerge.entries;
      if (large || stored.has(part.segment) || held.includes(part.segment)) break;
      run.unshift(part);
      entries += size;
    }
    if (run.length < smallMerge.segments) return;
    index.replace(
      run.map(({ segment }) => segment),
      [mergeNow(run)],
    );
  }

  const hasLongLog = (database: SqliteRecordDatabase): boolean =>
    database.read((connection) =>
      prepared(connection, 'SELECT 1 FROM lexical_log WHERE tenant = ? LIMIT 1 OFFSET ?').get(name, logAtOnce),
    ) !== undefined;

  async function readAhead(
    database: SqliteRecordDatabase,
    threads: EngineThreads,
    entries: readonly StoredSegment[],
  ): Promise<void> {
    for (const entry of entries) {
      const bytes = await readParts(database, name, entry);
      if (bytes && sealSegment(name, entry, await threads.digest(bytes)) === entry.seal)
        verified.set(entry.seal, openSegment(bytes));
    }
    let row: number | undefined = Math.max(0, ...entries.map(({ last }) => last));
    while (row !== undefined) {
      const after: number = row;
      await nextTurn();
      row = database.read((connection) => tenant.readAhead(connection, after));
    }
  }

  /** One after another: each begins from the mark that the one before left. */
  let following: Promise<unknown> | undefined;

  async function followOnce(log: Pick<IndexLog, 'changes' | 'bytesOf'>): Promise<EngineView> {
    let delta = await log.changes(mark(), indexVersion);
    const { changes } = delta;
    if (changes && (changes.isWhole || !replaceExpected(changes.segments))) {
      const everything = () => log.changes({ revision: -1, row: 0, seals: new Set() }, indexVersion);
      if (!changes.isWhole) delta = await everything();
      const bytes = new Map<string, Uint8Array | undefined>();
      const held = new Set([...presentSeals(), ...verified.keys()]);
      // All of them before anything in memory is dropped: searches go on meanwhile.
      for (let isSure = false; !isSure; ) {
        isSure = true;
        for (const entry of delta.changes?.segments ?? []) {
          if (held.has(entry.seal) || bytes.has(entry.seal)) continue;
          bytes.set(entry.seal, await log.bytesOf(entry));
          isSure &&= bytes.get(entry.seal) !== undefined;
        }
        // One that is not there may have been replaced meanwhile: only what is still named is damaged.
        if (!isSure) delta = await everything();
      }
      reset();
      revision = -1;
      for (const entry of delta.changes?.segments ?? []) load(({ seal }) => bytes.get(seal), entry);
    }
    return apply(delta);
  }

  const view = (documents: number, incomplete: string | undefined): EngineView => ({
    index,
    languages,
    languageCounts,
    incomplete,
    version: `${generation} ${revision} ${documents}`,
  });

  return {
    tenant,
    threaded: createThreadedIndex(),
    selections,
    opening(database, threads) {
      if (revision !== -1) return;
      const toRead = (): readonly StoredSegment[] =>
        database.read((connection) =>
          tenant.state(connection)?.version === indexVersion
            ? createIndexLog(connection, name)
                .segments()
                .filter(({ seal }) => !verified.has(seal))
            : [],
        );
      if (!opened && toRead().reduce((sum, { parts }) => sum + parts, 0) <= partsAtOnce && !hasLongLog(database))
        return;
      opened ??= readAhead(database, threads, toRead()).finally(() => {
        opened = undefined;
      });
      return opened;
    },
    sync(database) {
      const log = createIndexLog(database, name);
      let delta = log.changes(mark(), indexVersion);
      const { changes } = delta;
      if (changes && (changes.isWhole || !replaceExpected(changes.segments))) {
        reset();
        revision = -1;
        if (!changes.isWhole) delta = log.changes(mark(), indexVersion);
        for (const entry of changes.segments) load(log.bytesOf, entry);
      }
      return apply(delta);
    },
    follow(log) {
      const next = (following ?? Promise.resolve()).then(() => followOnce(log));
      // One that fails is told to who asked for it; the next begins anew.
      following = next.catch(() => undefined);
      return next;
    },
    drop(also) {
      const dropped = (following ?? Promise.resolve()).then(async () => {
        await nextTurn();
        reset();
        verified.clear();
        selections.clear();
        revision = -1;
        also();
      });
      following = dropped;
      return dropped;
    },
    stored: (segment) => stored.get(segment),
    expect: ({ seal, segment, replaced }) => void expected.set(seal, { segment, replaced }),
    forget: (seal) => void expected.delete(seal),
    hold(segments) {
      held = segments;
    },
    revision: () => revision,
    damage: () => damage,
    repaired() {
      damage = undefined;
    },
  };
}
