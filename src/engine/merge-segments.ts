// Joins neighbouring segments into one without their dead entries. Invariant: the result is byte for byte the segment that
// `buildSegment` makes of the same living entries, so that merging can never change a ranking.
import { FootnoteError } from '../core/errors.ts';
import { type Bitmap, hasBit } from './bitmap.ts';
import { createSegment, fieldBreak, maximumEntries, type Segment } from './segment.ts';
import { compareStrings, packStrings, type Strings, stringAt } from './strings.ts';

export interface MergeSource {
  readonly segment: Segment;
  readonly dead: Bitmap | undefined;
}

const removed = 0x1_0000;
const workPerStep = 60_000;

/**
 * Merges sources whose rows ascend from one to the next; at most 65,536 living entries. Yields now and then so that the
 * caller can let others run; the value returned is the segment.
 */
export function* mergeSegments(sources: readonly MergeSource[]): Generator<undefined, Segment, undefined> {
  const plans = planSlots(sources);
  const entries = plans.reduce((sum, plan) => sum + plan.living, 0);
  if (entries > maximumEntries)
    throw new FootnoteError('internal', `A segment holds ${maximumEntries} entries, not ${entries}.`);
  const dictionary = yield* mergeTerms(plans);
  yield undefined;
  const groups = mergeGroups(plans);
  const keys = gatherKeys(plans, entries);
  yield undefined;
  const segment = createSegment({
    entries,
    groups: groups.texts.length,
    terms: dictionary.terms.offsets.length - 1,
    postings: dictionary.postings,
    tokens: plans.reduce((sum, plan) => sum + plan.tokens, 0),
    keyBytes: keys.bytes.length,
    groupBytes: groups.strings.bytes.length,
    termBytes: dictionary.terms.bytes.length,
  });
  segment.terms.offsets.set(dictionary.terms.offsets);
  segment.terms.bytes.set(dictionary.terms.bytes);
  segment.groups.offsets.set(groups.strings.offsets);
  segment.groups.bytes.set(groups.strings.bytes);
  segment.groupOf.set(groups.groupOf);
  segment.keys.offsets.set(keys.offsets);
  segment.keys.bytes.set(keys.bytes);
  yield* rankKeys(segment, plans);
  yield* copyPostings(segment, plans, dictionary.places);
  yield* copyEntries(segment, plans);
  return segment;
}

interface Plan {
  readonly segment: Segment;
  readonly living: number;
  readonly tokens: number;
  /** Old slot -> new slot, or `removed`. */
  readonly slots: Uint32Array;
  readonly firstSlot: number;
  /** Old term -> new term; a term without living postings maps to `fieldBreak`. */
  readonly terms: Uint32Array;
}

function planSlots(sources: readonly MergeSource[]): readonly Plan[] {
  let next = 0;
  return sources.map(({ segment, dead }) => {
    const firstSlot = next;
    const slots = new Uint32Array(segment.sizes.entries).fill(removed);
    let tokens = 0;
    for (let slot = 0; slot < slots.length; slot++) {
      if (dead !== undefined && hasBit(dead, slot)) continue;
      slots[slot] = next++;
      tokens += (segment.tokenOffsets[slot + 1] as number) - (segment.tokenOffsets[slot] as number);
    }
    const terms = new Uint32Array(segment.sizes.terms).fill(fieldBreak);
    return { segment, living: next - firstSlot, tokens, slots, firstSlot, terms };
  });
}

/** The first six bytes of a term as a number, zeros after its end: most terms are told apart without reading further. */
function prefixAt({ bytes, offsets }: Strings, index: number): number {
  const start = offsets[index] as number;
  const end = Math.min(offsets[index + 1] as number, start + prefixBytes);
  let prefix = 0;
  for (let at = start; at < end; at++) prefix = prefix * 256 + (bytes[at] as number);
  return prefix * 256 ** (prefixBytes - (end - start));
}

const prefixBytes = 6;

/** All terms with living postings in order, and how many postings each new term has. Fills `plan.terms`. */
function* mergeTerms(plans: readonly Plan[]) {
  const cursors = new Uint32Array(plans.length);
  /** Of the term under each cursor; infinite at the end of a dictionary. */
  const prefixes = new Float64Array(plans.length);
  const advance = (index: number, cursor: number): void => {
    const { terms } = (plans[index] as Plan).segment;
    cursors[index] = cursor;
    prefixes[index] = cursor < terms.offsets.length - 1 ? prefixAt(terms, cursor) : Number.POSITIVE_INFINITY;
  };
  for (let index = 0; index < plans.length; index++) advance(index, 0);
  const offsets: number[] = [0];
  const chunks: Uint8Array[] = [];
  /** First posting of each new term. */
  const places: number[] = [0];
  /** The plans that hold the least term; `count` of them. */
  const together = new Uint32Array(plans.length);
  let bytes = 0;
  let postings = 0;
  let work = 0;
  for (;;) {
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < plans.length; index++)
      if ((prefixes[index] as number) < least) least = prefixes[index] as number;
    if (least === Number.POSITIVE_INFINITY) break;
    let count = 0;
    let holder = (plans[0] as Plan).segment.terms;
    let at = 0;
    for (let index = 0; index < plans.length; index++) {
      if (prefixes[index] !== least) continue;
      const { terms } = (plans[index] as Plan).segment;
      const cursor = cursors[index] as number;
      const order = count === 0 ? -1 : compareStrings(terms, cursor, holder, at);
      if (order > 0) continue;
      if (order < 0) {
        count = 0;
        holder = terms;
        at = cursor;
      }
      together[count++] = index;
    }
    const key = holder.bytes.subarray(holder.offsets[at], holder.offsets[at + 1]);
    let living = 0;
    for (let place = 0; place < count; place++) {
      const index = together[place] as number;
      const plan = plans[index] as Plan;
      const term = cursors[index] as number;
      advance(index, term + 1);
      const { segment, slots } = plan;
      const from = segment.postingOffsets[term] as number;
      const to = segment.postingOffsets[term + 1] as number;
      let alive = to - from;
      if (plan.living < segment.sizes.entries) {
        alive = 0;
        for (let posting = from; posting < to; posting++)
          if (slots[segment.slots[posting] as number] !== removed) alive++;
      }
      if (alive > 0) plan.terms[term] = offsets.length - 1;
      living += alive;
      work += 4 + to - from;
    }
    if (living > 0) {
      chunks.push(key);
      bytes += key.length;
      offsets.push(bytes);
      postings += living;
      places.push(postings);
    }
    if (work > workPerStep) {
      work = 0;
      yield undefined;
    }
  }
  if (offsets.length - 1 >= fieldBreak)
    throw new FootnoteError('internal', 'A segment cannot hold so many different terms.');
  const joined = Buffer.alloc(bytes);
  for (const [index, chunk] of chunks.entries()) joined.set(chunk, offsets[index]);
  return { terms: { offsets: Uint32Array.from(offsets), bytes: joined } satisfies Strings, places, postings };
}

/** Groups in the order of their first living entry. */
function mergeGroups(plans: readonly Plan[]) {
  const known = new Map<string, number>();
  const groupOf: number[] = [];
  for (const { segment, slots } of plans) {
    const places = new Int32Array(segment.sizes.groups).fill(-1);
    for (let slot = 0; slot < slots.length; slot++) {
      if (slots[slot] === removed) continue;
      const old = segment.groupOf[slot] as number;
      if (places[old] === -1) {
        const text = stringAt(segment.groups, old);
        const place = known.get(text) ?? known.size;
        known.set(text, place);
        places[old] = place;
      }
      groupOf.push(places[old] as number);
    }
  }
  const texts = [...known.keys()];
  return { texts, strings: packStrings(texts), groupOf };
}

function gatherKeys(plans: readonly Plan[], entries: number): Strings {
  const offsets = new Uint32Array(entries + 1);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (const { segment, slots } of plans)
    for (let slot = 0; slot < slots.length; slot++) {
      const target = slots[slot] as number;
      if (target === removed) continue;
      const part = segment.keys.bytes.subarray(segment.keys.offsets[slot], segment.keys.offsets[slot + 1]);
      parts.push(part);
      bytes += part.length;
      offsets[target + 1] = bytes;
    }
  const joined = Buffer.alloc(bytes);
  for (const [index, part] of parts.entries()) joined.set(part, offsets[index]);
  return { offsets, bytes: joined };
}

/** Merges the orders that the sources have already. */
function* rankKeys(target: Segment, plans: readonly Plan[]): Generator<undefined, void, undefined> {
  const orders = plans.map(({ segment, slots }) => {
    const byRank = new Uint32Array(slots.length).fill(removed);
    for (let slot = 0; slot < slots.length; slot++) byRank[segment.keyRanks[slot] as number] = slots[slot] as number;
    return byRank.filter((slot) => slot !== removed);
  });
  const cursors = orders.map(() => 0);
  for (let rank = 0; rank < target.sizes.entries; rank++) {
    let least = -1;
    for (const [index, order] of orders.entries()) {
      const cursor = cursors[index] as number;
      if (cursor >= order.length) continue;
      if (
        least === -1 ||
        compareStrings(
          target.keys,
          order[cursor] as number,
          target.keys,
          (orders[least] as Uint32Array)[cursors[least] as number] as number,
        ) < 0
      )
        least = index;
    }
    const cursor = cursors[least] as number;
    target.keyRanks[(orders[least] as Uint32Array)[cursor] as number] = rank;
    cursors[least] = cursor + 1;
    if (rank % 8192 === 8191) yield undefined;
  }
}

function* copyPostings(
  target: Segment,
  plans: readonly Plan[],
  places: readonly number[],
): Generator<undefined, void, undefined> {
  target.postingOffsets.set(places);
  const cursors = target.postingOffsets.slice();
  let work = 0;
  // Source by source: slots ascend within a source and from one to the next, so each list comes out in order.
  for (const { segment, slots, terms } of plans) {
    for (let term = 0; term < segment.sizes.terms; term++) {
      const place = terms[term] as number;
      if (place === fieldBreak) continue;
      let cursor = cursors[place] as number;
      const to = segment.postingOffsets[term + 1] as number;
      for (let at = segment.postingOffsets[term] as number; at < to; at++) {
        const slot = slots[segment.slots[at] as number] as number;
        if (slot === removed) continue;
        target.slots[cursor] = slot;
        target.frequencies[cursor] = segment.frequencies[at] as number;
        cursor++;
      }
      work += cursor - (cursors[place] as number) + 4;
      cursors[place] = cursor;
      if (work > workPerStep * 8) {
        work = 0;
        yield undefined;
      }
    }
  }
}

function* copyEntries(target: Segment, plans: readonly Plan[]): Generator<undefined, void, undefined> {
  let token = 0;
  let work = 0;
  for (const { segment, slots, terms } of plans)
    for (let slot = 0; slot < slots.length; slot++) {
      const place = slots[slot] as number;
      if (place === removed) continue;
      target.rows[place] = segment.rows[slot] as number;
      target.lengths[place] = segment.lengths[slot] as number;
      const to = segment.tokenOffsets[slot + 1] as number;
      for (let at = segment.tokenOffsets[slot] as number; at < to; at++) {
        const old = (segment.tokensLow[at] as number) | ((segment.tokensHigh[at] as number) << 16);
        const id = old === fieldBreak ? fieldBreak : (terms[old] as number);
        target.tokensLow[token] = id & 0xffff;
        target.tokensHigh[token] = id >>> 16;
        token++;
      }
      target.tokenOffsets[place + 1] = token;
      work += to - (segment.tokenOffsets[slot] as number);
      if (work > workPerStep * 4) {
        work = 0;
        yield undefined;
      }
    }
}

/** Runs a merge to its end at once. */
export function mergeNow(sources: readonly MergeSource[]): Segment {
  const merge = mergeSegments(sources);
  for (;;) {
    const step = merge.next();
    if (step.done === true) return step.value;
  }
}
