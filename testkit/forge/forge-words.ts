// What forging and rewriting share: seeded chance, and finding numbers and names with plain regular expressions.
export interface ForgeSentence {
  readonly text: string;
  readonly language: 'en' | 'de';
}

export type Random = () => number;

/** Mulberry32: small, seeded, good enough to draw test cases. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of the items. */
export const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T;

/** A mutation returns the changed claim, or undefined where it does not apply. */
export type Mutation = (sentence: ForgeSentence, random: Random, pool: readonly ForgeSentence[]) => string | undefined;

/** Changes one match, drawn at random; undefined if there is none or nothing changed. */
export const replaceOne = (
  text: string,
  form: RegExp,
  random: Random,
  change: (match: RegExpMatchArray) => string | undefined,
): string | undefined => {
  const matches = [...text.matchAll(form)];
  if (matches.length === 0) return undefined;
  const match = pick(matches, random);
  const made = change(match);
  if (made === undefined || made === match[0]) return undefined;
  return text.slice(0, match.index) + made + text.slice(match.index + match[0].length);
};

/** Numbers in digits that stand alone. */
/** Replaces one word by its partner in one of the pairs, either way round; undefined if the text has none of them. */
export function exchangeOne(
  text: string,
  pairs: readonly (readonly [string, string])[],
  random: Random,
): string | undefined {
  const whole = (word: string): RegExp => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u');
  const usable = pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]).filter(([a]) => whole(a).test(text));
  if (usable.length === 0) return undefined;
  const [from, to] = pick(usable, random);
  return text.replace(whole(from), to);
}

export const numberForm = /(?<![\p{L}\d.,-])\d+(?:[.,]\d+)*(?![\p{L}\d]|[.,]\d)/gu;
export const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Capitalised words inside the sentence: names in English. */
export function namesIn(text: string): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = [];
  for (const match of text.matchAll(/(?<=[\p{Ll}\d,] )(?:\p{Lu}[\p{Ll}]{2,})(?: \p{Lu}[\p{Ll}]{2,})*/gu)) {
    if (
      months.includes(match[0]) ||
      /^(?:The|A|An|This|These|That|Her|His|Its|Their|Our|My|Your|He|She|It|They|We|You|In|On|At|By|For|From|With|As|After|Before|Hence|However|Thus|And|But|Or|If|When|While|Although|There|Here|Some|Many|Most|All|No|Not|One|Two|Both|Also|What|Which|Who|Ones)\b/u.test(
        match[0],
      ) ||
      /^(?:January|May|Monday|Sunday)/u.test(match[0])
    )
      continue;
    found.push({ name: match[0], at: match.index });
  }
  return found;
}
