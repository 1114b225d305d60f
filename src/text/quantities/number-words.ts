// Numbers written as words, English and German, and the Chinese digits. Total: reads the longest number at a position or
// says there is none. "second" and "may" style ambiguities are left to the callers.

const ones: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  null: 0,
  eins: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  elf: 11,
  zwölf: 12,
  dreizehn: 13,
  vierzehn: 14,
  fünfzehn: 15,
  sechzehn: 16,
  siebzehn: 17,
  achtzehn: 18,
  neunzehn: 19,
};
const tens: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  zwanzig: 20,
  dreißig: 30,
  dreissig: 30,
  vierzig: 40,
  fünfzig: 50,
  sechzig: 60,
  siebzig: 70,
  achtzig: 80,
  neunzig: 90,
};
const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  lakh: 1e5,
  crore: 1e7,
  dozen: 12,
  hundert: 100,
  tausend: 1e3,
  millionen: 1e6,
  milliarde: 1e9,
  milliarden: 1e9,
  billionen: 1e12,
  mio: 1e6,
  mrd: 1e9,
  dutzend: 12,
  hundreds: 100,
  thousands: 1e3,
  millions: 1e6,
  billions: 1e9,
  trillions: 1e12,
  dozens: 12,
};
const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
  thirtieth: 30,
  fortieth: 40,
  fiftieth: 50,
  sixtieth: 60,
  seventieth: 70,
  eightieth: 80,
  ninetieth: 90,
  hundredth: 100,
  thousandth: 1000,
};
const denominators: Readonly<Record<string, number>> = {
  half: 2,
  halves: 2,
  third: 3,
  thirds: 3,
  quarter: 4,
  quarters: 4,
  fourth: 4,
  fourths: 4,
  fifth: 5,
  fifths: 5,
  sixth: 6,
  sixths: 6,
  seventh: 7,
  sevenths: 7,
  eighth: 8,
  eighths: 8,
  ninth: 9,
  ninths: 9,
  tenth: 10,
  tenths: 10,
  hälfte: 2,
  drittel: 3,
  viertel: 4,
  fünftel: 5,
  zehntel: 10,
};
const multipliers: Readonly<Record<string, number>> = {
  twice: 2,
  thrice: 3,
  doppelt: 2,
  twofold: 2,
  threefold: 3,
  fourfold: 4,
  fivefold: 5,
  tenfold: 10,
};

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

const chineseDigits: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const chineseScales: Readonly<Record<string, number>> = {
  十: 10,
  百: 100,
  千: 1000,
  万: 1e4,
  萬: 1e4,
  亿: 1e8,
  億: 1e8,
};

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
