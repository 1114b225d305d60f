// Letters and the spaces between them, where a PDF says less than its page shows: accents printed apart, letters set apart, narrow spaces.
import { PDFDocument, PDFName } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { knownPrivate, lettersOfFont } from '../../src/pages/layout/pdf-letters.ts';
import { isParted, type Letter, type Setting, settingOf } from '../../src/pages/layout/pdf-spacing.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

/** One page with the given operators between BT and ET; F1 is Helvetica in WinAnsi, F2 the same under another name. */
async function textOf(operators: string, fontName = 'Helvetica', map?: string): Promise<string> {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 200]);
  const font = document.context.obj({
    Type: 'Font',
    Subtype: 'Type1',
    BaseFont: PDFName.of(fontName),
    Encoding: 'WinAnsiEncoding',
    ...(map !== undefined && { ToUnicode: document.context.register(document.context.stream(map)) }),
  });
  const stream = document.context.stream(Buffer.from(`BT /F1 10 Tf ${operators} ET`, 'latin1'));
  page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F1: document.context.register(font) } }));
  page.node.set(PDFName.of('Contents'), document.context.register(stream));
  const parsed = await parseFile({ name: 'a.pdf', bytes: await document.save() });
  expectWellFormed(parsed);
  return parsed.text;
}

const place = (x: number, y: number, text: string): string => `1 0 0 1 ${x} ${y} Tm (${text}) Tj `;

describe('accents printed apart from their letters', () => {
  // Widths of Helvetica at 10 points: f 2.78, u 5.56, A 6.67, dieresis 3.33.
  it('go over them, before or after the letter in the content, and over capitals', async () => {
    const text =
      place(20, 100, 'f\\374r ') + place(40, 100, 'm') + place(48.33, 100, 'ussen f') + place(49.44, 100, '\\250');
    expect(await textOf(text)).toBe('für müssen f');
    expect(await textOf(place(21.6, 102.2, '\\250') + place(20, 100, 'Anderung'))).toBe('Änderung');
  });

  it('stay what they are beside letters, and over what has none', async () => {
    expect(await textOf(place(20, 100, '`a\\264 is quoted'))).toBe('`a´ is quoted');
    expect(await textOf(place(20, 100, 'q') + place(20.8, 100, '\\250') + place(28, 100, 'end'))).toContain('¨');
  });
});

describe('spaces of a PDF', () => {
  it('stand where words are parted by a narrow gap alone', async () => {
    // "Sleep" is 24.46 wide: a gap of 0.2 sizes, for which PDFium has no space.
    expect(await textOf(place(20, 100, 'SLEEP') + place(56.1, 100, 'ENVIRONMENT'))).toBe('SLEEP ENVIRONMENT');
  });

  it('do not stand between letters that are set apart', async () => {
    // Set 1.7 points apart, as recognised text is that is fitted to a scan; "h" is an object of its own.
    const text = `1.7 Tc ${place(20, 100, 'Nort')}${place(45.69, 100, 'h ')}${place(57, 100, 'Buon')}${place(87.2, 100, 'a')}`;
    expect(await textOf(text)).toBe('North Buona');
  });
});

const letter = (text: string, left: number, width: number, more: Partial<Letter> = {}): Letter => ({
  text,
  box: { left, right: left + width, top: 0, bottom: 10 },
  style: { size: 10, turn: 0, isFixedPitch: false },
  parting: 'none',
  ...more,
});

const even: Setting = { tracking: 0, isEven: true, pitch: 0 };
const fixed = { size: 10, turn: 0, isFixedPitch: true };

describe('the gap between two letters', () => {
  it('parts words from 0.13 sizes on, thousands and indices from 0.24', () => {
    const gapParts = (gap: number, a: string, b: string, size = 10): boolean =>
      isParted(letter(a, 0, 5), letter(b, 5 + gap, 5, { style: { size, turn: 0, isFixedPitch: false } }), even);
    expect([1.2, 1.4].map((gap) => gapParts(gap, 'a', 'b'))).toEqual([false, true]);
    expect([1.7, 2.5].map((gap) => gapParts(gap, '1', '0'))).toEqual([false, true]);
    expect([1.7, 2.5].map((gap) => gapParts(gap, 'O', '2', 7))).toEqual([false, true]);
  });

  it('is measured against the gaps of its line', () => {
    const setting = settingOf([0, 7, 14, 21].map((left) => letter('a', left, 5)));
    expect(setting.tracking).toBeCloseTo(0.2);
    expect(isParted(letter('a', 0, 5), letter('b', 7, 5, { parting: 'guessed' }), setting)).toBe(false);
    expect(isParted(letter('a', 0, 5), letter('b', 8, 5, { parting: 'guessed' }), setting)).toBe(true);
    // A hat that is printed over its letter.
    const formula = settingOf([letter('t', 0, 4.5), letter('o', 4.5, 5), letter('ˆ', 5, 11)]);
    expect(isParted(letter('t', 0, 4.5), letter('o', 4.5, 5), formula)).toBe(false);
    const uneven = settingOf([0, 3, 9, 16, 18].map((left) => letter('a', left, 5)));
    expect(isParted(letter('a', 0, 5), letter('b', 9, 5), uneven)).toBe(false);
  });

  it('is read from right to left as well, and not at all in Arabic, whose letters overhang', () => {
    expect(isParted(letter('ש', 20, 5), letter('ק', 13, 5), even)).toBe(true);
    expect(isParted(letter('ש', 20, 5), letter('ק', 15, 5), even)).toBe(false);
    expect(isParted(letter('ش', 20, 5), letter('ق', 13, 5), even)).toBe(false);
  });

  it('says nothing against a space that the file writes or the font shows, in scripts without spaces, from line to line', () => {
    expect(isParted(letter('a', 0, 5), letter('b', 5, 5, { parting: 'written' }), even)).toBe(true);
    // The "f" of an italic overhangs.
    expect(isParted(letter('f', 0, 6.8), letter('K', 7, 5, { parting: 'guessed' }), even)).toBe(true);
    expect(isParted(letter('u', 0, 5), letter('t', 5.1, 5, { parting: 'doubtful' }), even)).toBe(false);
    expect(isParted(letter('、', 0, 5), letter('日', 10, 5), even)).toBe(false);
    const below = { ...letter('b', 5, 5, { parting: 'guessed' }), box: { left: 5, right: 10, top: 12, bottom: 22 } };
    expect(isParted(letter('a', 0, 5), below, even)).toBe(true);
  });

  it('is none between characters of a typewriter whose font gives them no width', () => {
    const typed = ['l', 'i', 's', 't', 's'].map((text, at) =>
      letter(text, at * 5.1, 3.5, { style: fixed, ...(at > 0 && { parting: 'guessed' as const }) }),
    );
    const next = letter('o', 5 * 5.1 + 5.1, 4, { style: fixed, parting: 'guessed' });
    const setting = settingOf([...typed, next]);
    expect(setting.pitch).toBeCloseTo(0.51);
    expect(isParted(typed[1] as Letter, typed[2] as Letter, setting)).toBe(false);
    expect(isParted(typed[4] as Letter, next, setting)).toBe(true);
    // Figures in columns, with a space between.
    const apart = [0, 10.2, 20.4, 30.6, 40.8, 51].map((left) =>
      letter('1', left, 5, { style: fixed, parting: 'guessed' }),
    );
    expect(isParted(apart[1] as Letter, apart[2] as Letter, settingOf(apart))).toBe(true);
    // Words of recognised text, of which each has a width of its own.
    const words = [0, 4, 8, 13.5, 17, 21].map((left, at) =>
      letter('a', left, 4, { style: fixed, ...(at === 3 && { parting: 'guessed' as const }) }),
    );
    expect(isParted(words[2] as Letter, words[3] as Letter, settingOf(words))).toBe(true);
  });
});

describe('letters under other code points', () => {
  it('are those that are seen: figures of old style, small capitals, pieces of brackets, marks of lists', () => {
    expect([0xf732, 0xf761, 0xf8eb, 0xf8fe, 0xf0b7].map(knownPrivate)).toEqual(['2', 'A', '⎛', '⎭', '•']);
    expect([0xe000, 0x41, 0xf900].map(knownPrivate)).toEqual([undefined, undefined, undefined]);
  });

  it('are signs in the fonts of TeX that have no letters, and letters in all others', async () => {
    expect(['X', 'P', 'Z', 'b', '0'].map((code) => lettersOfFont('ABCDEF+CMEX10')?.get(code))).toEqual([
      '∑',
      '∑',
      '∫',
      'ˆ',
      '⎛',
    ]);
    expect(['h', 'y', '0', 'A'].map((code) => lettersOfFont('CMSY7')?.get(code))).toEqual(['⟨', '†', '′', undefined]);
    expect(['CMR10', 'Helvetica', 'CMMI10'].map(lettersOfFont)).toEqual([undefined, undefined, undefined]);
    expect(await textOf(place(20, 100, 'hxi'), 'CMSY10')).toBe('⟨§⟩');
  });
});

describe('a page whose few letters have no meaning', () => {
  it('is recognised, however short it is', { timeout: 60_000 }, async () => {
    const codes = Array.from({ length: 95 }, (_, at) => (at + 32).toString(16));
    const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange 95 beginbfchar ${codes
      .map((code) => `<${code}> <FFFD>`)
      .join(' ')} endbfchar endcmap`;
    expect(await textOf(place(20, 100, 'Signs and symptoms'), 'Helvetica', map)).toBe('Signs and symptoms');
  });
});

describe('Cyrillic in the places of windows-1251', () => {
  const octal = (text: string): string =>
    [...text]
      .map((letter) => (letter === ' ' ? ' ' : `\\${(letter.charCodeAt(0) - 0x410 + 0xc0).toString(8)}`))
      .join('');
  const lines = ['Верстка текста и набор математических формул', 'Предметный указатель и оглавление в книге'];

  it('comes out as Cyrillic, and Latin words beside it stay', async () => {
    const [first = '', second = ''] = lines;
    const text = `${place(20, 150, `LaTeX ${octal(first)}`)}${place(20, 130, octal(second))}`;
    expect((await textOf(text)).replace(/\s+/gu, ' ')).toBe(`LaTeX ${lines.join(' ')}`);
  });

  it('leaves the sign of multiplication beside figures', async () => {
    const [first = '', second = ''] = lines;
    const text = `${place(20, 150, octal(first))}${place(20, 130, octal(second))}${place(20, 110, '3 \\327 4, \\(2\\3275\\)')}`;
    expect((await textOf(text)).replace(/\s+/gu, ' ')).toBe(`${lines.join(' ')} 3 × 4, (2×5)`);
  });

  it('has the letters of Ukrainian where TeX has them', async () => {
    const [first = '', second = ''] = lines;
    // "український інститут", with T2A's "ї" and the Latin "i".
    const words = `${octal('укра')}\\250${octal('нський')} i${octal('нститут')}`;
    const text = `${place(20, 150, octal(first))}${place(20, 130, octal(second))}${place(20, 110, words)}`;
    expect((await textOf(text)).replace(/\s+/gu, ' ')).toBe(`${lines.join(' ')} український інститут`);
  });

  it('is not seen in Western words, however many accents they have', async () => {
    const words = 'déjà créée été Ärger öööh naïveté forêt hôpital';
    const coded = [...words]
      .map((letter) => (letter > '~' ? `\\${letter.charCodeAt(0).toString(8)}` : letter))
      .join('');
    expect(await textOf(place(20, 150, coded))).toBe(words);
  });
});
