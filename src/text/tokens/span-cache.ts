// Remembers what was computed for a stretch of text, keyed by its characters; no text is kept alive. Bounded: two generations, and what the older
// one is asked for moves on (an approximation of least recently used). What it forgets is computed again, so results never depend on what it holds.

export interface SpanCache<Value> {
  /** A reader of `text.slice(start, end)` that computes what is not remembered with `make`. Readers share the memory. */
  reader(make: (span: string) => Value): (text: string, start: number, end: number) => Value;
}

export interface SpanCacheOptions<Value> {
  /** Spans in each of the two generations. */
  readonly spans: number;
  /** Longer spans are computed each time: data rather than words, they seldom come again. Default 64 code units. */
  readonly longestSpan?: number;
  /** Bytes that a value holds besides its reference; a generation takes at most `maxValueBytes` of them. */
  readonly valueBytes?: (value: Value) => number;
  readonly maxValueBytes?: number;
}

interface Generation<Value> {
  /** By the number of the reader. */
  readonly values: Map<string, Value>[];
  spans: number;
  valueBytes: number;
}

const generation = <Value>(): Generation<Value> => ({ values: [], spans: 0, valueBytes: 0 });

export function createSpanCache<Value>(options: SpanCacheOptions<Value>): SpanCache<Value> {
  const { spans, longestSpan = 64, valueBytes = () => 0, maxValueBytes = Number.POSITIVE_INFINITY } = options;
  let young = generation<Value>();
  let old = generation<Value>();
  let readers = 0;
  return {
    reader(make) {
      const reader = readers++;
      return (text, start, end) => {
        const span = text.slice(start, end);
        if (span.length > longestSpan) return make(span);
        const known = young.values[reader]?.get(span);
        if (known !== undefined) return known;
        const value = old.values[reader]?.get(span) ?? make(span);
        const bytes = valueBytes(value);
        if (young.spans >= spans || young.valueBytes + bytes > maxValueBytes) [old, young] = [young, generation()];
        young.values[reader] ??= new Map();
        young.values[reader].set(detached(span), value);
        young.spans += 1;
        young.valueBytes += bytes;
        return value;
      };
    },
  };
}

/** The same characters in a string of their own: a part of a string keeps the whole document in memory. */
export function detached(span: string): string {
  if (span.length < 13) return span;
  return String.fromCharCode(...Array.from({ length: span.length }, (_, at) => span.charCodeAt(at)));
}
