// Copies of a text as people and programs make them: a frame around it, another case, other line ends, small edits, all of that at once.
// Everything is drawn from a generator, so that a result can be made again.

export type Random = () => number;

/** A small seeded generator (Tommy Ettinger's mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

const frameLines = [
  'Home | Products | Downloads | Support | Contact | Login',
  'Skip to main content. Menu. Search this site.',
  'We use cookies to make this site work and to understand how it is used. Accept all. Only necessary ones. Settings.',
  'Share this page on your favourite network or send it to a friend by mail.',
  'Related: what others read next, the most popular pages of this week, our newsletter.',
  'Subscribe to our newsletter and never miss an update. You can unsubscribe at any time.',
  'All rights reserved. Terms of use. Privacy. Imprint. Accessibility. Site map.',
  'This message and any attachment are confidential and meant for the addressee only. If you got it by mistake, delete it.',
  'Printed from the intranet of the documentation department. Do not distribute without permission.',
  'Downloaded by a registered user. For personal use only. No other uses without permission.',
];

/** Up to three lines before and after. */
export function withFrame(text: string, random: Random): string {
  const lines = (): string =>
    Array.from({ length: 1 + below(random, 2) }, () => frameLines[below(random, frameLines.length)] ?? '').join('\n');
  return `${lines()}\n\n${text}\n\n${lines()}\n`;
}

export function withOtherCase(text: string, random: Random): string {
  const kind = below(random, 3);
  if (kind === 0) return text.toUpperCase();
  if (kind === 1) return text.toLowerCase();
  return text.replace(/\p{L}+/gu, (word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`);
}

/** Lines of 40 to 100 characters; in half of the copies words are cut at their ends. */
export function wrapped(text: string, random: Random): string {
  const width = 40 + below(random, 61);
  const cuts = random() < 0.5;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/u)) {
    if (line !== '' && line.length + word.length >= width) {
      if (cuts && /^[a-z]{8,}$/.test(word) && line.length + 5 < width) {
        const at = 3 + below(random, word.length - 6);
        lines.push(`${line} ${word.slice(0, at)}-`);
        line = word.slice(at);
        continue;
      }
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** One to five words in a hundred are replaced, left out or doubled by another. */
export function withEdits(text: string, random: Random): string {
  const words = text.split(/(\s+)/u);
  const places = words.flatMap((word, index) => (/[\p{L}\p{N}]/u.test(word) ? [index] : []));
  const share = 0.01 + random() * 0.04;
  for (let edits = Math.floor(places.length * share); edits > 0; edits--) {
    const at = places.splice(below(random, places.length), 1)[0] ?? 0;
    const kind = below(random, 3);
    const other = `x${below(random, 1_000_000).toString(36)}`;
    words[at] = kind === 0 ? other : kind === 1 ? '' : `${words[at]} ${other}`;
  }
  return words.join('');
}

export const mutations: Readonly<Record<string, (text: string, random: Random) => string>> = {
  'frame added': withFrame,
  'other case': withOtherCase,
  'wrapped anew': wrapped,
  'edits, up to 5 % of the words': withEdits,
  'frame, edits and lines': (text, random) => withFrame(wrapped(withEdits(text, random), random), random),
};
