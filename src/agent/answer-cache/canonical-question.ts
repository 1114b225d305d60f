// What two questions must have in common to have one answer, as a text: the same words in the same order, but for what nothing depends on
// (courtesies, contractions, the place of an auxiliary, "how tall is" for "what is the height of"). Invariant: every name, number, negation,
// tense and comparison of the question stands in it, and in its order. English; other languages are compared word by word. Pure, linear.

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\b(what|who|where|when|how|why|that|there|it|he|she)['’]s\b/giu, '$1 is'],
  [/\b(can)['’]t\b/giu, '$1 not'],
  [/\bwon['’]t\b/giu, 'will not'],
  [/\b(is|are|was|were|do|does|did|has|have|had|could|would|should)n['’]t\b/giu, '$1 not'],
  [/(?<=\p{L})['’]re\b/giu, ' are'],
  [/(?<=\p{L})['’]ve\b/giu, ' have'],
];

/** Said before a question, and nothing of it. */
const courtesies = [
  'please',
  'hi',
  'hello',
  'so',
  'can you tell me',
  'could you tell me',
  'could you please tell me',
  'can you please tell me',
  'would you tell me',
  'please tell me',
  'tell me',
  'do you know',
  'i would like to know',
  'i want to know',
  'i wonder',
  'according to the documents',
  'in the documents',
].map((words) => words.split(' '));
const closings = ['please', 'thanks', 'thank you'].map((words) => words.split(' '));

/** Stand elsewhere in "when X was built" than in "when was X built"; which of them there are counts, their place does not. */
const auxiliaries = new Set('is are was were do does did has have had'.split(' '));
const measures: Readonly<Record<string, string>> = {
  tall: 'height',
  high: 'height',
  long: 'length',
  wide: 'width',
  deep: 'depth',
  old: 'age',
  heavy: 'weight',
};
const numbers = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value) => [word, String(value)] as const),
);
const questionWords = new Set('who whom whose what which when where why how'.split(' '));

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:[.,:'’/-][\p{L}\p{M}\p{N}]+)*|[%$€£¥°#+=<>≤≥&*/^-]/gu;

interface Word {
  readonly text: string;
  readonly written: string;
}

function wordsOf(question: string): readonly Word[] {
  let plain = question.normalize('NFKC');
  for (const [from, to] of contractions) plain = plain.replace(from, to);
  return Array.from(plain.matchAll(wordPattern), ([written]) => ({ written, text: toText(written) }));
}

/** Abbreviations in capitals are other words than small ones: "US" and "us", "IT" and "it". */
function toText(written: string): string {
  const ungrouped = /^\p{Nd}{1,3}(?:,\p{Nd}{3})+(?:\.\p{Nd}+)?$/u.test(written) ? written.replaceAll(',', '') : written;
  if (ungrouped.length > 1 && ungrouped === ungrouped.toUpperCase() && ungrouped !== ungrouped.toLowerCase())
    return ungrouped;
  const lower = ungrouped.toLowerCase();
  return numbers.get(lower) ?? lower;
}

const startsWith = (words: readonly Word[], phrase: readonly string[]): boolean =>
  phrase.every((word, at) => words[at]?.text === word);
const endsWith = (words: readonly Word[], phrase: readonly string[]): boolean =>
  words.length > phrase.length && startsWith(words.slice(words.length - phrase.length), phrase);

function withoutCourtesies(given: readonly Word[]): readonly Word[] {
  let words = given;
  for (let isChanged = true; isChanged; ) {
    const before = courtesies.find((phrase) => words.length > phrase.length && startsWith(words, phrase));
    const behind = closings.find((phrase) => endsWith(words, phrase));
    words = words.slice(before?.length ?? 0, behind ? words.length - behind.length : undefined);
    isChanged = before !== undefined || behind !== undefined;
  }
  return words;
}

/** "How tall is X" asks for the height of X. "How long is the film" and "how old is he" stay among themselves as well. */
function measured(words: readonly string[]): readonly string[] {
  const [how, quality = '', verb = ''] = words;
  const measure = Object.hasOwn(measures, quality) ? measures[quality] : undefined;
  if (how !== 'how' || measure === undefined || !/^(?:is|are|was|were)$/u.test(verb)) return words;
  return ['what', verb, 'the', measure, 'of', ...words.slice(3)];
}

/** "X's height" is the height of X. */
function withoutPossessives(words: readonly Word[]): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const { written, text } = words[at] as Word;
    const next = words[at + 1];
    const owner = /^(.+)['’]s$/u.exec(text)?.[1];
    if (owner === undefined || next === undefined || /^\p{Lu}/u.test(next.written)) {
      texts.push(text);
      continue;
    }
    // The words of the owner's name before its last one.
    let from = texts.length;
    for (
      let back = at - 1;
      /^\p{Lu}/u.test(written) && back > 0 && /^\p{Lu}/u.test(words[back]?.written ?? '');
      back -= 1
    )
      from -= 1;
    const name = texts.splice(from);
    const article = texts.at(-1) === 'the' ? [texts.pop() as string] : [];
    texts.push('the', next.text, 'of', ...article, ...name, owner);
    at += 1;
  }
  return texts;
}

/** The same text for questions that have the same answer. Empty where the question says nothing. */
export function canonicalQuestion(question: string): string {
  const words = measured(withoutPossessives(withoutCourtesies(wordsOf(question))));
  const joined = words
    .join(' ')
    .replace(/^(?:in|during) (?:which|what) year /u, 'when ')
    .replace(/^(?:which|what) year /u, 'when ')
    .split(' ');
  const order: string[] = [];
  const verbs: string[] = [];
  for (const [at, word] of joined.entries()) {
    if (word === 'whom') order.push('who');
    else if (word === 'which' && at === 0) order.push('what');
    else if (auxiliaries.has(word) && (at < 2 || questionWords.has(joined[0] ?? ''))) verbs.push(word);
    else if (word !== '') order.push(word);
  }
  return order.length === 0 ? '' : `${order.join(' ')} | ${verbs.sort().join(' ')}`;
}
