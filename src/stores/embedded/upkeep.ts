// Keeps the index of a tenant in order behind the searches: seals the log into segments, merges small ones, rewrites those
// with deleted entries (so that nothing deleted stays on disk), repairs what was damaged and rebuilds what is missing from the
// record. Each step is one transaction that moves rows from one place to another, so a kill between steps loses nothing.

import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { type RowRange, sealSegment } from '../../db/repositories/index-log.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { LiveSegment as Part } from '../../engine/live-segment.ts';
import type { Segment } from '../../engine/segment.ts';
import { type EngineThreads, engineThreads } from '../../engine/threads/engine-threads.ts';
import { drive } from '../../engine/threads/slices.ts';
import { chooseSegments, ordinarySeals, type SealTiming } from './choose-segments.ts';
import type { Engine } from './engine.ts';
import { dropLeftParts, hasLeftParts, holdParts, partBytes, writeParts } from './parts.ts';
import { createRebuild } from './rebuild.ts';
import { dropBlocks, type TenantVectors } from './vectors.ts';

/** Rows of the log that one transaction deletes. */
const logRowsTogether = 400;
/** Rounds that a purge waits for: one may have begun before, and documents may go meanwhile. */
const mostPurges = 5;
/** Time without upkeep after the disk was full. */
const restMs = 30_000;

export interface UpkeepOptions extends Partial<SealTiming> {
  /** The vectors of the tenant, by space. */
  readonly spaces?: () => Iterable<TenantVectors>;
  /** Where segments are merged. */
  readonly threads?: EngineThreads;
}

export interface Upkeep {
  /** Starts upkeep soon, unless it is running. Never throws, never keeps the process alive. */
  schedule(delayMs?: number): void;
  /** Resolves when there is nothing left to do but what waits for quiet. */
  run(signal?: AbortSignal): Promise<void>;
  /** Does now what otherwise waits for quiet, too. */
  settle(): Promise<void>;
  /** Rewrites now what holds deleted entries, quiet or not. False where that failed: to be tried again. */
  purge(): Promise<boolean>;
  /** Why upkeep stopped, where it failed. */
  failure(): string | undefined;
}

interface Made {
  readonly range: RowRange;
  /** Undefined where nothing is left. */
  readonly segment: Segment | undefined;
  readonly seal: string;
  readonly revision: number;
}

export function createUpkeep(database: SqliteRecordDatabase, engine: Engine, options: UpkeepOptions = {}): Upkeep {
  const { sealFrom, quietMs, threads } = { ...ordinarySeals, threads: engineThreads, ...options };
  const name = engine.tenant.tenant;
  const { repair, rebuildSome } = createRebuild(database, engine.tenant, threads);
  let timer: NodeJS.Timeout | undefined;
  let timerDueMs = 0;
  let running: Promise<void> | undefined;
  let failed: string | undefined;
  let restUntil = 0;
  /** Set while upkeep runs and more of it was asked for. */
  let wantedMs: number | undefined;
  let quietSince = performance.now();
  let seenRevision = -1;
  /** How many wait for deleted entries to be gone. */
  let purging = 0;

  const isQuiet = (): boolean => performance.now() - quietSince >= quietMs;

  const choose = (parts: readonly Part[], quiet: boolean): readonly Part[] =>
    chooseSegments(parts, {
      isStored: (segment) => engine.stored(segment) !== undefined,
      sealFrom,
      isQuiet: quiet,
      isPurging: purging > 0,
    });

  async function replace(parts: readonly Part[]): Promise<void> {
    const replaced = parts.map(({ segment }) => segment);
    const revision = engine.revision();
    engine.hold(replaced);
    const range: RowRange = { first: replaced[0]?.rows[0] ?? 0, last: replaced.at(-1)?.rows.at(-1) ?? 0 };
    let release = (): void => undefined;
    let made: Made = { range, segment: undefined, seal: '', revision };
    try {
      const merged = await threads.merge(parts);
      if (merged.segment.sizes.entries > 0) {
        const seal = sealSegment(name, range, merged.sha256);
        made = { ...made, segment: merged.segment, seal };
        release = holdParts(database, name, seal);
        engine.expect({ seal, segment: merged.segment, replaced });
        const { bytes } = merged.segment;
        if (bytes.length > partBytes) await writeParts(database, name, { seal, bytes });
      }
      await database.write((connection) => {
        const sealed = replaced.flatMap((segment) => engine.stored(segment)?.seal ?? []);
        swapSegments(connection, made, sealed);
      });
    } finally {
      release();
      engine.hold([]);
      if (made.segment) {
        database.read((connection) => engine.sync(connection));
        engine.forget(made.seal);
      }
      // Threads would hold the segments that were replaced until their next search.
      threads.release(engine.threaded);
    }
  }

  /** Makes a segment, whose parts are there unless it has only one, take the place of others. */
  function swapSegments(
    connection: DatabaseSync,
    { range, segment, seal, revision }: Made,
    sealed: readonly string[],
  ): void {
    const { first, last } = range;
    const changed = (): FootnoteError =>
      new FootnoteError('conflict', 'The segments of the index changed while some of them were merged.');
    const drop = prepared(connection, 'DELETE FROM lexical_segment WHERE tenant = ? AND seal = ?');
    // Somebody else changed the segments: what was merged here is no longer what they say.
    for (const old of sealed) if (drop.run(name, old).changes !== 1) throw changed();
    const overlapping = prepared(
      connection,
      'SELECT 1 FROM lexical_segment WHERE tenant = ? AND first_row <= ? AND last_row >= ?',
    ).get(name, last, first);
    if (overlapping) throw changed();
    if (segment) {
      const { bytes } = segment;
      if (bytes.length <= partBytes)
        prepared(connection, 'INSERT OR REPLACE INTO lexical_part VALUES (?, ?, 0, ?)').run(name, seal, bytes);
      const parts = Math.ceil(bytes.length / partBytes);
      const there = prepared(
        connection,
        'SELECT count(*) AS parts, sum(length(bytes)) AS length FROM lexical_part WHERE tenant = ? AND seal = ?',
      ).get(name, seal);
      if (there?.['parts'] !== parts || there['length'] !== bytes.length) throw changed();
      prepared(connection, 'INSERT INTO lexical_segment VALUES (?, ?, ?, ?, ?)').run(name, first, last, seal, parts);
    }
    prepared(
      connection,
      'DELETE FROM lexical_removed WHERE tenant = ? AND revision <= ? AND first_row >= ? AND last_row <= ?',
    ).run(name, revision, first, last);
    prepared(
      connection,
      'UPDATE lexical_state SET revision = revision + 1, purged = max(purged, ?) WHERE tenant = ?',
    ).run(revision, name);
  }

  /**
   * Deletes rows of the log that segments hold by now: rows are never used twice, so nothing reads them any more. Only where they begin is
   * looked up: a list of them would read every page of the log again.
   */
  async function tidyLog(): Promise<void> {
    const bounds = `SELECT (SELECT min(row) FROM lexical_log WHERE tenant = ?1) AS first,
      (SELECT max(last_row) FROM lexical_segment WHERE tenant = ?1) AS held`;
    const leftOf = (connection: DatabaseSync): RowRange | undefined => {
      const { first, held } = prepared(connection, bounds).get(name) as Record<'first' | 'held', number | null>;
      if (first === null || held === null || first > held) return undefined;
      return { first, last: Math.min(held, first + logRowsTogether - 1) };
    };
    while (database.read(leftOf))
      await database.write((connection) => {
        const left = leftOf(connection);
        if (!left) return;
        const sql = 'DELETE FROM lexical_log WHERE tenant = ? AND row BETWEEN ? AND ?';
        prepared(connection, sql).run(name, left.first, left.last);
      });
  }

  async function tidyVectors(vectors: TenantVectors): Promise<void> {
    await vectors.opening(database);
    database.read((connection) => vectors.sync(connection));
    const damaged = vectors.damaged();
    if (damaged.length > 0) {
      await database.write((connection) => dropBlocks(connection, name, damaged));
      vectors.repaired();
    }
    if (vectors.index.unsettled()) await drive(vectors.index.settle());
  }

  async function steps(signal?: AbortSignal): Promise<void> {
    let idle = 0;
    let conflicts = 0;
    await engine.opening(database, threads);
    await tidyLog();
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
        const parts = choose(view.index.segments(), isQuiet());
        if (parts.length === 0) break;
        await replace(parts).catch((error: unknown) => {
          if (!isFootnoteError(error) || error.code !== 'conflict' || ++conflicts > 3) throw error;
        });
        await tidyLog();
      }
      seenRevision = engine.revision();
      await nextTurn();
    }
    await dropLeftParts(database, name);
    for (const vectors of options.spaces?.() ?? []) await tidyVectors(vectors);
    seenRevision = engine.revision();
    const left = database.read((connection) => engine.sync(connection)).index.segments();
    if (choose(left, true).length > 0) schedule(quietMs);
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

  /** Whether the database holds nothing of the index but living entries. */
  function isPure(): boolean {
    return database.read((connection) => {
      const view = engine.sync(connection);
      const parts = view.index.segments().filter(({ segment }) => engine.stored(segment));
      if (view.incomplete !== undefined || parts.some(({ deadCount }) => deadCount > 0)) return false;
      return !hasLeftParts(connection, name);
    });
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

  return {
    schedule,
    run,
    async settle() {
      await run();
      quietSince = Number.NEGATIVE_INFINITY;
      await run();
    },
    async purge() {
      purging += 1;
      try {
        for (let tries = 0; tries < mostPurges; tries++) {
          await run();
          if (failed !== undefined) return false;
          if (isPure()) return true;
        }
        return false;
      } finally {
        purging -= 1;
      }
    },
    failure: () => failed,
  };
}
