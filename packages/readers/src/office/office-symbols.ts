// What the letters of symbol fonts show: files keep a place in the font (`°` of Symbol is 0xB0, or U+F0B0), which is no character of any text. The table of Symbol is
// Adobe's; of Wingdings only what stands in documents for a word or a mark: bullets, arrows, boxes, ticks.

/** From 0x20 on, and from 0xA0 on; a space stands for what has no character. */
const symbolLow = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const symbolHigh = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

const wingdings: Readonly<Record<number, string>> = {
  40: '☎',
  42: '✉',
  70: '☞',
  74: '☺',
  76: '☹',
  108: '●',
  110: '■',
  111: '☐',
  113: '❑',
  114: '❒',
  117: '◆',
  118: '❖',
  159: '•',
  161: '○',
  167: '▪',
  168: '☐',
  216: '➢',
  223: '←',
  224: '→',
  225: '↑',
  226: '↓',
  232: '➔',
  239: '⇦',
  240: '⇨',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
};
const wingdings2: Readonly<Record<number, string>> = {
  79: '✗',
  80: '✓',
  81: '☒',
  82: '☑',
  83: '☒',
  84: '☒',
  151: '●',
  162: '■',
  163: '☐',
};

const isSymbol = (font: string): boolean => /^symbol\b/iu.test(font.trim());
const isWingdings = (font: string): boolean => /^(?:wingdings|webdings|zapf ?dingbats|marlett)/iu.test(font.trim());

/** Those of Wingdings 3, Webdings and the like stand at other places, and are none here. */
function pictogramsOf(font: string): Readonly<Record<number, string>> {
  if (/^\s*wingdings[\s-]*2/iu.test(font)) return wingdings2;
  return /^\s*wingdings(?![\s-]*3)/iu.test(font) ? wingdings : {};
}

/** Whether the letters of a font are none. */
export const isSymbolFont = (font: string): boolean => isSymbol(font) || isWingdings(font);

/**
 * What a character shows in a font. Places of the font (0x20 to 0xFF) are those of a symbol font only; U+F020 to U+F0FF are in any, and in an unknown one
 * only what they would be as letters is kept. '' for what is a picture.
 */
export function symbolText(font: string, code: number): string {
  const isPrivate = code >= 0xf020 && code <= 0xf0ff;
  const place = isPrivate ? code - 0xf000 : code;
  if (place === 0x20) return ' ';
  if (place > 0x20 && place <= 0xff) {
    if (isSymbol(font)) return (place < 0xa0 ? symbolLow[place - 0x20] : symbolHigh[place - 0xa0])?.trim() ?? '';
    if (isWingdings(font)) return pictogramsOf(font)[place] ?? '';
    // Bullets of lists whose font nobody names.
    if (isPrivate) return place === 0xb7 ? '•' : place === 0xa7 ? '▪' : place < 0x7f ? String.fromCharCode(place) : '';
  }
  return code >= 0xe000 && code <= 0xf8ff ? '' : String.fromCodePoint(Math.min(code, 0x10ffff));
}

/** A text in a symbol font, or one in which places of a font stand among letters. */
export function symbolsAsText(text: string, font: string): string {
  const places = isSymbolFont(font) ? /[\u0020-\u00ff\uf020-\uf0ff]/gu : /[\uf020-\uf0ff]/gu;
  return text.replace(places, (sign) => symbolText(font, sign.charCodeAt(0)));
}
