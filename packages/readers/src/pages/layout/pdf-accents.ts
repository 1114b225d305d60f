// Puts accents over their letters where a PDF prints them apart, before, after or far from the letter in its content (TeX's OT1, dvips,
// Distiller): the "¨" over the "u" of "für". Only an accent that stands over a letter with which Unicode has it as one is taken.
import type { OpenPdf } from '../../engines/pdf-module.ts';

interface AccentCalls {
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  FPDFText_GetFontSize(text: number, index: number): number;
  FPDFText_GetCharIndexAtPos(text: number, x: number, y: number, xTolerance: number, yTolerance: number): number;
}

/** Accents as characters of their own, and their combining forms. */
const accents = new Map(
  Object.entries({
    '´': '\u0301',
    '`': '\u0300',
    '¨': '\u0308',
    ˆ: '\u0302',
    '˜': '\u0303',
    ˇ: '\u030c',
    '˝': '\u030b',
    '˚': '\u030a',
    '¯': '\u0304',
    '˘': '\u0306',
    '˙': '\u0307',
    '¸': '\u0327',
    '˛': '\u0328',
  }).map(([accent, combining]) => [accent.charCodeAt(0), combining]),
);
const dotless = new Map(Object.entries({ ı: 'i', ȷ: 'j' }));
/** Each one costs a look at all letters of its page. */
const mostAccents = 1500;
/** Where letters are looked for: so far above the base line, in sizes of the type, every one has ink or is inside its box. */
const heightOfLook = 0.2;

export interface Accents {
  /** By index of a character: the letter with its accent. */
  readonly letters: ReadonlyMap<number, string>;
  /** Indexes of the accents: they are no characters of their own any more. */
  readonly taken: ReadonlySet<number>;
}

export function findAccents({ pdfium, memory }: OpenPdf, text: number, characters: number): Accents {
  const calls = pdfium.pdfium.wasmExports as unknown as AccentCalls;
  const letters = new Map<number, string>();
  const taken = new Set<number>();
  let scratch = 0;
  let looks = 0;
  for (let index = 0; index < characters && looks < mostAccents; index++) {
    const accent = accents.get(calls.FPDFText_GetUnicode(text, index));
    if (accent === undefined) continue;
    looks++;
    scratch ||= memory.allocate(48);
    const under = letterUnder({ calls, memory, text, scratch }, index);
    if (under < 0 || under === index || letters.has(under)) continue;
    const code = calls.FPDFText_GetUnicode(text, under);
    const letter = code > 0x20 ? String.fromCodePoint(code) : '';
    const whole = ((dotless.get(letter) ?? letter) + accent).normalize('NFC');
    if (whole.length !== 1 || !/^\p{L}$/u.test(letter)) continue;
    letters.set(under, whole);
    taken.add(index);
  }
  return { letters, taken };
}

interface Looking {
  readonly calls: AccentCalls;
  readonly memory: OpenPdf['memory'];
  readonly text: number;
  readonly scratch: number;
}

/** The character that stands where the middle of an accent meets the line, or a negative number. */
function letterUnder({ calls, memory, text, scratch }: Looking, index: number): number {
  if (calls.FPDFText_GetMatrix(text, index, scratch) === 0) return -1;
  const { left: a, top: b, right: c, bottom: d } = memory.rectangle(scratch);
  const along = Math.hypot(a, b);
  const across = Math.hypot(c, d);
  const size = calls.FPDFText_GetFontSize(text, index) * across;
  if (along === 0 || across === 0 || !(size > 0)) return -1;
  calls.FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24);
  calls.FPDFText_GetCharOrigin(text, index, scratch + 32, scratch + 40);
  const [left, right, bottom, top, x, y] = [0, 8, 16, 24, 32, 40].map((offset) => memory.double(scratch + offset)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const reach = (((left + right) / 2 - x) * a + ((bottom + top) / 2 - y) * b) / along;
  const rise = size * heightOfLook;
  const at = [x + (reach * a) / along + (rise * c) / across, y + (reach * b) / along + (rise * d) / across] as const;
  return calls.FPDFText_GetCharIndexAtPos(text, at[0], at[1], 0, 0);
}
