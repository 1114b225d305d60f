// Remembers what was computed for a stretch of text, keyed by its characters: a known stretch is found without making a
// string of it, and no text is kept alive. Bounded: two generations, and what the older one is asked for moves on (an
// approximation of least recently used). What it forgets is computed again, so results never depend on what it holds.

export interface SpanCache<Value> {
  /**
   * A reader of `text.slice(start, end)` that computes what is not remembered with `make`, which must not read from the
   * memory itself. Readers (65,536 at most) share the memory.
   */
  reader(make: (span: string) => Value): (text: string, start: number, end: number) => Value;
}

export interface SpanCacheOptions<Value> {
  /**
   * Spans in each of the two generations; a power of two. A full one takes 24 bytes a span and 2 a character, of
   * which there is room for 16 a span.
   */
  readonly spans: number;
  /** Longer spans are computed each time: data rather than words, they seldom come again. Default 64 code units. */
  readonly longestSpan?: number;
  /** Bytes that a value holds besides its reference; a generation takes at most `maxValueBytes` of them. */
  readonly valueBytes?: (value: Value) => number;
  readonly maxValueBytes?: number;
}

interface Generation<Value> {
  /** Open addressing: 1 + the number of a span, 0 where free; never more than half full. */
  slots: Int32Array;
  hashes: Int32Array;
  /** Where the characters of span `n` start; those of the last end at `used`. */
  starts: Int32Array;
  /** Each span's reader, then its characters. */
  characters: Uint16Array;
  values: Value[];
  used: number;
  valueBytes: number;
}

/** Room for the characters of a generation: words are shorter on average. */
const charactersPerSpan = 16;
/** A text made to collide finds this many neighbours at most; what has no place within them is not remembered. */
const longestProbe = 64;
const firstSpans = 1024;
/** Secret, so that nobody can prepare spans that collide. */
const seed = Math.floor(Math.random() * 0x1_0000_0000);

export function createSpanCache<Value>(options: SpanCacheOptions<Value>): SpanCache<Value> {
  const { spans, longestSpan = 64, valueBytes, maxValueBytes = Number.POSITIVE_INFINITY } = options;
  let young = createGeneration<Value>();
  let old = createGeneration<Value>();
  let readers = 0;

  /** One for all questions: a question per word would be a third of the time. */
  const key: Key = { text: '', start: 0, end: 0, reader: 0, hash: 0 };

  function keep(value: Value): void {
    const bytes = valueBytes ? valueBytes(value) : 0;
    const full =
      young.values.length >= spans ||
      young.used + longestSpan + 1 > spans * charactersPerSpan ||
      young.valueBytes + bytes > maxValueBytes;
    if (full) {
      const emptied = old;
      old = young;
      young = emptied;
      clear(young);
    }
    if (add(young, key, value)) young.valueBytes += bytes;
  }

  return {
    reader(make) {
      const reader = readers++;
      return (text, start, end) => {
        if (end - start > longestSpan) return make(text.slice(start, end));
        key.text = text;
        key.start = start;
        key.end = end;
        key.reader = reader;
        key.hash = hashOf(key);
        const inYoung = find(young, key);
        let value: Value;
        if (inYoung >= 0) value = young.values[inYoung] as Value;
        else {
          const inOld = find(old, key);
          value = inOld >= 0 ? (old.values[inOld] as Value) : make(text.slice(start, end));
          keep(value);
        }
        key.text = '';
        return value;
      };
    },
  };
}

interface Key {
  text: string;
  start: number;
  end: number;
  reader: number;
  hash: number;
}

function hashOf({ text, start, end, reader }: Key): number {
  let hash = seed ^ reader;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function createGeneration<Value>(): Generation<Value> {
  return {
    slots: new Int32Array(firstSpans * 2),
    hashes: new Int32Array(firstSpans),
    starts: new Int32Array(firstSpans),
    characters: new Uint16Array(firstSpans * 8),
    values: [],
    used: 0,
    valueBytes: 0,
  };
}

function clear<Value>(generation: Generation<Value>): void {
  generation.slots.fill(0);
  generation.values.length = 0;
  generation.used = 0;
  generation.valueBytes = 0;
}

/** The number of a span; -1 where it is not here. */
function find<Value>(generation: Generation<Value>, { text, start, end, reader, hash }: Key): number {
  const { slots, hashes, starts, characters, values, used } = generation;
  const mask = slots.length - 1;
  const length = end - start;
  for (let probe = 0; probe < longestProbe; probe++) {
    const number = (slots[(hash + probe) & mask] ?? 0) - 1;
    if (number < 0) return -1;
    if (hashes[number] !== hash) continue;
    let from = starts[number] ?? 0;
    const until = number + 1 < values.length ? (starts[number + 1] ?? used) : used;
    if (until - from !== length + 1 || characters[from] !== reader) continue;
    from++;
    let at = 0;
    while (at < length && characters[from + at] === text.charCodeAt(start + at)) at++;
    if (at === length) return number;
  }
  return -1;
}

/** False where there is no place near its slot. */
function add<Value>(generation: Generation<Value>, { text, start, end, reader, hash }: Key, value: Value): boolean {
  const number = generation.values.length;
  if (number * 2 >= generation.slots.length) grow(generation);
  const slot = freeSlot(generation.slots, hash);
  if (slot < 0) return false;
  generation.slots[slot] = number + 1;
  generation.hashes[number] = hash;
  generation.starts[number] = generation.used;
  generation.values.push(value);
  const used = generation.used + 1 + end - start;
  if (used > generation.characters.length) {
    const larger = new Uint16Array(generation.characters.length * 2);
    larger.set(generation.characters);
    generation.characters = larger;
  }
  const { characters } = generation;
  let to = generation.used;
  characters[to++] = reader;
  for (let at = start; at < end; at++) characters[to++] = text.charCodeAt(at);
  generation.used = used;
  return true;
}

function freeSlot(slots: Int32Array, hash: number): number {
  const mask = slots.length - 1;
  for (let probe = 0; probe < longestProbe; probe++) {
    const slot = (hash + probe) & mask;
    if (slots[slot] === 0) return slot;
  }
  return -1;
}

function grow<Value>(generation: Generation<Value>): void {
  const size = generation.hashes.length * 2;
  const hashes = new Int32Array(size);
  hashes.set(generation.hashes);
  const starts = new Int32Array(size);
  starts.set(generation.starts);
  const slots = new Int32Array(size * 2);
  for (let number = 0; number < generation.values.length; number++) {
    const slot = freeSlot(slots, hashes[number] ?? 0);
    // Without a slot it is never found again, and goes with its generation.
    if (slot >= 0) slots[slot] = number + 1;
  }
  generation.hashes = hashes;
  generation.starts = starts;
  generation.slots = slots;
}
