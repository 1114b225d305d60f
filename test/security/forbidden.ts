// What must never come out, and how it is looked for: every planted secret begins with one stem, and a sink is read as it stands and as a
// reader could decode it. Invariant: a hit is never an accident — the stem stands in no text that a caller may read.

/** Letters and digits only, so that taking separators away does not hide it. */
const stem = 'zqk7forbiddn';
/** Of keys that providers are given: they know them, everybody else does not. */
const keyStem = 'wvx9ownkeyof';

const plain = (name: string): string => name.replace(/[^a-z\d]/giu, '');
export const plant = (name: string): string => `${stem}${plain(name)}`;
export const plantKey = (name: string): string => `sk-${keyStem}${plain(name)}`;

const rot13 = (text: string): string =>
  text.replace(/[a-z]/giu, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

/** Base64 of a text that stands at any of the three places it can have in a longer one. */
export function base64Forms(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'-'.repeat(shift)}${text}`).toString('base64');
    // The first and the last group depend on what stands around.
    return whole.slice(shift === 0 ? 0 : 4, Math.floor((shift + text.length) / 3) * 4).replace(/=+$/u, '');
  });
}

/** How a text may be written so that it is still carried out. */
export function formsOf(text: string): string[] {
  return [
    text,
    [...text].toReversed().join(''),
    rot13(text),
    Buffer.from(text).toString('hex'),
    ...base64Forms(text),
    ...base64Forms([...text].toReversed().join('')),
  ];
}

/** Letters of other scripts that pass for Latin ones. */
const lookAlikes: Readonly<Record<string, string>> = { а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', х: 'x', і: 'i', к: 'k' };

/** The readings of a sink: as it is, percent-decoded, and with everything but letters and digits taken away. */
export function readingsOf(sink: string): string[] {
  const decoded = sink.includes('%')
    ? sink.replace(/%[\da-f]{2}/giu, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    : sink;
  const bare = decoded
    .replace(/\\u\{?([\da-f]{4,5})\}?/giu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d{2,6});/gu, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    // Tag characters are ASCII that no one sees.
    .replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) as number) - 0xe0000))
    .normalize('NFKC')
    .replace(/[асеорхік]/giu, (letter) => lookAlikes[letter.toLowerCase()] ?? letter);
  return [...new Set([sink, decoded, bare.replace(/[^\p{L}\p{N}]+/gu, '')])];
}

const withCase = (text: string): string[] => [...new Set(formsOf(text).flatMap((form) => [form, form.toLowerCase()]))];
const stemForms = { planted: withCase(stem), keys: withCase(keyStem) } as const;

/** Where a planted secret stands in a sink in any form; undefined where none does. */
export function findForbidden(
  sink: string,
  kinds: readonly (keyof typeof stemForms)[] = ['planted', 'keys'],
): string | undefined {
  for (const reading of readingsOf(sink)) {
    const lower = reading.toLowerCase();
    for (const form of kinds.flatMap((kind) => stemForms[kind])) {
      const at = form === form.toLowerCase() ? lower.indexOf(form) : reading.indexOf(form);
      if (at >= 0) return reading.slice(Math.max(0, at - 40), at + 80);
    }
  }
  return undefined;
}
