// Remembers what was read of whole texts, keyed by the texts themselves: the chunks that many questions find are read once. Bounded in
// characters: two generations, and what the older one is asked for moves on (an approximation of least recently used). What it
// forgets is read again, so results never depend on what it holds. Values are shared: nobody may change one.

export interface TextCacheOptions {
  /** Characters of the texts in each of the two generations. */
  readonly characters: number;
  /** Shorter texts are cheaper to read again than to find. Default 16 UTF-16 code units. */
  readonly shortest?: number;
  /** Longer ones are read each time: whole documents rather than chunks. Default 16,384. */
  readonly longest?: number;
}

/** What was read of a text last, and how: texts are seldom read in two languages, or by two encodings. */
export interface LastReading<How, Value> {
  readonly how: How;
  readonly value: Value;
}

/** The last reading where it was one of this kind; otherwise a new one. */
export const readAs = <How, Value>(
  last: LastReading<How, Value> | undefined,
  how: How,
  make: () => Value,
): LastReading<How, Value> => (last?.how === how ? last : { how, value: make() });

/** A remembering `read(text, variant)`; `variant` tells apart several readings of one text, such as its languages. */
export function cacheTexts<Value>(
  read: (text: string, variant: string) => Value,
  { characters, shortest = 16, longest = 16_384 }: TextCacheOptions,
): (text: string, variant?: string) => Value {
  let young = new Map<string, Map<string, Value>>();
  let old = new Map<string, Map<string, Value>>();
  let held = 0;
  return (text, variant = '') => {
    if (text.length < shortest || text.length > longest) return read(text, variant);
    const found = young.get(variant)?.get(text);
    if (found !== undefined) return found;
    const value = old.get(variant)?.get(text) ?? read(text, variant);
    if (held + text.length > characters) {
      old = young;
      young = new Map();
      held = 0;
    }
    const texts = young.get(variant) ?? new Map<string, Value>();
    young.set(variant, texts);
    texts.set(text, value);
    held += text.length;
    return value;
  };
}
