// Rows of the log of a tenant as pieces of its index. What this process wrote itself it keeps until a search has seen it: then neither text
// nor seals need be read again.
import { createRecent } from '../../core/values/recent.ts';
import { type LogRow, type LogText, type RowRange, sealRow } from '../../db/repositories/index-log.ts';
import { buildSegment, type Entry } from '../../engine/build-segment.ts';
import type { Segment } from '../../engine/segment.ts';
import { parseTerms } from '../../engine/threads/analysis.ts';
import type { Fragment } from './prepare.ts';

/** Rows of the log: one as an entry, or several as the segment that was made of them. Neither: not as it was written. */
export interface LogPiece extends RowRange {
  readonly entry?: Entry;
  readonly segment?: Segment;
}

/** Rows that follow one another. */
export interface WrittenRows {
  readonly seals: readonly string[];
  readonly entries?: readonly Entry[];
  readonly fragment?: Fragment;
}

export interface LogPieces {
  /** Rows that were written, or read ahead: those that follow `first`. */
  keep(first: number, written: WrittenRows): void;
  /** Reads some rows ahead of `take`, which then need not; the last of them, undefined where there are none. */
  readAhead(rows: readonly LogRow[]): number | undefined;
  /** The pieces that rows are; nothing is kept afterwards. */
  take(rows: readonly LogRow[]): LogPiece[];
}

/** Writes that are kept; of older ones the rows are read. */
const keptWrites = 256;

export function createLogPieces(tenant: string): LogPieces {
  const kept = createRecent<number, WrittenRows>(keptWrites);

  const entryOf = ({ row, seal, read }: LogRow): Entry | undefined => {
    const text: LogText = read();
    if (seal !== sealRow(tenant, row, text)) return undefined;
    return { row, key: text.chunkId, group: text.documentId, ...parseTerms(text.terms) };
  };

  return {
    keep: (first, written) => void kept.set(first, written),
    readAhead(rows) {
      const first = rows[0]?.row;
      if (first === undefined) return undefined;
      const entries: Entry[] = [];
      for (const one of rows) {
        const entry = entryOf(one);
        if (one.row !== first + entries.length || !entry) break;
        entries.push(entry);
      }
      if (entries.length > 0) {
        const seals = rows.slice(0, entries.length).map(({ seal }) => seal);
        kept.set(first, { seals, fragment: { segment: buildSegment(entries), used: false } });
      }
      return first + Math.max(1, entries.length) - 1;
    },
    take(rows) {
      const pieces: LogPiece[] = [];
      for (let at = 0; at < rows.length; ) {
        const next = rows[at] as LogRow;
        const first = next.row;
        const made = kept.get(first);
        const isWhole = made?.seals.every((seal, place) => {
          const other = rows[at + place];
          return other?.row === first + place && other.seal === seal;
        });
        if (made && isWhole === true && made.fragment?.used !== true) {
          pieces.push(...toPieces(first, made));
          at += made.seals.length;
        } else {
          const entry = entryOf(next);
          pieces.push({ first, last: first, ...(entry && { entry }) });
          at++;
        }
      }
      kept.clear();
      return pieces;
    },
  };
}

/** What was written as pieces of the log; its rows were those that follow `first`. */
function toPieces(first: number, { entries, fragment }: WrittenRows): readonly LogPiece[] {
  if (entries) return entries.map((entry) => ({ first: entry.row, last: entry.row, entry }));
  if (!fragment) return [];
  const { segment } = fragment;
  fragment.used = true;
  for (let slot = 0; slot < segment.rows.length; slot++) segment.rows[slot] = first + slot;
  return [{ first, last: first + segment.rows.length - 1, segment }];
}
