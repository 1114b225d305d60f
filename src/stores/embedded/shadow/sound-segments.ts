// Whether the segments of an index in a database on a network hold what its documents say: a repair makes the index anew where they do not, as one that
// is wrong in a place that nobody can name.
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { hasBit } from '../../../engine/bitmap.ts';
import type { LiveSegment } from '../../../engine/live-segment.ts';
import { slotFrom } from '../../../engine/segment.ts';
import { stringAt } from '../../../engine/strings.ts';
import { createEngine } from '../engine.ts';

type Row = readonly [row: number, documentId: string, chunkId: string];

const holds = ({ segment, dead }: LiveSegment, [row, documentId, chunkId]: Row): boolean => {
  const slot = slotFrom(segment, row);
  if (segment.rows[slot] !== row || (dead && hasBit(dead, slot))) return false;
  const group = stringAt(segment.groups, segment.groupOf[slot] ?? 0);
  return stringAt(segment.keys, slot) === chunkId && group === documentId;
};

/** Whether they hold each chunk under its row, and nothing else. What is not in them is no matter here. */
export async function areSegmentsSound(record: PostgresRecord, tenant: string): Promise<boolean> {
  const engine = createEngine(tenant);
  const log = record.indexLogOf(tenant);
  for (;;) {
    const { index } = await engine.follow(log);
    const [damage, revision] = [engine.damage() ?? [], engine.revision()];
    const parts = index.segments().filter(({ segment }) => engine.stored(segment));
    const living = parts.reduce((sum, { segment, deadCount }) => sum + segment.sizes.entries - deadCount, 0);
    const { last, count, isSound } = await compare(record, tenant, parts);
    if (damage !== 'all' && damage.every(({ first }) => first > last) && isSound && count === living) return true;
    await engine.follow(log);
    // What was committed meanwhile may be what differs.
    if (engine.revision() === revision) return false;
  }
}

/** The last row of all segments, how many chunks have one up to it, and whether a segment holds each of them. */
async function compare(record: PostgresRecord, tenant: string, parts: readonly LiveSegment[]) {
  let [last, count, isSound] = [0, 0, true];
  for (let after = ''; ; ) {
    const { sealedTo, documents } = await record.repairs.sealed(tenant, after);
    last = sealedTo;
    const next = documents.at(-1);
    if (!next) return { last, count, isSound };
    after = next.documentId;
    for (const { documentId, first, rows, chunks, chunkIds } of documents) {
      count += rows;
      isSound &&= chunkIds.length === chunks;
      for (const [at, chunkId] of chunkIds.slice(0, rows).entries())
        isSound &&= parts.some((part) => holds(part, [first + at, documentId, chunkId]));
    }
  }
}
