// Mutations that change what a sentence says: each kind is guarded against swaps that mean the same.
import { exchangeOne, type Mutation, months, namesIn, numberForm, pick, replaceOne } from './forge-words.ts';

const opposites: readonly (readonly [string, string])[] = [
  ['increased', 'decreased'],
  ['rose', 'fell'],
  ['increase', 'decrease'],
  ['higher', 'lower'],
  ['before', 'after'],
  ['more', 'less'],
  ['larger', 'smaller'],
  ['faster', 'slower'],
  ['opened', 'closed'],
  ['first', 'last'],
  ['below', 'above'],
  ['allowed', 'forbidden'],
  ['activates', 'inhibits'],
  ['exports', 'imports'],
  ['west', 'east'],
  ['north', 'south'],
  ['longer', 'shorter'],
  ['reduced', 'increased'],
  ['lowers', 'raises'],
  ['older', 'younger'],
  ['raised', 'lowered'],
  ['exceeded', 'undercut'],
  ['profit', 'loss'],
  ['enabled', 'disabled'],
  ['accepted', 'rejected'],
  ['won', 'lost'],
  ['fall', 'rise'],
  ['convicted', 'acquitted'],
  ['arrived', 'departed'],
  ['reduces', 'increases'],
  ['upper', 'lower'],
  ['early', 'late'],
  ['stieg', 'sank'],
  ['mehr', 'weniger'],
  ['sank', 'stieg'],
  ['vor', 'nach'],
  ['largest', 'smallest'],
  ['highest', 'lowest'],
  ['major', 'minor'],
  ['maximum', 'minimum'],
  ['left', 'entered'],
  ['succeeded', 'preceded'],
  ['inside', 'outside'],
  ['positive', 'negative'],
  ['north', 'south'],
];

const hedges: readonly (readonly [RegExp, (text: string) => string | undefined])[] = [
  [
    / (?:may|might|could) (not )?(increase|cause|damage|reduce|cancel|leave|terminate|take|affect|improve|lead|help|explain|occur|be)\b/u,
    (text) =>
      text.replace(
        / (?:may|might|could) (increase|cause|damage|reduce|cancel|leave|terminate|take|affect|improve|lead|help|explain|occur|be)\b/u,
        (_, verb: string) => (verb === 'be' ? ' is' : ` ${verb}s`),
      ),
  ],
  [/ probably /u, (text) => text.replace(' probably ', ' ')],
  [/ usually /u, (text) => text.replace(' usually ', ' ')],
  [/ up to (?=\d)/u, (text) => text.replace(/ up to (?=\d)/u, ' ')],
  [/ at least (?=\d)/u, (text) => text.replace(/ at least (?=\d)/u, ' ')],
  [/ at most (?=\d)/u, (text) => text.replace(/ at most (?=\d)/u, ' ')],
  [/ more than (?=\d)/u, (text) => text.replace(/ more than (?=\d)/u, ' ')],
  [/ less than (?=\d)/u, (text) => text.replace(/ less than (?=\d)/u, ' ')],
  [/ about (?=\d)/u, (text) => text.replace(/ about (?=\d)/u, ' ')],
  [
    /^(?:Some|Many|Most of the|Most|Nearly all the) /u,
    (text) => text.replace(/^(?:Some|Many|Most of the|Most|Nearly all the) /u, 'All '),
  ],
  [
    /^According to [^,]+, /u,
    (text) => text.replace(/^According to [^,]+, (\p{L})/u, (_, first: string) => first.toUpperCase()),
  ],
  [
    / (?:said|claim|claims|claimed) that /u,
    (text) =>
      text.replace(/^.* (?:said|claim|claims|claimed) that (\p{L})/u, (_, first: string) => first.toUpperCase()),
  ],
  [/^If [^,]+, /u, (text) => text.replace(/^If [^,]+, (\p{L})/u, (_, first: string) => first.toUpperCase())],
  [/ unless [^.]+\./u, (text) => text.replace(/ unless [^.]+\./u, '.')],
  [/ könnte /u, (text) => text.replace(/ könnte (.*) schädigen/u, ' schädigt $1')],
  [/ plans to /u, (text) => text.replace(/ plans to open /u, ' opens ')],
  [/ should /u, (text) => text.replace(' should ', ' must ')],
];

const lookAlikes: Readonly<Record<string, readonly string[]>> = {
  a: ['а', 'ɑ', 'ａ'],
  e: ['е', 'ｅ'],
  o: ['о', 'ο', '0'],
  p: ['р'],
  c: ['с', 'ϲ'],
  x: ['х'],
  y: ['у'],
  i: ['і', 'ı'],
  A: ['А', 'Α'],
  B: ['В', 'Β'],
  E: ['Е', 'Ε'],
  H: ['Н', 'Η'],
  K: ['К', 'Κ'],
  M: ['М', 'Μ'],
  O: ['О', 'Ο', '0'],
  P: ['Р', 'Ρ'],
  T: ['Т', 'Τ'],
  C: ['С'],
  l: ['1', 'I'],
  s: ['ѕ'],
  j: ['ј'],
  n: ['ո'],
  d: ['ԁ'],
  h: ['һ'],
};

const unitSwaps: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?<=\d )km\b/gu, ['m', 'miles', 'cm']],
  [/(?<=\d )m\b/gu, ['km', 'cm', 'feet']],
  [/(?<=\d )mg\b/gu, ['g', 'kg', 'µg']],
  [/(?<=\d )g\b/gu, ['mg', 'kg']],
  [/(?<=\d )kg\b/gu, ['g', 'mg', 'tonnes']],
  [/(?<=\d )percent\b/gu, ['percentage points', 'per mille']],
  [/(?<=\d)%/gu, [' percentage points']],
  [/(?<=\d )miles\b/gu, ['kilometres', 'metres']],
  [/(?<=\d )metres\b/gu, ['kilometres', 'feet', 'centimetres']],
  [/(?<=\d )Meter\b/gu, ['Kilometer', 'Zentimeter']],
  [/\$(?=\d)/gu, ['€', '£']],
  [/€(?=\d)/gu, ['$', '£']],
  [/£(?=\d)/gu, ['€', '$']],
  [/(?<=\d )MB\b/gu, ['GB', 'KB']],
  [/(?<=\d )minutes\b/gu, ['seconds', 'hours']],
  [/(?<=\d )hours\b/gu, ['minutes', 'days']],
  [/(?<=\d )days\b/gu, ['weeks', 'hours']],
  [/(?<=\d )years\b/gu, ['months', 'weeks']],
  [/(?<=\d )seconds\b/gu, ['minutes', 'milliseconds']],
  [/(?<=\d )°C(?!\p{L})/gu, ['°F', 'K']],
  [/(?<=\d )MW\b/gu, ['kW', 'GW']],
  [/(?<=\d )million\b/gu, ['billion', 'thousand']],
  [/(?<=\d )billion\b/gu, ['million', 'trillion']],
  [/(?<=\d )mm\b/gu, ['cm', 'm']],
  [/(?<=\d )ms\b/gu, ['s']],
  [/(?<=\d )euros\b/gu, ['dollars', 'pounds']],
  [/(?<=\d )dollars\b/gu, ['euros', 'pounds']],
  [/(?<=\d )Prozent\b/gu, ['Prozentpunkte']],
  [/(?<=\d )square kilometres\b/gu, ['square metres', 'hectares']],
  [/(?<=\d )kPa\b/gu, ['Pa', 'MPa']],
  [/(?<=\d )Euro\b/gu, ['Dollar']],
  [/(?<=\d )microseconds\b/gu, ['milliseconds', 'nanoseconds']],
];

/** Inserts "not" after the first auxiliary, or denies the first plain past verb. */
function negate(text: string, language: 'en' | 'de'): string | undefined {
  if (language === 'de') {
    if (/\b(?:nicht|kein\w*|nie|niemals)\b/iu.test(text)) return undefined;
    const made = text.replace(
      / (wurde|wird|ist|hat|darf|dürfen|muss|könnte|kommen|verkehrt|stieg|sank) /u,
      ' $1 nicht ',
    );
    return made === text ? undefined : made;
  }
  if (/\b(?:not|no|never|nor|neither|none|without|n't|fail\w*|refus\w*)\b/iu.test(text)) return undefined;
  const auxiliary = text.replace(
    / (is|are|was|were|has|had|can|could|may|might|must|should|will|would) (?!than)/u,
    ' $1 not ',
  );
  if (auxiliary !== text) return auxiliary;
  const never = text.replace(
    / (\p{Ll}+ed|wrote|won|beat|rose|fell|gave|found|lost|ran|sold|stood|took|said) /u,
    ' never $1 ',
  );
  return never === text ? undefined : never;
}

function dropNegation(text: string): string | undefined {
  for (const [form, made] of [
    [/ (is|are|was|were|has|had|can|could|may|must|should|will|dürfen|darf) not /u, ' $1 '],
    [/ (?:did|does|do) not (\p{Ll}+) /u, ' $1 '],
    [/ never /u, ' '],
    [/ failed to (\p{Ll}+) /u, ' managed to $1 '],
    [/ refused to /u, ' agreed to '],
    [/^No /u, 'A '],
    [/ found no /u, ' found a '],
    [/ without /u, ' with '],
    [/ no (?=\p{Ll})/u, ' '],
    [/ nicht /u, ' '],
    [/ niemals /u, ' '],
    [/^Kein /u, 'Ein '],
    [/, not with a password/u, ' and with a password'],
  ] as const) {
    const changed = text.replace(form, made);
    if (changed !== text) return changed;
  }
  return undefined;
}

const sameWords = (a: string, b: string): number => {
  const words = new Set(b.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
  const mine = a.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return mine.length === 0 ? 1 : mine.filter((word) => words.has(word)).length / mine.length;
};

/** Forgeries: each changes what is said. */
export const forgeries: Readonly<Record<string, Mutation>> = {
  'number-changed': ({ text }, random) =>
    replaceOne(text, numberForm, random, ([digits]) => {
      const plain = digits as string;
      const at = [...plain].map((char, index) => (/\d/u.test(char) ? index : -1)).filter((index) => index >= 0);
      const index = pick(at, random);
      const old = Number(plain[index]);
      let fresh = Math.floor(random() * 10);
      if (fresh === old) fresh = (fresh + 1) % 10;
      if (index === 0 && fresh === 0) fresh = old === 9 ? 8 : old + 1;
      return plain.slice(0, index) + String(fresh) + plain.slice(index + 1);
    }),
  'number-word-changed': ({ text }, random) => {
    const words = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
    return replaceOne(text, /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gu, random, ([word]) =>
      pick(
        words.filter((other) => other !== word),
        random,
      ),
    );
  },
  'digits-transposed': ({ text }, random) =>
    replaceOne(text, /(?<![\p{L}\d.,-])\d{2,}(?![\p{L}\d]|[.,]\d)/gu, random, ([digits]) => {
      const plain = digits as string;
      const at = Math.floor(random() * (plain.length - 1));
      if (plain[at] === plain[at + 1] || (at === 0 && plain[1] === '0')) return undefined;
      return plain.slice(0, at) + plain[at + 1] + plain[at] + plain.slice(at + 2);
    }),
  'unit-changed': ({ text }, random) => {
    const usable = unitSwaps.filter(([form]) => text.match(form));
    if (usable.length === 0) return undefined;
    const [form, others] = pick(usable, random);
    return replaceOne(text, form, random, () => pick(others, random));
  },
  'date-changed': ({ text }, random) =>
    replaceOne(
      text,
      new RegExp(
        `(?<=\\d )(?:${months.join('|')})\\b|\\b(?:${months.filter((month) => month !== 'May' && month !== 'March').join('|')})(?= \\d)`,
        'gu',
      ),
      random,
      ([month]) =>
        pick(
          months.filter((other) => other !== month),
          random,
        ),
    ),
  'name-replaced': ({ text, language }, random, pool) => {
    if (language === 'de') return undefined;
    const names = namesIn(text);
    if (names.length === 0) return undefined;
    const { name, at } = pick(names, random);
    for (let tries = 0; tries < 8; tries += 1) {
      const others = namesIn(pick(pool, random).text);
      const other = others.length > 0 ? pick(others, random).name : undefined;
      if (other && !text.includes(other) && !other.split(' ').some((word) => name.includes(word)))
        return text.slice(0, at) + other + text.slice(at + name.length);
    }
    return undefined;
  },
  'names-swapped': ({ text, language }, random) => {
    if (language === 'de') return undefined;
    const opening = /^(?:\p{Lu}\p{Ll}{2,})(?: \p{Lu}\p{Ll}{2,})+/u.exec(text);
    const names = [...(opening ? [{ name: opening[0], at: 0 }] : []), ...namesIn(text)];
    if (names.length < 2) return undefined;
    const at = Math.floor(random() * (names.length - 1));
    const [a, b] = [names[at], names[at + 1]] as [{ name: string; at: number }, { name: string; at: number }];
    const between = text.slice(a.at + a.name.length, b.at);
    // In a list, between "and", or in "between A and B", "agreed", "border", order says nothing.
    if (
      a.name === b.name ||
      /^(?:,| and | or |, and | und | oder )/u.test(between) ||
      !/\p{Ll}{3,}/u.test(between) ||
      /^ (?:of|in|at|and the \p{Ll}+ of|von|the|is) ?$/u.test(between)
    )
      return undefined;
    if (/ and | & |respectively|symmetr/u.test(between) && between.length < 12) return undefined;
    return text.slice(0, a.at) + b.name + between + a.name + text.slice(b.at + b.name.length);
  },
  'numbers-swapped': ({ text }, random) => {
    if (/\d\. (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember) \d/u.test(text))
      return undefined;
    const numbers = [...text.matchAll(numberForm)];
    if (numbers.length < 2) return undefined;
    const at = Math.floor(random() * (numbers.length - 1));
    const [a, b] = [numbers[at], numbers[at + 1]] as [RegExpExecArray, RegExpExecArray];
    const between = text.slice(a.index + a[0].length, b.index);
    if (
      a[0] === b[0] ||
      a[0].startsWith('0') ||
      (/between $/iu.test(text.slice(0, a.index)) && /^ and $/u.test(between))
    )
      return undefined;
    return text.slice(0, a.index) + b[0] + between + a[0] + text.slice(b.index + b[0].length);
  },
  'negation-inserted': ({ text, language }) => negate(text, language),
  'negation-removed': ({ text }) => dropNegation(text),
  'look-alike': ({ text }, random) => {
    const letters = [...text]
      .map((char, index) => ({ char, index }))
      .filter(
        ({ char, index }) =>
          lookAlikes[char] && /\p{L}/u.test(text[index - 1] ?? '') && /\p{L}/u.test(text[index + 1] ?? ''),
      );
    if (letters.length === 0) return undefined;
    const { char, index } = pick(letters, random);
    return text.slice(0, index) + pick(lookAlikes[char] as readonly string[], random) + text.slice(index + 1);
  },
  'hidden-character': ({ text }, random) => {
    const at = 1 + Math.floor(random() * (text.length - 2));
    return text.slice(0, at) + pick(['\u200b', '\u2060', '\u202e', '\u00ad', '\ufeff'], random) + text.slice(at);
  },
  'not-in-quote': ({ text }, random, pool) => {
    const other = pick(pool, random).text;
    return other === text || sameWords(other, text) > 0.5 ? undefined : other;
  },
  addition: ({ text, language }, random, pool) => {
    if (language === 'de') return undefined;
    const name = namesIn(pick(pool, random).text)[0]?.name;
    if (!name || text.includes(name)) return undefined;
    return text.replace(
      /[.]$/u,
      pick([` and was criticised by ${name}.`, `, which surprised ${name}.`, ` because of ${name}.`], random),
    );
  },
  'hedge-removed': ({ text }) => {
    for (const [form, change] of hedges)
      if (form.test(text)) {
        const changed = change(text);
        if (changed !== undefined && changed !== text) return changed;
      }
    return undefined;
  },
  'direction-swapped': ({ text }, random) => exchangeOne(text, opposites, random),
};
