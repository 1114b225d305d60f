// Numbers written as words, English and German, and the Chinese digits. Total: reads the longest number at a position or
// says there is none. "second" and "may" style ambiguities are left to the callers.

type Numbers = Readonly<Record<string, number>>;

/** Words in the order of what they count, from `first` on in steps; several for one number are joined by "/". */
const listed = (words: string, first = 0, step = 1): Numbers =>
  Object.fromEntries(
    words.split(' ').flatMap((same, at) => same.split('/').map((word) => [word, first + at * step] as const)),
  );
/** "million/millionen:1e6": words and what they count. */
const counted = (pairs: string): Numbers =>
  Object.fromEntries(
    pairs.split(' ').flatMap((pair) => {
      const [words = '', value] = pair.split(':');
      return words.split('/').map((word) => [word, Number(value)] as const);
    }),
  );

const ones: Numbers = {
  ...listed(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  ),
  ...listed(
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  ),
};
const tens: Numbers = {
  ...listed('twenty thirty forty/fourty fifty sixty seventy eighty ninety', 20, 10),
  ...listed('zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig', 20, 10),
};
const scales = counted(
  'dozen/dozens/dutzend:12 hundred/hundreds/hundert:100 thousand/thousands/tausend:1e3 lakh:1e5 million/millions/millionen/mio:1e6 crore:1e7 ' +
    'billion/billions/milliarde/milliarden/mrd:1e9 trillion/trillions/billionen:1e12',
);
const ordinals: Numbers = {
  ...listed(
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth',
    1,
  ),
  ...listed('twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth', 20, 10),
  thousandth: 1000,
};
const denominators: Numbers = {
  ...listed('half/halves third/thirds quarter/quarters/fourth/fourths fifth/fifths sixth/sixths', 2),
  ...listed('seventh/sevenths eighth/eighths ninth/ninths tenth/tenths', 7),
  ...counted('hälfte:2 drittel:3 viertel:4 fünftel:5 zehntel:10'),
};
const multipliers = counted('twice/doppelt/twofold:2 thrice/threefold:3 fourfold:4 fivefold:5 tenfold:10');

/** The scale that follows a number ("million", "bn", "Mrd."), or undefined. German "Billion" is 10^12: pass `german`. */
export function scaleOf(word: string, german = false): number | undefined {
  const lower = word.toLowerCase().replace(/\.$/u, '');
  if (german && lower === 'billion') return 1e12;
  if (Object.hasOwn(scales, lower)) return scales[lower];
  return ({ bn: 1e9, mn: 1e6, mln: 1e6, tn: 1e12, trn: 1e12 } as Record<string, number>)[lower];
}

export interface NumberWords {
  readonly value: number;
  /** How many words were read. */
  readonly words: number;
  readonly kind: 'cardinal' | 'ordinal' | 'fraction' | 'multiple';
}

const small = (word: string | undefined): number | undefined =>
  word === undefined
    ? undefined
    : Object.hasOwn(ones, word)
      ? ones[word]
      : Object.hasOwn(tens, word)
        ? tens[word]
        : undefined;

/** Reads German compounds such as "dreiundzwanzig", "zweihundert", "fünftausend". */
function germanCompound(word: string): number | undefined {
  const joined = /^(\p{L}{1,40}?)und(\p{L}{1,40}zig|dreißig|dreissig)$/u.exec(word);
  if (joined) {
    const unit = joined[1] === 'ein' ? 1 : ones[joined[1] as string];
    const ten = tens[joined[2] as string];
    if (unit !== undefined && ten !== undefined) return unit + ten;
  }
  for (const [suffix, factor] of [
    ['tausend', 1000],
    ['hundert', 100],
  ] as const) {
    if (word.length > suffix.length && word.endsWith(suffix)) {
      const head = word.slice(0, -suffix.length);
      const value = head === 'ein' ? 1 : (small(head) ?? germanCompound(head));
      if (value !== undefined) return value * factor;
    }
  }
  return undefined;
}

/**
 * Reads the longest number in words that starts at `words[0]` (lower case; hyphens already split). Handles "two hundred and
 * five", "twenty first", "two thirds", "a dozen", "half a million", "half", "twice".
 */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function readNumberWords(words: readonly string[]): NumberWords | undefined {
  const first = words[0];
  if (first === undefined) return undefined;
  if (Object.hasOwn(multipliers, first)) return { value: multipliers[first] as number, words: 1, kind: 'multiple' };
  if (first === 'half' || first === 'quarter' || first === 'hälfte' || first === 'halves') {
    const over = denominators[first] as number;
    if ((words[1] === 'a' || words[1] === 'an') && words[2] !== undefined && Object.hasOwn(scales, words[2]))
      return { value: (scales[words[2]] as number) / over, words: 3, kind: 'cardinal' };
    return { value: 1 / over, words: 1, kind: 'fraction' };
  }
  let at = 0;
  let total = 0;
  let group = 0;
  let seen = false;
  if ((first === 'a' || first === 'an') && words[1] !== undefined) {
    if (Object.hasOwn(scales, words[1]) && !words[1].endsWith('s')) {
      group = 1;
      seen = true;
      at = 1;
    } else if (words[1] !== 'half' && Object.hasOwn(denominators, words[1]) && words[2] === 'of')
      return { value: 1 / (denominators[words[1]] as number), words: 2, kind: 'fraction' };
    else return undefined;
  }
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    const value = small(word) ?? germanCompound(word);
    if (value !== undefined) {
      const joins =
        !seen ||
        (group % 100 === 0 && group > 0) ||
        (group % 10 === 0 && group % 100 >= 20 && value < 10) ||
        (group === 0 && total > 0);
      if (!joins) break;
      group += value;
      seen = true;
    } else if (seen && Object.hasOwn(scales, word) && !word.endsWith('s')) {
      const scale = scales[word] as number;
      if (scale === 100 || scale === 12) group = (group || 1) * scale;
      else {
        total += (group || 1) * scale;
        group = 0;
      }
    } else if (
      word === 'and' &&
      seen &&
      (group >= 100 || (group === 0 && total > 0)) &&
      small(words[at + 1]) !== undefined
    )
      continue;
    else break;
  }
  const next = words[at];
  if (seen && next !== undefined) {
    // "twenty first" is an ordinal, "two thirds" a fraction.
    if (Object.hasOwn(ordinals, next) && group % 100 >= 20 && group % 10 === 0 && (ordinals[next] as number) < 10)
      return { value: total + group + (ordinals[next] as number), words: at + 1, kind: 'ordinal' };
    if (
      Object.hasOwn(denominators, next) &&
      (next.endsWith('s') || group === 1 || /tel$/u.test(next)) &&
      next !== 'second' &&
      group < 20
    )
      return { value: group / (denominators[next] as number), words: at + 1, kind: 'fraction' };
    if (next === 'and' && words[at + 1] === 'a' && words[at + 2] === 'half')
      return { value: total + group + 0.5, words: at + 3, kind: 'cardinal' };
    if (next === 'hundredth' || next === 'thousandth')
      return { value: (total + group) * (next === 'hundredth' ? 100 : 1000), words: at + 1, kind: 'ordinal' };
  }
  if (seen) return { value: total + group, words: at, kind: 'cardinal' };
  if (Object.hasOwn(ordinals, first)) return { value: ordinals[first] as number, words: 1, kind: 'ordinal' };
  return undefined;
}

const chineseDigits = listed('零/〇 一 二/两/兩 三 四 五 六 七 八 九');
const chineseScales = counted('十:10 百:100 千:1000 万/萬:1e4 亿/億:1e8');

/** The value of a run of Chinese digits ("三百二十", "两万"), or undefined. */
export function chineseNumber(text: string): number | undefined {
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  for (const char of text) {
    const value = chineseDigits[char];
    const scale = chineseScales[char];
    if (value !== undefined) digit = digit === undefined ? value : digit * 10 + value;
    else if (scale === undefined) return undefined;
    else if (scale >= 1e4) {
      total = (total + section + (digit ?? 0)) * scale;
      section = 0;
      digit = undefined;
    } else {
      section += (digit ?? 1) * scale;
      digit = undefined;
    }
  }
  return total + section + (digit ?? 0);
}

/** The multiplier of 万/亿 after Arabic digits. */
export function chineseScale(char: string): number | undefined {
  const scale = chineseScales[char];
  return scale !== undefined && scale >= 100 ? scale : undefined;
}
