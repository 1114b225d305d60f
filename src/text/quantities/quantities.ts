// Finds quantities in text: numbers in digits (1,234.5 · 1.234,5 · 1 234 · 6½ · 3/4 · 1.2 × 10⁶) and in words, with
// magnitude, unit, percentages, ranges, ordinals and the bound in front of them ("at least", "up to", "about").
// Digits inside identifiers (COVID-19, H1N1, 1.2.3) are not quantities. Linear time.
import type { SourceSpan } from '../../core/document.ts';
import { chineseNumber, chineseScale, readNumberWords, scaleOf } from './number-words.ts';
import { boundAt, type Quantity } from './quantity.ts';
import { currencySymbols, isSymbol, type Unit, unitOf } from './units.ts';

export { type Bound, boundCovers, type Quantity, sameAmount } from './quantity.ts';

export interface QuantityOptions {
  /** The text writes a comma before decimals (German, French …): decides 1.234 and 1,234. Default false. */
  readonly decimalComma?: boolean;
  /** BCP 47 primary language subtag. German "Billion" is 10^12. */
  readonly language?: string;
}

/** "½" is written as one over two. */
const vulgar: Readonly<Record<string, number>> = Object.fromEntries(
  [...'½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒'].map((sign) => {
    const [over = 0, under = 1] = sign.normalize('NFKD').split('\u2044').map(Number);
    return [sign, over / under];
  }),
);
const space = '[ \\u00a0\\u202f\\u2009]';
const digitForm = new RegExp(
  `(?:\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,2}(?:,\\d{2})+,\\d{3}(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3})+(?:,\\d+)?|\\d{1,3}(?:['’]\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:${space}\\d{3})+(?![\\d])(?:[.,]\\d+(?!\\d))?|\\d+[.,]\\d+|\\.\\d+|\\d+)(?![\\d])`,
  'yu',
);
const powerForm = /^\s?[×x*·]\s?10(?:\^?([-−]?\d+)|([⁻⁰¹²³⁴-⁹]+))/u;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

interface Digits {
  value: number;
  end: number;
}

/** Decimal value of a written number and, where languages differ, its other reading. */
function readDigits(text: string, at: number, decimalComma: boolean): Digits | undefined {
  digitForm.lastIndex = at;
  const hit = digitForm.exec(text);
  if (!hit) return undefined;
  const raw = hit[0];
  const plain = raw.replace(/[\s\u00a0\u202f\u2009'’]/gu, '');
  const end = at + raw.length;
  // Two or more of one separator, or both, leave no doubt about which is the decimal one.
  const dots = plain.split('.').length - 1;
  const commas = plain.split(',').length - 1;
  const english = Number(plain.replace(/,/gu, ''));
  const german = Number(plain.replace(/\./gu, '').replace(',', '.'));
  if (dots > 1 || (dots === 1 && commas === 1 && plain.indexOf('.') < plain.indexOf(',')))
    return { value: german, end };
  if (commas > 1 || (dots === 1 && commas === 1)) return { value: english, end };
  if (dots + commas === 0) return { value: Number(plain), end };
  const grouped = /^[1-9]\d{0,2}[.,]\d{3}$/u.test(plain);
  if (!grouped) return { value: dots === 1 ? Number(plain) : Number(plain.replace(',', '.')), end };
  if (!decimalComma) return { value: english, end };
  return { value: german, end };
}

const unitForm =
  /[ \u00a0\u202f\u2009-]?((?:US\$|CA\$|[$€£¥₹¢%‰°×])(?:[CF](?!\p{L}))?|(?:(?:kilomet(?:re|er)s?|km|miles?) per hour(?!\p{L})|met(?:re|er)s? per second(?!\p{L})|(?:square|sq\.?) (?:km|mi|miles?|m)(?!\p{L})|per cent|percentage points?|basis points?|degrees? (?:Celsius|Fahrenheit|[CF](?!\p{L}))|square (?:kilomet|met|mil|feet|foot)\p{L}*|cubic (?:met|centimet)\p{L}*|[µμ]?\p{L}+(?:\/(?:h|s)(?!\p{L})|[²³])?))/uy;
const squares: Readonly<Record<string, string>> = {
  'square k': 'km²',
  'square me': 'm²',
  'square mi': 'mi²',
  'cubic me': 'm³',
  'cubic ce': 'cm³',
};

function readUnit(text: string, at: number): { unit: Unit; end: number } | undefined {
  unitForm.lastIndex = at;
  const hit = unitForm.exec(text);
  if (!hit) return undefined;
  const end = at + hit[0].length;
  let word = hit[1] as string;
  const lower = word.toLowerCase();
  const square = /^(?:square|sq\.?) (km|mi|m)(?:les?)?$/u.exec(lower);
  if (square) word = `${square[1]}²`;
  else if (lower.endsWith(' per hour')) word = lower.startsWith('mi') ? 'mph' : 'km/h';
  else if (lower.endsWith(' per second')) word = 'm/s';
  else if (lower === 'per cent') word = '%';
  else if (lower.startsWith('degree') && lower.includes(' ')) word = /c\p{L}{0,12}$/u.test(lower) ? '°C' : '°F';
  else if (lower.startsWith('percentage p')) word = 'pp';
  else if (lower.startsWith('basis p')) word = 'bp';
  else for (const [head, name] of Object.entries(squares)) if (lower.startsWith(head)) word = name;
  const spaced = hit[0].length > (hit[1] as string).length;
  // "5 a", "5 in", "5 h" …: short words that are also English words count as units only in their safe forms.
  if (/^(?:in|a|A|to|d|t|ton)$/u.test(word) && !(word === 't' || word === 'ton')) return undefined;
  if (spaced && word === 'B') return undefined;
  const unit = unitOf(word);
  return unit ? { unit, end } : undefined;
}

const wordStart = /[\p{L}\d.½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒$€£¥₹]/u;
const numberHead =
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twel(?:ve|f)|thir|twen|for|fif|hundred|half|quarter|an?$|dozen|first|second|tenth|ninth|twice|thrice|two|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwan|hälfte|million|thousand|billion|doppelt|tenfold)/u;

/** A dash behind these is none of a number: it stands within a word or a range ("5 €–10 €", "**5**-10", "3月–5月"). */
const beforeDash = /(?:[\p{LC}\p{N}]\.?|\p{N}(?:\p{Lo}{1,2}|\s?[€$£¥₹])|[%‰°)\]′″])[*_`"'”’]{0,3}$/u;

/** Quantities in `text`, in order, never overlapping; offsets are UTF-16 code units and include unit and sign, not the bound. */
export function findQuantities(text: string, options: QuantityOptions = {}): Quantity[] {
  const german = options.language === 'de';
  const decimalComma = options.decimalComma ?? german;
  const found: Quantity[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (!wordStart.test(char)) {
      at += 1;
      continue;
    }
    const previous = at > 0 ? (text[at - 1] as string) : ' ';
    const inWord = /[\p{L}\d_]/u.test(previous) && !/\p{Script=Han}/u.test(previous);
    const quantity = inWord
      ? undefined
      : /\p{L}/u.test(char) && !/^(?:US\$|CA\$|AU\$|C\$|A\$)/u.test(text.slice(at, at + 3))
        ? readWords(text, at, german)
        : readNumeric(text, at, decimalComma, german);
    if (quantity) {
      found.push(quantity);
      at = quantity.end;
      continue;
    }
    // Skip the rest of this word or identifier.
    const rest = /^(?:\p{Script=Han}|[\p{L}\d_]+(?:[-.]\d[\p{L}\d]*)*|.)/su.exec(text.slice(at, at + 64));
    at += rest ? Math.max(1, rest[0].length) : 1;
  }
  return found;
}

function finish(
  text: string,
  start: number,
  body: Omit<Quantity, keyof SourceSpan | 'text' | 'bound' | 'boundStart'> & { end: number },
): Quantity {
  const bounded = boundAt(text, start, body.end);
  return {
    ...body,
    start,
    end: bounded.end,
    text: text.slice(start, bounded.end),
    bound: bounded.bound,
    boundStart: bounded.boundStart,
  };
}

// oxlint-disable-next-line complexity, house/own-lines -- One rule of language stands after another, over the same words.
function readNumeric(text: string, from: number, decimalComma: boolean, german: boolean): Quantity | undefined {
  let start = from;
  let at = start;
  const currency = currencySymbols.exec(text.slice(at, at + 3));
  let unit: Unit | undefined;
  if (currency) {
    unit = unitOf(currency[0]);
    at += currency[0].length;
    if (text[at] === ' ' || text[at] === '\u00a0') at += 1;
  }
  const previous = start > 0 ? (text[start - 1] as string) : ' ';
  const before = text.slice(Math.max(0, start - 6), Math.max(0, start - 1));
  // COVID-19, B-52: a hyphen after a letter makes an identifier; "mid-1990s" is a date and never comes here alone.
  if (/[-‐‑]/u.test(previous) && /\p{L}$/u.test(before) && !currency) return undefined;
  const negative = /[-‐‑−–－﹣]/u.test(previous) && !before.endsWith(previous) && !beforeDash.test(before);
  let value: number | undefined;
  let kind: Quantity['kind'] = 'cardinal';
  const digits = readDigits(text, at, decimalComma);
  if (digits) {
    value = digits.value;
    at = digits.end;
    const half = vulgar[text[at] as string] ?? (text[at] === ' ' ? vulgar[text[at + 1] as string] : undefined);
    if (half !== undefined) {
      value += half;
      at += vulgar[text[at] as string] === undefined ? 2 : 1;
    } else {
      const slash = /^( \d{1,2})?[/⁄](\d{1,3})(?![\d/])/u.exec(text.slice(at, at + 8));
      if (slash && (slash[1] === undefined || Number(slash[1]) < Number(slash[2])) && Number(slash[2]) > 0) {
        value = slash[1] === undefined ? value / Number(slash[2]) : value + Number(slash[1]) / Number(slash[2]);
        at += slash[0].length;
        kind = 'fraction';
      } else if (/^[.,]\d/u.test(text.slice(at, at + 2)) || /^[/:]\d/u.test(text.slice(at, at + 2))) return undefined;
    }
    const power = powerForm.exec(text.slice(at, at + 14));
    if (power) {
      const exponent =
        power[1] ?? [...(power[2] as string)].map((sign) => (sign === '⁻' ? '-' : superscripts.indexOf(sign))).join('');
      value *= 10 ** Number(exponent.replace('−', '-'));
      at += power[0].length;
    }
  } else {
    value = vulgar[text[at] as string];
    if (value === undefined) return undefined;
    kind = 'fraction';
    at += 1;
  }
  if (negative) {
    value = -value;
    start -= 1;
  }
  const ordinal = /^(?:st|nd|rd|th)(?![\p{L}\d])/u.exec(text.slice(at, at + 3));
  if (ordinal && !currency) return finish(text, start, { value, kind: 'ordinal', word: false, end: at + 2 });
  // Ranges: 5–10, 5 to 10.
  let high: number | undefined;
  const between = /between $/iu.test(text.slice(Math.max(0, start - 8), start));
  const joint = (between ? /^( (?:and|und) )[$€£]?\d/u : /^(\s?[-–—−]\s?|(?: to | bis )(?=[$€£\d]))[$€£]?\d/iu).exec(
    text.slice(at, at + 8),
  );
  const readScale = (): void => {
    const word = /^[ \u00a0-]?(\p{L}{1,10}\.?)/u.exec(text.slice(at, at + 14));
    const attached = /^(?:k|K|bn|mn|[mMbB])(?![\p{L}\d/²³])/u.exec(text.slice(at, at + 3));
    if (
      attached &&
      (attached[0] === 'k' ||
        attached[0] === 'bn' ||
        attached[0] === 'mn' ||
        attached[0] === 'K' ||
        attached[0] === 'M' ||
        currency)
    ) {
      scale = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, b: 1e9, B: 1e9, bn: 1e9, mn: 1e6 }[attached[0]];
      at += attached[0].length;
    } else if (chineseScale(text[at] ?? '') !== undefined) {
      scale = chineseScale(text[at] as string);
      at += 1;
      const again = chineseScale(text[at] ?? '');
      if (again !== undefined) {
        scale = (scale ?? 1) * again;
        at += 1;
      }
    } else if (word && !(currency === null && /^[mb]$/u.test(word[1] as string))) {
      const scaled =
        scaleOf(word[1] as string, german) ??
        (/^(?:bn|mn)$/iu.test(word[1] as string) ? scaleOf(word[1] as string) : undefined);
      if (scaled !== undefined && scaled !== 12) {
        scale = scaled;
        at += word[0].length - ((word[1] as string).endsWith('.') && !/^(?:Mio|Mrd)/u.test(word[1] as string) ? 1 : 0);
      }
    }
  };
  let scale: number | undefined;
  if (!joint) readScale();
  const wordRange = joint || between ? null : /^ to (\p{L}+)(?!\p{L})/u.exec(text.slice(at, at + 16));
  if (wordRange) {
    const upper = readNumberWords([(wordRange[1] as string).toLowerCase()]);
    if (upper?.kind === 'cardinal') {
      at += wordRange[0].length;
      high = upper.value;
    }
  }
  if (joint && !/^\s?[-–—]\s?\d+[-–—]/u.test(text.slice(at, at + 8))) {
    const symbol = /[$€£]$/u.exec(joint[0].slice(0, -1))?.[0];
    const jump = (joint[1] as string).length + (symbol === undefined ? 0 : 1);
    // "€41 to £36" is no range.
    const upper =
      symbol === undefined || unitOf(symbol) === unit ? readDigits(text, at + jump, decimalComma) : undefined;
    if (upper) {
      at = upper.end;
      high = upper.value;
      readScale();
    }
  }
  if (scale !== undefined) {
    value *= scale;
    if (high !== undefined) high *= scale;
    // "thousand million"
    if (scale === 1e3) {
      const again = /^ (?:million)/u.exec(text.slice(at, at + 9));
      if (again) {
        value *= 1e6;
        at += again[0].length;
      }
    }
  }
  const measured = readUnit(text, at);
  if (measured && !unit) {
    const attachedLetters = /^\p{L}/u.test(text.slice(at, at + 1));
    if (!attachedLetters || isSymbol(text.slice(at, measured.end)) || measured.unit.name.length > 2) {
      unit = measured.unit;
      at = measured.end;
    }
  } else if (measured && unit && measured.unit.dimension === unit.dimension) at = measured.end;
  // "5 %–10 %": the unit stands at both ends.
  if (unit && high === undefined) {
    const range = /^(\s?[-–—]\s?| to )(?=\d)/u.exec(text.slice(at, at + 5));
    const upper = range ? readDigits(text, at + range[0].length, decimalComma) : undefined;
    const again = upper ? readUnit(text, upper.end) : undefined;
    if (upper && again && again.unit.name === unit.name) {
      high = upper.value;
      at = again.end;
    }
  }
  // Letters or digits stuck to the number that are no unit: an identifier ("3D", "5G", "2b").
  if (
    /^[\p{L}_]/u.test(text.slice(at, at + 1)) &&
    !/^\p{Script=Han}|^\p{Script=Hiragana}|^\p{Script=Katakana}|^\p{Script=Hangul}/u.test(text.slice(at, at + 1))
  )
    return undefined;
  return finish(text, start, {
    value,
    kind,
    word: false,
    end: at,
    ...(high === undefined ? {} : { high }),
    ...(unit ? { unit } : {}),
  });
}

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function readWords(text: string, start: number, german: boolean): Quantity | undefined {
  const han = /^[零〇一二两兩三四五六七八九十百千万萬亿億]+/u.exec(text.slice(start, start + 16));
  if (han) {
    const value = chineseNumber(han[0]);
    if (value === undefined || (han[0].length === 1 && /[一千万百]/u.test(han[0]))) return undefined;
    return finish(text, start, { value, kind: 'cardinal', word: true, end: start + han[0].length });
  }
  const head = /^\p{L}+/u.exec(text.slice(start, start + 24));
  if (!head || !numberHead.test(head[0].toLowerCase())) return undefined;
  const words: string[] = [];
  const ends: number[] = [];
  const form = /(\p{L}+)([ \u00a0-]?)/uy;
  form.lastIndex = start;
  for (let hit = form.exec(text); hit !== null && words.length < 12; hit = form.exec(text)) {
    words.push((hit[1] as string).toLowerCase());
    ends.push(hit.index + (hit[1] as string).length);
    if (hit[2] === '') break;
  }
  const read = readNumberWords(words);
  if (!read) return undefined;
  if (/^an?$/u.test(words[0] as string) && /^(?:hundreds|thousands)$/u.test(words[1] ?? '')) return undefined;
  let end = ends[read.words - 1] as number;
  let value = read.value;
  if (german && words[read.words] === 'billion') value *= 1e12;
  if (read.kind === 'ordinal') {
    // "second" alone is more often a unit or an adverb than a rank we could check; it stays a word.
    return finish(text, start, { value, kind: 'ordinal', word: true, end });
  }
  if (read.kind === 'multiple')
    return finish(text, start, { value, kind: 'multiple', unit: unitOf('fold') as Unit, word: true, end });
  // "one in five"
  const chance = /^ (?:in|out of)(?: every)? (\p{L}+|\d+)(?!\p{L})/u.exec(text.slice(end, end + 24));
  if (chance && read.kind === 'cardinal' && value < 10) {
    const over = /\d/u.test(chance[1] as string)
      ? Number(chance[1])
      : readNumberWords([(chance[1] as string).toLowerCase()])?.value;
    if (
      over !== undefined &&
      over > value &&
      over <= 1000 &&
      over !== 0 &&
      readNumberWords([(chance[1] as string).toLowerCase()])?.kind !== 'ordinal'
    )
      return finish(text, start, { value: value / over, kind: 'fraction', word: true, end: end + chance[0].length });
  }
  let high: number | undefined;
  const joint =
    /^(?: to |-to-| bis )(\p{L}+|\d+)(?![\p{L}\d.,])/u.exec(text.slice(end, end + 20)) ??
    (/between $/iu.test(text.slice(Math.max(0, start - 8), start))
      ? /^ and (\p{L}+|\d+)(?![\p{L}\d.,])/u.exec(text.slice(end, end + 20))
      : null);
  if (joint && read.kind === 'cardinal') {
    const written = joint[1] as string;
    const upper = /\d/u.test(written)
      ? ({ kind: 'cardinal', value: Number(written) } as const)
      : readNumberWords([written.toLowerCase()]);
    if (upper?.kind === 'cardinal') {
      high = upper.value;
      end += joint[0].length;
    }
  }
  const measured = readUnit(text, end);
  const unit =
    measured && (measured.end - end > 2 || /[%$€£]/u.test(text.slice(end, measured.end))) ? measured.unit : undefined;
  if (unit && measured) end = measured.end;
  return finish(text, start, {
    value,
    kind: read.kind,
    word: true,
    end,
    ...(high === undefined ? {} : { high }),
    ...(unit ? { unit } : {}),
  });
}
