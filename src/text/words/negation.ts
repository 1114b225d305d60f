// Words that deny: not, no, never, without, "fails to", neither, rarely … in English and German, and the negating
// characters of Chinese. A cue and how far it reaches; `polarityOf` counts them for callers that need no scopes.

export type NegationReach = 'clause' | 'phrase';

const clauseCues = new Set(
  "not no never nor neither none nobody nothing nowhere cannot hardly scarcely barely rarely seldom unlikely false untrue incorrect incorrectly wrong wrongly falsely myth mistaken mistakenly impossible non kein keine keinen keiner keinem keines nicht nie niemals nirgends niemand nichts weder noch falsch unwahr لا لم لن ليس ليست غير n't".split(
    ' ',
  ),
);
const phraseCues = new Set('without excluding except unlike minus sans ohne außer statt anstatt بدون'.split(' '));
/** Verbs and nouns that deny what they govern when the word after them is one of those given. */
const governors: readonly (readonly [RegExp, RegExp])[] = [
  [/^fail(?:s|ed|ing|ure|ures)?$/u, /^to$/u],
  [
    /^(?:unable|inability|refus(?:e|es|ed|ing|al)|declin(?:e|es|ed|ing)|neglect(?:s|ed|ing)?|ceas(?:e|es|ed|ing)|unwilling|reluctant)$/u,
    /^to$/u,
  ],
  [
    /^(?:lack(?:s|ed|ing)?|absence|den(?:y|ies|ied|ying|ial)|disprov(?:e|es|ed|en|ing)|refut(?:e|es|ed|ing)|rul(?:e|es|ed|ing)|avoid(?:s|ed|ing)?|rejects?|rejected|rejecting|debunk(?:s|ed)?|disput(?:e|es|ed))$/u,
    /./u,
  ],
  [
    /^(?:prevent(?:s|ed|ing)?|stop(?:s|ped|ping)?|prohibit(?:s|ed|ing)?|discourag(?:e|es|ed)|ban(?:s|ned)?|kept|keeps)$/u,
    /^from$/u,
  ],
];

/** How far a negation at `words[at]` reaches, or undefined if the word does not negate here. Words are in lower case. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function negationAt(words: readonly string[], at: number): NegationReach | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  const next = words[at + 1] ?? '';
  if (phraseCues.has(word)) return 'phrase';
  if ((word === 'rather' || word === 'other') && next === 'than') return 'phrase';
  if (word === 'instead' && next === 'of') return 'phrase';
  if (word === 'opposed' && next === 'to') return 'phrase';
  if (clauseCues.has(word)) {
    if (word === 'not' && (next === 'only' || next === 'just' || next === 'merely')) return undefined;
    if (word === 'nicht' && next === 'nur') return undefined;
    if (word === 'no' && (next === 'doubt' || next === 'matter')) return undefined;
    return 'clause';
  }
  for (const [head, follower] of governors)
    if (head.test(word) && follower.test(next))
      return word.startsWith('rul') ? (next === 'out' ? 'clause' : undefined) : 'clause';
  if (/^un(?:able|likely)$/u.test(word)) return 'clause';
  return undefined;
}

/** Characters that negate in Chinese and Japanese. */
export const negatingCharacters: ReadonlySet<string> = new Set([...'不没沒未无無非否勿莫毋ぬ']);

/** `negative` if an odd number of negations stands in `text`. No scopes: use it on short spans such as one clause. */
export function polarityOf(text: string): {
  readonly polarity: 'affirmative' | 'negative';
  readonly cues: readonly string[];
} {
  const words =
    text
      .toLowerCase()
      .replace(/[’']/gu, "'")
      .replace(/can't|cannot/gu, 'can not')
      .replace(/won't/gu, 'will not')
      .replace(/n't/gu, ' not')
      .match(/[\p{L}]+/gu) ?? [];
  const cues = words.filter((_, at) => negationAt(words, at) !== undefined);
  for (const char of text) if (negatingCharacters.has(char)) cues.push(char);
  return { polarity: cues.length % 2 === 0 ? 'affirmative' : 'negative', cues };
}
