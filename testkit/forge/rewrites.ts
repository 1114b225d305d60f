// Mutations that say the same in other words: formats, units, abbreviations, inflection, voice.
import { exchangeOne, type Mutation, months, pick, replaceOne } from './forge-words.ts';

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
  [/\bMount (?=\p{Lu})/u, 'Mt. '],
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
  inflection: ({ text, language }, random) =>
    language === 'de'
      ? undefined
      : random() < 0.7
        ? /\b(?:is|are|was|were|be|been|has|have|had|to|not|may|can|could|will|must|should)\b/u.test(text)
          ? undefined
          : exchangeOne(text, verbPairs, random)
        : exchangeOne(text, nounPairs, random),
  contraction: ({ text }) => {
    const made = text.replace(/\b(did|does|do|is|are|was|were|has|had|could|would|should) not\b/u, "$1n't");
    return made === text ? undefined : made;
  },
  'british-american': ({ text, language }, random) =>
    language === 'de' ? undefined : exchangeOne(text, britishPairs, random),
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
