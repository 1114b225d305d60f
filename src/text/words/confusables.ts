// Look-alike characters (after UTS #39): a word that reads like another but is spelt with letters of another script, with
// styled or full-width forms or with hidden characters. `skeletonOf` makes look-alikes equal; `hiddenCharacters` finds what
// cannot be seen.

/** A character each of the first string reads like the one at its place in the second. */
const lookAlikes = [
  // Cyrillic
  ['авсԁеёһіїјкӏмнорԛгѕтуѵԝхзбьпѡ', 'abcdeehiijklmhopqrstyvwx36bnw'],
  // Greek
  ['αβγεηικμνορστυχωζϲϳ', 'abyenikuvopotuxwzcj'],
  // Armenian, Hebrew, others
  [
    'ոսօհյցզաᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıȷɑɡɩʋɯǀꓲꓳꓮꓑðøłđħƒŧɫɓƅɛɔʃƨ¡|¢',
    'nuohjgqwabcdeghijklmnoprstuvwyzijagivwlloapdoldhftlbbeossilc',
  ],
  // digits that read as letters
  ['01i', 'oll'],
] as const;
const pairs: Readonly<Record<string, string>> = Object.fromEntries(
  lookAlikes.flatMap(([looks, reads]) => [...looks].map((character, at) => [character, reads.charAt(at)])),
);

/** What a reader takes the word for: case, accents, script and style folded away. Two look-alikes have equal skeletons. */
export function skeletonOf(word: string): string {
  let out = '';
  for (const char of word.normalize('NFKD').toLowerCase()) {
    if (/\p{M}|\p{Cf}/u.test(char)) continue;
    const plain = pairs[char] ?? char;
    out += pairs[plain] ?? plain;
  }
  return out.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

const hidden =
  /\u034F|[\uFE00-\uFE0E]|[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\u3164\uFEFF\uFFA0]|[\u{E0000}-\u{E007F}]/gu;
const joiners = /[\u200C\u200D]/u;

/** Characters that print nothing (zero-width, bidirectional controls, soft hyphens). Joiners inside Arabic or Indic words are writing, not hiding. */
export function hiddenCharacters(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(hidden)) {
    if (
      joiners.test(match[0]) &&
      /[\p{sc=Arabic}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Malayalam}\p{sc=Sinhala}\p{Extended_Pictographic}]/u.test(
        text.slice(Math.max(0, match.index - 2), match.index),
      )
    )
      continue;
    found.push(match[0]);
  }
  return found;
}

const styled =
  /[\u{1D400}-\u{1D7FF}\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\u2460-\u24FF\u2100-\u2138\u2145-\u2149\u{1F100}-\u{1F1AD}\u1D00-\u1D2B\u1D2C-\u1D6A]/u;
const ordinary = /[℃℉№™℠℗Ω℡]/u;

/** True if the word holds styled letters or digits (mathematical, full-width, circled …) that plain text does not use. */
export function isStyled(word: string): boolean {
  for (const char of word) if (styled.test(char) && !ordinary.test(char)) return true;
  return false;
}

/** Scripts of a word's letters that can be confused with each other. */
export function confusableScripts(word: string): string[] {
  const scripts: string[] = [];
  if (/\p{Script=Latin}/u.test(word)) scripts.push('Latin');
  if (/\p{Script=Cyrillic}/u.test(word)) scripts.push('Cyrillic');
  if (/\p{Script=Greek}/u.test(word.replace(/[µμ]/gu, ''))) scripts.push('Greek');
  if (/\p{Script=Armenian}/u.test(word)) scripts.push('Armenian');
  if (/\p{Script=Cherokee}|\p{Script=Lisu}/u.test(word)) scripts.push('other');
  return scripts;
}
