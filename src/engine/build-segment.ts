// Builds a segment of entries in memory. Invariant: the same entries in the same order give the same bytes; frequencies and
// lengths are those of the fields' terms, each counted as often as it stands there, plus the extra ones.
import { FootnoteError } from '../core/errors.ts';
import { createSegment, fieldBreak, maximumEntries, type Segment } from './segment.ts';
import { compareCodePoints, packStrings, type Strings } from './strings.ts';

export interface Entry {
  /** Greater than that of every entry before. */
  readonly row: number;
  /** Unique. Equal scores are ordered by it. */
  readonly key: string;
  readonly group: string;
  /** Terms of each field, in order. Phrases do not cross fields. */
  readonly fields: readonly (readonly string[])[];
  /** Occurrences that count towards frequency and length but stand nowhere (the weight of a field). */
  readonly extra: readonly string[];
}

const maximumLength = 65_535;
const maximumFrequency = 255;

/** A list that grows, of whole numbers below 2^32. */
function createNumbers(): { push(value: number): void; view(): Uint32Array } {
  let values = new Uint32Array(1024);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const grown = new Uint32Array(length * 2);
        grown.set(values);
        values = grown;
      }
      values[length++] = value;
    },
    view: () => values.subarray(0, length),
  };
}

/** Builds a segment of at most 65,536 entries with ascending rows. */
export function buildSegment(entries: readonly Entry[]): Segment {
  if (entries.length > maximumEntries)
    throw new FootnoteError('internal', `A segment holds ${maximumEntries} entries, not ${entries.length}.`);
  const ids = new Map<string, number>();
  const texts: string[] = [];
  const documentFrequencies: number[] = [];
  const lastSlots: number[] = [];
  const tokens = createNumbers();
  const extras = createNumbers();
  const tokenOffsets = new Uint32Array(entries.length + 1);
  const extraOffsets = new Uint32Array(entries.length + 1);
  let postings = 0;
  let surrogates = false;

  const idOf = (given: string, slot: number): number => {
    let id = ids.get(given);
    if (id === undefined) {
      const term = given.isWellFormed() ? given : given.toWellFormed();
      id = term === given ? texts.length : (ids.get(term) ?? texts.length);
      if (id === texts.length) {
        surrogates ||= /[\uD800-\uDFFF]/.test(term);
        texts.push(term);
        documentFrequencies.push(0);
        lastSlots.push(-1);
        ids.set(term, id);
      }
      ids.set(given, id);
    }
    if (lastSlots[id] !== slot) {
      lastSlots[id] = slot;
      documentFrequencies[id] = (documentFrequencies[id] ?? 0) + 1;
      postings++;
    }
    return id;
  };

  for (const [slot, entry] of entries.entries()) {
    for (const [field, terms] of entry.fields.entries()) {
      if (field > 0) tokens.push(fieldBreak);
      for (const term of terms) tokens.push(idOf(term, slot));
    }
    for (const term of entry.extra) extras.push(idOf(term, slot));
    tokenOffsets[slot + 1] = tokens.view().length;
    extraOffsets[slot + 1] = extras.view().length;
  }
  if (texts.length >= fieldBreak) throw new FootnoteError('internal', 'A segment cannot hold so many different terms.');

  const order = texts.map((_, id) => id);
  const before = surrogates ? compareCodePoints : (left: string, right: string): number => (left < right ? -1 : 1);
  order.sort((left, right) => before(texts[left] ?? '', texts[right] ?? ''));
  const newIds = new Uint32Array(order.length);
  for (const [place, id] of order.entries()) newIds[id] = place;

  const terms = packStrings(order.map((id) => texts[id] ?? ''));
  const { keys, keyRanks } = packKeys(entries.map((entry) => entry.key));
  const { groups, groupOf } = packGroups(entries.map((entry) => entry.group));
  const sequence = tokens.view();
  const segment = createSegment({
    entries: entries.length,
    groups: groups.offsets.length - 1,
    terms: order.length,
    postings,
    tokens: sequence.length,
    keyBytes: keys.bytes.length,
    groupBytes: groups.bytes.length,
    termBytes: terms.bytes.length,
  });
  copyStrings(segment.terms, terms);
  copyStrings(segment.keys, keys);
  copyStrings(segment.groups, groups);
  segment.keyRanks.set(keyRanks);
  segment.groupOf.set(groupOf);
  segment.tokenOffsets.set(tokenOffsets);
  segment.rows.set(entries.map((entry) => entry.row));

  for (const [place, id] of order.entries())
    segment.postingOffsets[place + 1] = (segment.postingOffsets[place] ?? 0) + (documentFrequencies[id] ?? 0);
  const cursors = segment.postingOffsets.slice();
  const counts = new Uint32Array(order.length);
  const touched = createTouched(counts);
  const extraTerms = extras.view();
  for (let slot = 0; slot < entries.length; slot++) {
    for (let at = tokenOffsets[slot] as number; at < (tokenOffsets[slot + 1] as number); at++) {
      const id = sequence[at] as number;
      const place = id === fieldBreak ? fieldBreak : (newIds[id] as number);
      segment.tokensLow[at] = place & 0xffff;
      segment.tokensHigh[at] = place >>> 16;
      if (place !== fieldBreak) touched.add(place);
    }
    for (let at = extraOffsets[slot] as number; at < (extraOffsets[slot + 1] as number); at++)
      touched.add(newIds[extraTerms[at] as number] as number);
    let length = 0;
    for (const place of touched.places()) {
      const count = counts[place] as number;
      const at = cursors[place] as number;
      cursors[place] = at + 1;
      segment.slots[at] = slot;
      segment.frequencies[at] = Math.min(count, maximumFrequency);
      length += count;
    }
    segment.lengths[slot] = Math.min(length, maximumLength);
    touched.clear();
  }
  return segment;
}

function createTouched(counts: Uint32Array) {
  const places: number[] = [];
  return {
    add(place: number): void {
      if (counts[place] === 0) places.push(place);
      counts[place] = (counts[place] as number) + 1;
    },
    places: (): readonly number[] => places,
    clear(): void {
      for (const place of places) counts[place] = 0;
      places.length = 0;
    },
  };
}

function copyStrings(target: Strings, source: Strings): void {
  target.offsets.set(source.offsets);
  target.bytes.set(source.bytes);
}

/** Keys in the order of slots, and the place of each in sorted order. */
function packKeys(texts: readonly string[]): { keys: Strings; keyRanks: Uint16Array } {
  const formed = texts.map((text) => text.toWellFormed());
  const keyRanks = new Uint16Array(formed.length);
  const order = formed.map((_, slot) => slot);
  order.sort((left, right) => compareCodePoints(formed[left] ?? '', formed[right] ?? ''));
  for (const [rank, slot] of order.entries()) keyRanks[slot] = rank;
  return { keys: packStrings(formed), keyRanks };
}

function packGroups(texts: readonly string[]): { groups: Strings; groupOf: Uint16Array } {
  const places = new Map<string, number>();
  const groupOf = new Uint16Array(texts.length);
  for (const [slot, text] of texts.entries()) {
    const formed = text.toWellFormed();
    const place = places.get(formed) ?? places.size;
    places.set(formed, place);
    groupOf[slot] = place;
  }
  return { groups: packStrings([...places.keys()]), groupOf };
}
