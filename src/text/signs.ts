// The signs that a question shows: its words, pairs of words and runs of letters, without case and accents, and the shapes of what is written
// as in code. Fitted models weigh them: the router of searches and what memory keeps. Pure.

/** Begins the name of a run of letters, which no word does. */
const runMark = '~';
/** Stand beside the first word and the last one. */
const [start, end] = ['^', '$'];

/** What is written as in code, told by its shape and not by its letters. */
const shapes: readonly (readonly [sign: string, pattern: RegExp])[] = [
  ['<humps', /\b[a-z][a-z0-9]*[A-Z]|\b[A-Z][a-z0-9]+[A-Z]/u],
  ['<under_score', /\b[A-Za-z]\w*_\w/u],
  ['<call', /\w\(\)/u],
  ['<path', /(?<![\w-])[\w-]+\/\w|(?<![\w-])[\w-]+\.(?:ts|js|py|java|go|rs|rb|cpp|cc|hpp|cs|kt|php|swift)\b/u],
  ['<flag', /(?<![\w-])--?[a-z][\w-]/u],
  ['<error', /\b\w+(?:Error|Exception)\b|\bE[A-Z]{5}/u],
  ['<number', /\d/u],
];
const unspacedScripts = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]`;
/** Scripts without spaces stand for themselves: "用python排序" holds a word and two runs. */
const wordsAndRuns = new RegExp(String.raw`${unspacedScripts}+|(?:(?!${unspacedScripts})[\p{L}\p{N}+#])+`, 'gu');
const unspaced = new RegExp(`^${unspacedScripts}`, 'u');
const mostLetters = 1_000;
/** Runs tell as much as words, but there are more of them. */
const runShare = 2;

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();

function addRuns(runs: Set<string>, text: string, lengths: readonly number[]): void {
  for (const length of lengths)
    for (let at = 0; at + length <= text.length; at += 1) runs.add(runMark + text.slice(at, at + length));
}

/** A word, or two in a row: what can be shown to people as a reason. */
export const isSaid = (sign: string): boolean => /^[\p{L}\p{N}+# ]+$/u.test(sign);

/** What each sign counts: a long question has many, and each of them says less. */
export function signsOf(question: string): ReadonlyMap<string, number> {
  const text = question.slice(0, mostLetters);
  const pieces = plain(text).match(wordsAndRuns) ?? [];
  const words = pieces.filter((piece) => !unspaced.test(piece));
  const edged = [start, ...words, end];
  const said = new Set([
    ...shapes.flatMap(([sign, pattern]) => (pattern.test(text) ? [sign] : [])),
    ...words,
    ...edged.slice(1).map((word, at) => `${edged[at]} ${word}`),
  ]);
  const runs = new Set<string>();
  for (const piece of pieces) addRuns(runs, ` ${piece} `, unspaced.test(piece) ? [1, 2, 3] : [3, 4]);
  const signs = new Map<string, number>();
  for (const sign of said) signs.set(sign, 1 / Math.sqrt(said.size));
  for (const sign of runs) signs.set(sign, runShare / Math.sqrt(runs.size));
  return signs;
}

/** Fitted weights of the signs of a text: `3:120 4:-40` says how much a sign adds to the third and the fourth label, in steps of the model's own. */
export function* fittedWeights(signs: Readonly<Record<string, string>>, text: string) {
  for (const [sign, value] of signsOf(text))
    for (const one of Object.hasOwn(signs, sign) ? (signs[sign] ?? '').split(' ') : []) {
      const [label = 0, weight = 0] = one.split(':').map(Number);
      yield { sign, value, label, weight };
    }
}
