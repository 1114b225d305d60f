// Keeps the index of a tenant in order behind the searches: seals the log into segments, merges small ones, rewrites those
// with deleted entries (so that nothing deleted stays on disk), repairs what was damaged and rebuilds what is missing from the
// record. Each step is one transaction that moves rows from one place to another, so a kill between steps loses nothing.

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
import { prepared } from '../db/connection.ts';
import {
  type ChunkRow,
  chunkColumns,
  type DocumentRow,
  documentColumns,
  toChunk,
  toDocument,
} from '../db/document-rows.ts';
import type { SqliteRecordDatabase } from '../db/sqlite.ts';
import { mergeSegments } from '../engine/merge-segments.ts';
import { maximumEntries, type Segment } from '../engine/segment.ts';
import type { Engine } from './embedded-engine.ts';
import { indexVersion, type RowRange, sealSegment } from './embedded-index.ts';
import type { StoreDocument } from './store.ts';

const mergeFrom = 4;
/** Longest piece of work on the event loop, but for single large copies. */
const sliceMs = 4;
/** Chunks that one transaction of a rebuild indexes. */
const rebuildChunks = 200;
/** Time without upkeep after the disk was full. */
const restMs = 30_000;

export interface UpkeepOptions {
  /** Entries in the log that are worth a segment of their own; sixteen of the default and a little make a full one. */
  readonly sealFrom?: number;
  /** After this long without a change, segments with deleted entries are rewritten. */
  readonly quietMs?: number;
}

export interface Upkeep {
  /** Starts upkeep soon, unless it is running. Never throws, never keeps the process alive. */
  schedule(delayMs?: number): void;
  /** Resolves when there is nothing left to do but what waits for quiet. */
  run(signal?: AbortSignal): Promise<void>;
  /** Why upkeep stopped, where it failed. */
  failure(): string | undefined;
}

interface Part {
  readonly segment: Segment;
  readonly dead: Uint32Array | undefined;
  readonly deadCount: number;
}

export function createUpkeep(database: SqliteRecordDatabase, engine: Engine, options: UpkeepOptions = {}): Upkeep {
  const { sealFrom = 3500, quietMs = 2000 } = options;
  const { tenant } = engine;
  let timer: NodeJS.Timeout | undefined;
  let timerDueMs = 0;
  let running: Promise<void> | undefined;
  let failed: string | undefined;
  let restUntil = 0;
  /** Set while upkeep runs and more of it was asked for. */
  let wantedMs: number | undefined;
  let quietSince = performance.now();
  let seenRevision = -1;

  const living = ({ segment, deadCount }: Part): number => segment.sizes.entries - deadCount;

  /** The neighbouring segments that should become one now; empty: nothing to do. */
  function choose(parts: readonly Part[]): readonly Part[] {
    const log = parts.filter(({ segment }) => !engine.stored(segment));
    if (log.reduce((sum, part) => sum + living(part), 0) >= sealFrom) return upTo(log);
    const kept = parts.filter(({ segment }) => engine.stored(segment));
    let entries = 0;
    const run: Part[] = [];
    for (const part of [...kept].reverse()) {
      if (run.length > 0 && (living(part) > entries * 1.5 || entries + living(part) > maximumEntries)) break;
      entries += living(part);
      run.unshift(part);
    }
    if (run.length >= mergeFrom) return run;
    const wasteful = kept.find((part) => part.deadCount * 4 > part.segment.sizes.entries);
    if (wasteful) return [wasteful];
    const stained = performance.now() - quietSince >= quietMs ? kept.find((part) => part.deadCount > 0) : undefined;
    return stained ? [stained] : [];
  }

  function upTo(parts: readonly Part[]): readonly Part[] {
    const run: Part[] = [];
    let entries = 0;
    for (const part of parts) {
      if (run.length > 0 && entries + living(part) > maximumEntries) break;
      entries += living(part);
      run.push(part);
    }
    return run;
  }

  async function replace(parts: readonly Part[]): Promise<void> {
    const replaced = parts.map(({ segment }) => segment);
    const revision = engine.revision();
    engine.hold(replaced);
    let seal: string | undefined;
    try {
      const merged = await drive(mergeSegments(parts.map(({ segment, dead }) => ({ segment, dead: dead?.slice() }))));
      const first = replaced[0]?.rows[0] ?? 0;
      const last = replaced.at(-1)?.rows.at(-1) ?? 0;
      const range: RowRange = { first, last };
      const made = sealSegment(tenant.tenant, range, merged.bytes);
      if (merged.sizes.entries > 0) {
        seal = made;
        engine.expect({ seal, segment: merged, replaced });
      }
      await database.write((connection) => {
        const sealed = replaced.flatMap((segment) => engine.stored(segment)?.seal ?? []);
        store(connection, { range, seal, bytes: merged.bytes, sealed, revision });
      });
    } finally {
      engine.hold([]);
      if (seal !== undefined) {
        database.read((connection) => engine.sync(connection));
        engine.forget(seal);
      }
    }
  }

  function store(
    connection: DatabaseSync,
    made: { range: RowRange; seal: string | undefined; bytes: Uint8Array; sealed: readonly string[]; revision: number },
  ): void {
    const { first, last } = made.range;
    const name = tenant.tenant;
    const drop = prepared(connection, 'DELETE FROM lexical_segment WHERE tenant = ? AND seal = ?');
    for (const seal of made.sealed) {
      // Somebody else changed the segments: what was merged here is no longer what they say.
      if (drop.run(name, seal).changes !== 1)
        throw new FootnoteError('conflict', 'The segments of the index changed while some of them were merged.');
    }
    prepared(connection, 'DELETE FROM lexical_log WHERE tenant = ? AND row BETWEEN ? AND ?').run(name, first, last);
    if (made.seal !== undefined)
      prepared(connection, 'INSERT INTO lexical_segment VALUES (?, ?, ?, ?, ?)').run(
        name,
        first,
        last,
        made.seal,
        made.bytes,
      );
    prepared(
      connection,
      'DELETE FROM lexical_removed WHERE tenant = ? AND revision <= ? AND first_row >= ? AND last_row <= ?',
    ).run(name, made.revision, first, last);
    prepared(
      connection,
      'UPDATE lexical_state SET revision = revision + 1, purged = max(purged, ?) WHERE tenant = ?',
    ).run(made.revision, name);
  }

  /** Takes what was damaged out of the index, so that a rebuild puts it in again. */
  async function repair(damage: readonly RowRange[] | 'all'): Promise<void> {
    const name = tenant.tenant;
    await database.write((connection) => {
      const ranges = damage === 'all' ? [{ first: 0, last: Number.MAX_SAFE_INTEGER }] : damage;
      for (const { first, last } of ranges) {
        const documents = prepared(
          connection,
          'SELECT document_id FROM lexical_document WHERE tenant = ? AND first_row <= ? AND last_row >= ?',
        ).all(name, last, first);
        tenant.remove(
          connection,
          documents.map((row) => String(row['document_id'])),
        );
        prepared(connection, 'DELETE FROM lexical_segment WHERE tenant = ? AND first_row >= ? AND last_row <= ?').run(
          name,
          first,
          last,
        );
        prepared(connection, 'DELETE FROM lexical_log WHERE tenant = ? AND row BETWEEN ? AND ?').run(name, first, last);
      }
      if (damage === 'all') wipe(connection);
      prepared(connection, "UPDATE lexical_state SET revision = revision + 1, rebuild_after = '' WHERE tenant = ?").run(
        name,
      );
    });
  }

  function wipe(connection: DatabaseSync): void {
    const name = tenant.tenant;
    const tables = ['document', 'language', 'log', 'removed', 'segment'] as const;
    for (const table of tables) prepared(connection, `DELETE FROM lexical_${table} WHERE tenant = ?`).run(name);
    const next = tenant.state(connection);
    // Rows go on from where they were, so that nothing in memory can be taken for something new.
    prepared(connection, 'INSERT OR REPLACE INTO lexical_state VALUES (?, ?, ?, ?, ?, ?)').run(
      name,
      indexVersion,
      (next?.revision ?? 0) + 1,
      (next?.revision ?? 0) + 1,
      next?.nextRow ?? 1,
      '',
    );
  }

  /** Indexes the next documents that the record has and the index has not. False when there are none. */
  async function rebuildSome(): Promise<boolean> {
    const name = tenant.tenant;
    return database.write((connection) => {
      const state = tenant.state(connection);
      if (!state || state.version !== indexVersion) {
        const any = prepared(connection, 'SELECT 1 FROM document WHERE tenant = ? LIMIT 1').get(name);
        if (state || any) wipe(connection);
        return Boolean(state ?? any);
      }
      if (state.rebuildAfter === null) return false;
      const rows = prepared(
        connection,
        `SELECT ${documentColumns}, EXISTS (SELECT 1 FROM lexical_document AS e WHERE e.tenant = d.tenant AND e.document_id = d.id) AS held
         FROM document AS d WHERE d.tenant = ? AND d.id > ? ORDER BY d.id LIMIT 50`,
      ).all(name, state.rebuildAfter) as unknown as readonly (DocumentRow & { readonly held: number })[];
      const batch: StoreDocument[] = [];
      let chunks = 0;
      let after: string | null = null;
      for (const row of rows) {
        if (chunks >= rebuildChunks) break;
        after = row.id;
        const document = row.held === 1 ? undefined : readDocument(connection, name, row);
        if (!document) continue;
        batch.push(document);
        chunks += document.chunks.length;
      }
      tenant.put(connection, batch);
      prepared(connection, 'UPDATE lexical_state SET revision = revision + 1, rebuild_after = ? WHERE tenant = ?').run(
        after,
        name,
      );
      return true;
    });
  }

  async function steps(signal?: AbortSignal): Promise<void> {
    let idle = 0;
    let conflicts = 0;
    for (;;) {
      if (signal?.aborted) return;
      const view = database.read((connection) => engine.sync(connection));
      if (engine.revision() !== seenRevision) quietSince = performance.now();
      const damage = engine.damage();
      if (damage) {
        await repair(damage);
        engine.repaired();
      } else if (view.incomplete !== undefined) {
        // Somebody else may have ended the rebuild meanwhile: look once more before giving up.
        if (await rebuildSome()) idle = 0;
        else if (++idle > 1) return;
      } else {
        const parts = choose(view.index.segments());
        if (parts.length === 0) break;
        await replace(parts).catch((error: unknown) => {
          if (!isFootnoteError(error) || error.code !== 'conflict' || ++conflicts > 3) throw error;
        });
      }
      seenRevision = engine.revision();
      await nextTurn();
    }
    seenRevision = engine.revision();
    const stained = database.read((connection) => engine.sync(connection)).index.segments();
    if (stained.some((part) => part.deadCount > 0 && engine.stored(part.segment))) schedule(quietMs);
  }

  function run(signal?: AbortSignal): Promise<void> {
    running ??= steps(signal)
      .then(() => {
        failed = undefined;
      })
      .catch((error: unknown) => {
        // Nothing is lost: the log is complete, and a later change or search starts upkeep again. On a full disk only after
        // a while, because its writes share commits with others, which would fail with them.
        if (isFootnoteError(error) && error.code === 'storage-full') restUntil = performance.now() + restMs;
        failed = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        running = undefined;
        if (wantedMs === undefined) return;
        schedule(wantedMs);
        wantedMs = undefined;
      });
    return running;
  }

  function schedule(delayMs = 20): void {
    if (running) wantedMs = Math.min(wantedMs ?? delayMs, delayMs);
    const dueMs = performance.now() + delayMs;
    if (running || performance.now() < restUntil || (timer && dueMs >= timerDueMs)) return;
    clearTimeout(timer);
    timerDueMs = dueMs;
    timer = setTimeout(() => {
      timer = undefined;
      // What is left of a nearly full disk belongs to writes and deletions that somebody waits for.
      if (database.hasRoom()) void run();
      else restUntil = performance.now() + restMs;
    }, delayMs);
    timer.unref();
  }

  return { schedule, run, failure: () => failed };
}

/** Runs a generator in slices, so that searches come in between. */
async function drive<T>(work: Generator<undefined, T, undefined>): Promise<T> {
  let started = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - started < sliceMs) continue;
    await nextTurn();
    started = performance.now();
  }
}

/** The document with its chunks; undefined where either is damaged, which the record reports by itself. */
function readDocument(connection: DatabaseSync, tenant: string, row: DocumentRow): StoreDocument | undefined {
  try {
    const chunks = prepared(
      connection,
      `SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = ? AND c.document_id = ? ORDER BY c.ordinal`,
    ).all(tenant, row.id) as unknown as readonly ChunkRow[];
    return { document: toDocument(row), chunks: chunks.map(toChunk) };
  } catch (error) {
    if (isFootnoteError(error) && error.code === 'data-corrupt') return undefined;
    throw error;
  }
}
