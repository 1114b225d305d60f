// Makes forged and faithful pairs of claim and quote from sentences, from a seed. A forgery really changes what is said
// (guards leave out swaps that mean the same); a faithful rewrite says the same in other words. The generator shares no
// code with the verifier, so that a mistake there does not hide itself here.
export interface ForgeSentence {
  readonly text: string;
  readonly language: 'en' | 'de';
}

export interface ForgedPair {
  readonly kind: string;
  readonly claim: string;
  readonly quote: string;
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

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T;

/** A mutation returns the changed claim, or undefined where it does not apply. */
type Mutation = (sentence: ForgeSentence, random: Random, pool: readonly ForgeSentence[]) => string | undefined;

const replaceOne = (
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

const numberForm = /(?<![\p{L}\d.,-])\d+(?:[.,]\d+)*(?![\p{L}\d]|[.,]\d)/gu;
const months = 'January February March April May June July August September October November December'.split(' ');

/** Capitalised words inside the sentence: names in English. */
function namesIn(text: string): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = [];
  for (const match of text.matchAll(/(?<=[\p{Ll}\d,] )(?:\p{Lu}[\p{Ll}]{2,})(?: \p{Lu}[\p{Ll}]{2,})*/gu)) {
    if (
      months.includes(match[0]) ||
      /^(?:The|A|An|This|These|That|Her|His|Its|Their|Our|My|Your|He|She|It|They|We|You|In|On|At|By|For|From|With|As|After|Before|Hence|However|Thus|And|But|Or|If|When|While|Although|There|Here|Some|Many|Most|All|No|Not|One|Two|Both|Also|What|Which|Who)\b/u.test(
        match[0],
      ) ||
      /^(?:January|May|Monday|Sunday)/u.test(match[0])
    )
      continue;
    found.push({ name: match[0], at: match.index });
  }
  return found;
}

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
  'direction-swapped': ({ text }, random) => {
    const usable = opposites
      .flatMap(
        ([a, b]) =>
          [
            [a, b],
            [b, a],
          ] as const,
      )
      .filter(([a]) => new RegExp(`(?<!\\p{L})${a}(?!\\p{L})`, 'u').test(text));
    if (usable.length === 0) return undefined;
    const [from, to] = pick(usable, random);
    return text.replace(new RegExp(`(?<!\\p{L})${from}(?!\\p{L})`, 'u'), to as string);
  },
};

const britishPairs: readonly (readonly [string, string])[] = [
  ['recognise', 'recognize'],
  ['kilometres', 'kilometers'],
  ['metres', 'meters'],
  ['centre', 'center'],
  ['colour', 'color'],
  ['favour', 'favor'],
  ['theatre', 'theater'],
  ['Harbour', 'Harbor'],
  ['cancelled', 'canceled'],
  ['criticised', 'criticized'],
  ['behaviour', 'behavior'],
  ['organised', 'organized'],
  ['labour', 'labor'],
  ['defence', 'defense'],
  ['travelled', 'traveled'],
  ['analysed', 'analyzed'],
  ['programme', 'program'],
  ['grey', 'gray'],
  ['licence', 'license'],
];
const verbPairs: readonly (readonly [string, string])[] = [
  ['increased', 'increases'],
  ['employs', 'employed'],
  ['covers', 'covered'],
  ['requires', 'required'],
  ['ships', 'shipped'],
  ['activates', 'activated'],
  ['reduced', 'reduces'],
  ['listens', 'listened'],
  ['keeps', 'kept'],
  ['uses', 'used'],
  ['supports', 'supported'],
  ['ruled', 'rules'],
  ['handles', 'handled'],
  ['lost', 'loses'],
  ['attracted', 'attracts'],
  ['contained', 'contains'],
  ['treats', 'treated'],
  ['receives', 'received'],
  ['produces', 'produced'],
  ['stands', 'stood'],
  ['wrote', 'writes'],
  ['found', 'finds'],
  ['exported', 'exports'],
  ['won', 'wins'],
  ['rejected', 'rejects'],
  ['owns', 'owned'],
  ['detected', 'detects'],
  ['weighed', 'weighs'],
  ['discovered', 'discovers'],
  ['scored', 'scores'],
  ['covers', 'covering'],
  ['sold', 'sells'],
  ['travels', 'travelled'],
  ['supplies', 'supplied'],
  ['began', 'begins'],
  ['became', 'becomes'],
  ['played', 'plays'],
  ['included', 'includes'],
];
const nounPairs: readonly (readonly [string, string])[] = [
  ['patients', 'patient'],
  ['village', 'villages'],
  ['soldiers', 'soldier'],
  ['companies', 'company'],
  ['cities', 'city'],
  ['country', 'countries'],
  ['children', 'child'],
  ['engines', 'engine'],
  ['bicycles', 'bicycle'],
  ['match', 'matches'],
  ['goals', 'goal'],
  ['infants', 'infant'],
  ['planets', 'planet'],
  ['passengers', 'passenger'],
];
const abbreviationPairs: readonly (readonly [RegExp, string])[] = [
  [/\bDr\. (?=\p{Lu})/u, 'Doctor '],
  [/\bProfessor (?=\p{Lu})/u, 'Prof. '],
  [/\bSaint (?=\p{Lu})/u, 'St. '],
  [/\bWorld Health Organization\b/u, 'WHO'],
  [/\bDeoxyribonucleic acid\b/u, 'DNA'],
  [/\bMount (?=\p{Lu})/u, 'Mt. '],
  [/\bUnited States\b/u, 'US'],
  [/\bEuropean Union\b/u, 'EU'],
  [/\bUnited Kingdom\b/u, 'UK'],
  [/\bUnited Nations\b/u, 'UN'],
  [/\bapproximately\b/u, 'approx.'],
  [/\bversion (?=\d)/iu, 'version '],
  [/\bJanuary (?=\d)/u, 'Jan. '],
  [/\bFebruary (?=\d)/u, 'Feb. '],
  [/\bSeptember (?=\d)/u, 'Sept. '],
  [/\bOctober (?=\d)/u, 'Oct. '],
  [/\bNovember (?=\d)/u, 'Nov. '],
  [/\bDecember (?=\d)/u, 'Dec. '],
  [/\bGeneral (?=\p{Lu})/u, 'Gen. '],
  [/\bCaptain (?=\p{Lu})/u, 'Capt. '],
  [/\bfor example\b/u, 'e.g.'],
  [/\bpercent\b/u, 'per cent'],
];
const smallWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const unitPairs: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d )km\b(?![²/])/u, 'kilometres'],
  [/(?<=\d )m\b(?! \d)/u, 'metres'],
  [/(?<=\d )kg\b/u, 'kilograms'],
  [/(?<=\d )mg\b/u, 'milligrams'],
  [/(?<=\d )g\b/u, 'grams'],
  [/(?<=\d )kilometres\b/u, 'km'],
  [/(?<=\d )metres\b/u, 'm'],
  [/(?<=\d) percent\b/u, '%'],
  [/(?<=\d)%(?!\p{L})/u, ' percent'],
  [/(?<=\d )million\b/u, 'mn'],
  [/(?<=\d )billion\b/u, 'bn'],
  [/(?<=\d )minutes\b/u, 'min'],
  [/(?<=\d )hours\b/u, 'h'],
  [/(?<=\d )MB\b/u, 'megabytes'],
  [/(?<=\d )mm\b/u, 'millimetres'],
  [/(?<=\d )Meter\b/u, 'm'],
  [/(?<=\d )Prozent\b/u, '%'],
  [/(?<=\d )°C(?!\p{L})/u, 'degrees Celsius'],
  [/(?<=\d )miles\b/u, 'mi'],
  [/(?<=\d )MW\b/u, 'megawatts'],
];

const firstOf = (text: string, pairs: readonly (readonly [string, string])[], random: Random): string | undefined => {
  const usable = pairs
    .flatMap(
      ([a, b]) =>
        [
          [a, b],
          [b, a],
        ] as const,
    )
    .filter(([a]) => new RegExp(`(?<!\\p{L})${a}(?!\\p{L})`, 'u').test(text));
  if (usable.length === 0) return undefined;
  const [from, to] = pick(usable, random);
  return text.replace(new RegExp(`(?<!\\p{L})${from}(?!\\p{L})`, 'u'), to as string);
};

/** Faithful rewrites: each says the same. */
export const rewrites: Readonly<Record<string, Mutation>> = {
  'number-format': ({ text, language }, random) => {
    if (language === 'de')
      return replaceOne(text, /(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d,])/gu, random, ([digits]) =>
        (digits as string).replaceAll('.', pick(['', ' ', '\u202f'], random)),
      );
    return replaceOne(text, /(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d)/gu, random, ([digits]) =>
      (digits as string).replaceAll(',', pick(['', ' ', '\u202f', '\u00a0'], random)),
    );
  },
  'number-words': ({ text, language }, random) => {
    if (language === 'de') return undefined;
    if (random() < 0.5)
      return replaceOne(
        text,
        /(?<![\p{L}\d.,/$€£-]|\p{L} (?=\d+[./-]))(?<!(?:January|February|March|April|May|June|July|August|September|October|November|December) )(?:[2-9]|1\d|20)(?= \p{Ll}{4,})/gu,
        random,
        ([digits]) => smallWords[Number(digits)],
      );
    return replaceOne(
      text,
      /(?<![\p{L}-] ?(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -])\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?!-| (?:hundred|thousand|million|billion|thirds|quarters|fifths|and a half))/giu,
      random,
      ([word]) => String(smallWords.indexOf((word as string).toLowerCase())),
    );
  },
  magnitude: ({ text, language }, random) =>
    language === 'de'
      ? undefined
      : replaceOne(
          text,
          /(?<![\d.,])(\d{1,3})\.(\d) (million|billion)\b/gu,
          random,
          ([, whole, part, scale]) =>
            `${(Number(`${whole}.${part}`) * (scale === 'million' ? 1e6 : 1e9)).toLocaleString('en-US')}`,
        ),
  'unit-spelling': ({ text, language }, random) => {
    const usable = unitPairs.filter(([form]) => form.test(text));
    if (usable.length === 0) return undefined;
    const [form, to] = pick(usable, random);
    return /Celsius|megabytes|metres|grams/u.test(to) && language === 'de' ? undefined : text.replace(form, to);
  },
  'unit-conversion': ({ text, language }, random) => {
    if (language === 'de') return undefined;
    const convert: readonly (readonly [RegExp, number, string])[] = [
      [/(\d+(?:\.\d+)?) km\b(?!\/|²| per)/gu, 1000, 'm'],
      [/(\d+(?:\.\d+)?) kg\b/gu, 1000, 'g'],
      [/(\d+(?:\.\d+)?) g\b/gu, 1000, 'mg'],
      [/(\d+(?:\.\d+)?) metres\b/gu, 100, 'cm'],
    ];
    const usable = convert.filter(([form]) => text.match(form));
    if (usable.length === 0) return undefined;
    const [form, factor, unit] = pick(usable, random);
    return replaceOne(text, form, random, (match) =>
      /[\d,.]$/u.test(text.slice(0, match.index))
        ? undefined
        : `${Number((Number(match[1]) * factor).toFixed(6)).toLocaleString('en-US')} ${unit}`,
    );
  },
  'date-format': ({ text }, random) =>
    replaceOne(
      text,
      new RegExp(`\\b(\\d{1,2}) (${months.join('|')}) (\\d{4})\\b`, 'gu'),
      random,
      ([, day, month, year]) => {
        const at = months.indexOf(month as string) + 1;
        const two = (value: number): string => String(value).padStart(2, '0');
        return pick(
          [
            `${month} ${day}, ${year}`,
            `${year}-${two(at)}-${two(Number(day))}`,
            `${day} ${(month as string).slice(0, 3)} ${year}`,
            `the ${day}${Number(day) % 10 === 1 && day !== '11' ? 'st' : Number(day) % 10 === 2 && day !== '12' ? 'nd' : Number(day) % 10 === 3 && day !== '13' ? 'rd' : 'th'} of ${month} ${year}`,
          ],
          random,
        );
      },
    ),
  abbreviation: ({ text, language }, random) => {
    if (language === 'de') return undefined;
    const usable = abbreviationPairs.filter(([form, to]) => form.test(text) && text.replace(form, to) !== text);
    if (usable.length === 0) return undefined;
    const [form, to] = pick(usable, random);
    return text.replace(form, to);
  },
  'list-reordered': ({ text }, random) =>
    replaceOne(
      text,
      /(?<=(?:^|[\p{Ll}\d]) )(\p{L}+(?: \p{L}+)?), (\p{L}+(?: \p{L}+)?) (and|und) (\p{L}+)(?=[.,]| \p{Ll})/gu,
      random,
      ([, a, b, and, c]) => {
        if ([a, b, c].some((item) => (item as string).split(' ').length > 1)) return undefined;
        return pick(
          [`${b}, ${a} ${and} ${c}`, `${c}, ${b} ${and} ${a}`, `${b}, ${c} ${and} ${a}`, `${c}, ${a} ${and} ${b}`],
          random,
        );
      },
    ),
  inflection: ({ text, language }, random) =>
    language === 'de'
      ? undefined
      : random() < 0.7
        ? /\b(?:is|are|was|were|be|been|has|have|had|to|not|may|can|could|will|must|should)\b/u.test(text)
          ? undefined
          : firstOf(text, verbPairs, random)
        : firstOf(text, nounPairs, random),
  contraction: ({ text }) => {
    const made = text.replace(/\b(did|does|do|is|are|was|were|has|had|could|would|should) not\b/u, "$1n't");
    return made === text ? undefined : made;
  },
  'british-american': ({ text, language }, random) =>
    language === 'de' ? undefined : firstOf(text, britishPairs, random),
  passive: ({ text }) => {
    const active =
      /^(?!(?:He|She|It|They|We|You|I|This|That) )(\p{Lu}[\p{L}. ]*?) (defeated|acquired|rejected|discovered|wrote|rejected|dismissed|convicted|beat|succeeded|signed) ((?:the |a )?[\p{L} ]+?)(?= (?:in|at|on|for|from|as|with|by|\d|because|3-1)\b|\.)/u.exec(
        text,
      );
    if (active && !/ (?:and|it|that|was|were|is|not|never|to|both) ?/u.test(` ${active[0]} `)) {
      const [all, subject, verb, object] = active as unknown as [string, string, string, string];
      const participle = { wrote: 'written', beat: 'beaten' }[verb] ?? verb;
      const agent = /^The /u.test(subject) ? subject.replace(/^The/u, 'the') : subject;
      return `${object[0]?.toUpperCase()}${object.slice(1)} was ${participle} by ${agent}${text.slice(all.length)}`;
    }
    return undefined;
  },
  'adverbial-moved': ({ text }) => {
    const made = /^(.*\p{L}) (in \d{4})\.$/u.exec(text);
    if (!made || / (?:and|but|,) /u.test(made[1] as string)) return undefined;
    const [, body, adverbial] = made as unknown as [string, string, string];
    const lowered = /^(?:The|A|An|No|She|He|It|Some|Many|Most|Only|Two|Between) /u.test(body)
      ? body[0]?.toLowerCase() + body.slice(1)
      : body;
    return `In${adverbial.slice(2)}, ${lowered}.`;
  },
  shortened: ({ text, language }) => {
    // Leaves out a final co-ordinated clause that says something of its own.
    const made =
      language === 'en'
        ? /^([^,]+?) and (?:was|is|lies|carried|trained|conducted|flows|uploaded) [^,]+\.$/u.exec(text)
        : null;
    return made && !/\b(?:not|no|never|may|if|unless|only|some|between)\b/iu.test(text) ? `${made[1]}.` : undefined;
  },
  spacing: ({ text }, random) =>
    pick(
      [text.replace(' ', '\n'), `“${text}”`, text.replace(/\.$/u, ''), text.replaceAll("'", '’').replace(' ', '  ')],
      random,
    ),
};

export interface ForgeOptions {
  readonly count: number;
  readonly seed: number;
  readonly kinds: Readonly<Record<string, Mutation>>;
}

/** `count` pairs, the kinds in turn; the quote is the untouched sentence, sometimes with its neighbours around it. */
export function forgePairs(sentences: readonly ForgeSentence[], options: ForgeOptions): ForgedPair[] {
  const random = randomFrom(options.seed);
  const pairs: ForgedPair[] = [];
  const kinds = Object.entries(options.kinds);
  const misses = new Map<string, number>();
  for (let turn = 0; pairs.length < options.count && turn < options.count * 400; turn += 1) {
    const [kind, mutate] = kinds[turn % kinds.length] as [string, Mutation];
    if ((misses.get(kind) ?? 0) > 4_000) continue;
    const at = Math.floor(random() * sentences.length);
    const sentence = sentences[at] as ForgeSentence;
    const claim = mutate(sentence, random, sentences);
    if (claim === undefined || claim.trim() === sentence.text) {
      misses.set(kind, (misses.get(kind) ?? 0) + 1);
      continue;
    }
    misses.set(kind, 0);
    const around = random() < 0.25 ? [sentences[at - 1], sentences[at + 1]] : [];
    const quote = [around[0], sentence, around[1]]
      .flatMap((item) => (item && item.language === sentence.language ? [item.text] : []))
      .join(' ');
    if (quote.replace(/\s+/gu, ' ').includes(claim.replace(/\s+/gu, ' ').trim()) && options.kinds === forgeries)
      continue;
    pairs.push({ kind, claim, quote });
  }
  return pairs;
}
