// The search engine of one tenant, kept equal to what the record's database has committed: before each search it reads what
// changed since the last one (log rows, removals, segments). It learns of nothing else, so a transaction that failed or a
// process that was killed leaves no trace in it, and a document is searchable as soon as its transaction has ended.
import type { DatabaseSync } from 'node:sqlite';
import { isFootnoteError } from '../core/errors.ts';
import { prepared } from '../db/connection.ts';
import { buildSegment, type Entry } from '../engine/build-segment.ts';
import { createLexicalIndex, type LexicalIndex } from '../engine/lexical.ts';
import { mergeNow } from '../engine/merge-segments.ts';
import type { Selection } from '../engine/query.ts';
import { maximumEntries, openSegment, type Segment } from '../engine/segment.ts';
import {
  createTenantIndex,
  indexVersion,
  type RowRange,
  type StoredSegment,
  type TenantIndex,
} from './embedded-index.ts';

/** Segments that are in memory only: their rows are still in the log. */
export const smallMerge = { segments: 8, entries: 1024 } as const;

export interface EngineView {
  readonly index: LexicalIndex;
  readonly languages: readonly string[];
  /** Set while the index lacks something that the record holds: what is wrong, for people. */
  readonly incomplete: string | undefined;
  /** Changes with everything that a search could see of the index and of what documents say about themselves. */
  readonly version: string;
}

export interface Engine {
  readonly tenant: TenantIndex;
  /** Brings memory up to what is committed; call before each use, in one synchronous piece with it. */
  sync(database: DatabaseSync): EngineView;
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
  readonly selections: Map<string, Selection>;
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
  let damage: RowRange[] | 'all' | undefined;
  const selections = new Map<string, Selection>();

  const reset = (): void => {
    index = createLexicalIndex();
    stored = new Map();
    lastRow = 0;
    damage = undefined;
    generation++;
  };
  const report = (range: RowRange | 'all'): void => {
    if (range === 'all' || damage === 'all') damage = 'all';
    else damage = [...(damage ?? []), range];
  };

  function load(database: DatabaseSync, entry: StoredSegment): void {
    try {
      const bytes = tenant.segmentBytes(database, entry);
      if (bytes) {
        const segment = openSegment(bytes);
        index.replace([], [segment]);
        stored.set(segment, entry);
        return;
      }
    } catch (error) {
      if (!isFootnoteError(error)) throw error;
    }
    report({ first: entry.first, last: entry.last });
  }

  /** Makes the segments in memory those of the database. True if removals must be applied again. */
  function syncSegments(database: DatabaseSync): boolean {
    const wanted = tenant.segments(database);
    const seals = new Set(wanted.map(({ seal }) => seal));
    const present = new Set([...stored.values()].map(({ seal }) => seal));
    const fresh = wanted.filter(({ seal }) => !present.has(seal));
    for (const entry of fresh) {
      const replacement = expected.get(entry.seal);
      if (!replacement) continue;
      expected.delete(entry.seal);
      const there = new Set(index.segments().map(({ segment }) => segment));
      if (!replacement.replaced.every((segment) => there.has(segment))) continue;
      index.replace(replacement.replaced, [replacement.segment]);
      for (const segment of replacement.replaced) stored.delete(segment);
      stored.set(replacement.segment, entry);
      present.add(entry.seal);
    }
    const strange = wanted.some(({ seal }) => !present.has(seal));
    const gone = [...stored.values()].some(({ seal }) => !seals.has(seal));
    if (!strange && !gone) return fresh.length > 0;
    reset();
    for (const entry of wanted) load(database, entry);
    return true;
  }

  function syncLog(database: DatabaseSync): void {
    for (const { segment } of index.segments()) lastRow = Math.max(lastRow, segment.rows.at(-1) ?? 0);
    for (const { last } of stored.values()) lastRow = Math.max(lastRow, last);
    const rows = tenant.log(database, lastRow);
    const entries: Entry[] = [];
    for (const { first, last, entry } of rows) {
      if (entry) entries.push(entry);
      else report({ first, last });
      lastRow = last;
    }
    for (let start = 0; start < entries.length; start += maximumEntries)
      index.replace([], [buildSegment(entries.slice(start, start + maximumEntries))]);
    if (entries.length > 0) mergeSmall();
  }

  /** Keeps the number of small segments in memory low; large ones wait for upkeep. */
  function mergeSmall(): void {
    const run: { segment: Segment; dead: Uint32Array | undefined }[] = [];
    let entries = 0;
    for (const part of [...index.segments()].reverse()) {
      const size = part.segment.sizes.entries;
      if (stored.has(part.segment) || held.includes(part.segment) || entries + size > smallMerge.entries) break;
      run.unshift(part);
      entries += size;
    }
    if (run.length < smallMerge.segments) return;
    index.replace(
      run.map(({ segment }) => segment),
      [mergeNow(run)],
    );
  }

  const view = (documents: number, incomplete: string | undefined): EngineView => ({
    index,
    languages,
    incomplete,
    version: `${generation} ${revision} ${documents}`,
  });

  return {
    tenant,
    selections,
    sync(database) {
      const state = tenant.state(database);
      const { changes, any } = prepared(
        database,
        'SELECT (SELECT revision FROM document_change WHERE tenant = ?1) AS changes, EXISTS (SELECT 1 FROM document WHERE tenant = ?1) AS "any"',
      ).get(name) as { changes: number | null; any: number };
      const documents = changes ?? 0;
      if (!state || state.version !== indexVersion) {
        if (revision !== -1) reset();
        revision = -1;
        languages = [];
        return view(documents, any === 1 ? 'the index is not there or of another version' : undefined);
      }
      if (state.revision !== revision) {
        if (revision === -1 || state.purged > revision || state.revision < revision) {
          reset();
          revision = -1;
        }
        const again = syncSegments(database);
        syncLog(database);
        // A removal may be older than a segment that came in now, and concern rows of it.
        for (const range of tenant.removed(database, again ? -1 : revision)) {
          if (range) index.remove(range.first, range.last);
          else report('all');
        }
        languages = tenant.languages(database);
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
