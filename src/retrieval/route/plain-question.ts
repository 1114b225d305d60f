// What a question says without the ways in which people say it: greetings, requests and thanks are taken off, short forms are written out, and
// slips of the keyboard in words that tell one kind of source from another are mended. Invariants: what is written as in code or as a name keeps its
// letters; a word that English has is never taken for a slip of another. Pure.
import { knownWord } from '../../text/words/lexicon.ts';

const i = (source: string): RegExp => new RegExp(source, 'giu');

/** Said to be polite, or to say that one asks: none of it is what is asked. */
const frames: readonly RegExp[] = [
  i(
    String.raw`^\s*(?:hi|hello|hey|dear [\p{L}]+|good (?:morning|afternoon|evening|day)|excuse me|sorry to bother you|sorry)\b(?: there| all| everyone| everybody| team| folks)?[\s,.!:-]*(?:but )?`,
  ),
  i(
    String.raw`\b(?:many thanks|thanks|thank you)\b(?: a lot| very much| so much| in advance)?(?: for [^.!?]{1,40})?[.!]{0,3}\s?$`,
  ),
  i(
    String.raw`\b(?:could|can|would|will|may|might|if) (?:you|someone|somebody|anyone|anybody|i)(?: could)?(?: please| kindly| perhaps| maybe)? (?:(?:be so kind|be kind enough) (?:and|as to|to) )?(?:tell me|ask(?: you)?|let me know|enlighten me|find out(?: for me)?)\b`,
  ),
  i(String.raw`\b(?:would|do) you mind (?:telling|letting) me(?: know)?\b`),
  i(
    String.raw`\bi(?: would|(?:'|’)d) (?:like|love|be (?:grateful|happy|glad)) (?:to know|to learn|if you could)\b|\bi(?: am|(?:'|’)m| was) (?:wondering|hoping|trying to (?:understand|find out|figure out))\b|\bi (?:want|need|have) to (?:know|find out)\b`,
  ),
  i(
    String.raw`\b(?:i |we )?(?:searched|looked)(?: [\p{L}]+){0,4} and (?:did not|didn(?:'|’)t|could not) find [\p{L}]+|\bi (?:did not|didn(?:'|’)t|do not|don(?:'|’)t)(?: quite| really| fully)? (?:understand|get|know)\b`,
  ),
  i(String.raw`\b(?:please|pls|plz|kindly|do you know|any chance (?:that )?)(?=[\s,.!?]|$)`),
];

/** As people write in a hurry. */
const shortForms: readonly (readonly [pattern: RegExp, full: string])[] = [
  [i(String.raw`\b(?:whats|what(?:'|’)s|wats|wat(?: is|(?:'|’)s)|wot is)\b`), 'what is'],
  [i(String.raw`\b(?:wheres|where(?:'|’)s)\b`), 'where is'],
  [i(String.raw`\b(?:whos|who(?:'|’)s)\b`), 'who is'],
  [i(String.raw`\b(?:hows|how(?:'|’)s)\b`), 'how is'],
  [i(String.raw`\bhow ?2\b`), 'how to'],
  [i(String.raw`\bw\/`), 'with '],
  [i(String.raw`\bdiffs? between\b`), 'difference between'],
  [i(String.raw`\bimpl\b`), 'implementation'],
  [i(String.raw`\b(?:func|fn)\b(?!\()`), 'function'],
  [i(String.raw`\b(?:js|ecmascript)\b(?!\.)`), 'javascript'],
  [i(String.raw`(?<![.\w])ts\b`), 'typescript'],
  [i(String.raw`(?<![.\w])py\b`), 'python'],
  [i(String.raw`\bvs\b\.?`), 'versus'],
  [i(String.raw`\bcant\b`), 'can’t'],
  [i(String.raw`\b(?:dont|doesnt|didnt|isnt|wont)\b`), 'does not'],
];

/** Words that tell, as they are spelled. */
const telling: readonly string[] = (
  'which where what when does file files function functions method class code source implementation implemented defined declared called cached cache string list module variable ' +
  'explain explained explanation difference between concept principle principles meaning definition theory algorithm pattern patterns injection dependency inheritance ' +
  'default defaults value values option options setting settings parameter parameters limit limits maximum minimum support supports supported format formats required configure ' +
  'configuration config version endpoint header headers permission permissions timeout syntax reference documentation command ' +
  'setup setting install installing installation deploy deployment migrate migration upgrade upgrading tutorial guide steps started restore backup publish connect process ' +
  'error errors crash crashes crashing fails failed failing fail build broken hangs stuck freezes warning message problem working doesn’t ' +
  'latest news current today yesterday weather price prices pricing competitors announcement release released search'
).split(' ');

const byFirst: ReadonlyMap<string, readonly string[]> = Map.groupBy(telling, (word) => word[0] as string);
const leastLetters = 4;
/** Shorter words differ in one letter from too many others. */
const leastReplaced = 6;

/** One letter too many, one missing, two the wrong way round, or in longer words another one: the first letter is right. */
function isSlipOf(typed: string, word: string): boolean {
  if (Math.abs(typed.length - word.length) > 1) return false;
  let from = 0;
  while (from < typed.length && typed[from] === word[from]) from += 1;
  const [left, right] = [typed.slice(from), word.slice(from)];
  if (left.length !== right.length) return left.slice(1) === right || left === right.slice(1);
  if (left.length === 0) return false;
  if (left[0] === right[1] && left[1] === right[0]) return left.slice(2) === right.slice(2);
  return word.length >= leastReplaced && left.slice(1) === right.slice(1);
}

const lowerWord = /(?<![\p{L}\p{N}_./@-])\p{Ll}{4,20}(?![\p{L}\p{N}_(/@-]|\.\p{L})/gu;

function mended(question: string): string {
  return question.replace(lowerWord, (typed) => {
    if (typed.length < leastLetters || telling.includes(typed)) return typed;
    const meant = byFirst.get(typed[0] as string)?.find((word) => word.length >= leastLetters && isSlipOf(typed, word));
    return meant === undefined || knownWord(typed) ? typed : meant;
  });
}

export function plainQuestion(question: string): string {
  let plain = question;
  for (const frame of frames) plain = plain.replace(frame, ' ');
  for (const [pattern, full] of shortForms) plain = plain.replace(pattern, full);
  plain = mended(plain)
    .replace(/\s+/gu, ' ')
    .replace(/^[\s,.!:;-]+/u, '')
    .trim()
    .replace(/(?<=[?.!])[\s,]{1,3}$/u, '');
  return plain === '' ? question : plain;
}
