// Several questions said in one breath: sentences, and clauses joined by "and". Invariant: a clause is cut off only where what stands before
// it asks something by itself, so that a relative clause stays with what it describes.
import { goneOn, isBareWord } from './elliptic.ts';
import { asks, auxiliary, opening, question, questionWord, withoutLead, withoutMark } from './phrases.ts';

/** Behind an initial or a short word with a full stop a name goes on. */
const sentenceEnd = /(?<=[?？؟])\s*(?=\S)|(?<=(?:[\p{Ll}\p{Nd})]{3}|\p{Nd})[.!])\s+(?=["“'(]?\p{Lu})/u;
const joint = new RegExp(
  String.raw`(?<comma>[,;:]|\s[-–—])?\s+(?:and|as well as|plus|but|then|und|sowie)(?:\s+(?:also|then|additionally|finally|second(?:ly)?|furthermore|if so|auch|dann))?,?\s+(?=${opening})|;\s*(?:(?:also|then|second(?:ly)?|finally|and|plus)\s+){0,2}(?=${opening})|,\s+(?:also\s+)?(?=${opening})`,
  'gu',
);
const relative = /^(?:which|who|whom|whose|where|when)$/iu;
/** "When was it" asks, "when it was" describes; so does "who made it", of what was named before. */
const inverted = new RegExp(
  `^(?:when|where) ${auxiliary}\\b|^(?:who|which \\p{Ll}+) \\p{Ll}+ (?:it|them|him|her)(?![\\p{L}])`,
  'iu',
);

/** The questions that a text asks, in order; one where it asks one. */
export function clausesOf(text: string): readonly string[] {
  const sentences = text.split(sentenceEnd).map((one) => one.trim());
  const asking = sentences.filter((one) => /[?？؟]$/u.test(one) || asks.test(withoutLead(one)));
  // What is only stated belongs to the one question behind it.
  if (asking.length < 2)
    return sentences.length > 1 ? [text.trim()] : goneOn((withPolar(text) ?? cut(text)).flatMap(shared));
  const clauses = asking.flatMap((sentence) => {
    const one = sentence.replace(/^(?:and|also|but|then|und)\b,?\s+/iu, '');
    return cut(one).flatMap(shared);
  });
  return goneOn(clauses);
}

/** "When and where was X born?": one predicate, asked twice. */
function shared(text: string): readonly string[] {
  // "How many" asks nothing that "by whom" before it could share.
  const measure = '(?:many|much|long|often|far|old|large|big|high|tall|fast|heavy|deep|wide|soon)';
  const words = String.raw`(?:${questionWord}(?:\s+${measure}(?=\s+${auxiliary}\b))?)(?!\s+${measure}\b)`;
  const found = new RegExp(
    String.raw`^(${words}(?:\s*,\s*${words})*,?\s+(?:and|or|und)\s+${words})\s+(.+)$`,
    'iu',
  ).exec(withoutMark(withoutLead(text)));
  const [, asked = '', rest = ''] = found ?? [];
  if (rest === '') return [text];
  // "Who and what" asks two things, "in what and where" as well; each goes on with the same words.
  return asked.split(/\s*,\s*(?:and\s+)?|\s+(?:and|or|und)\s+/iu).map((word) => question(`${word} ${rest}`));
}

function cut(text: string): readonly string[] {
  const whole = withoutLead(text);
  const parts: string[] = [];
  let from = 0;
  const isList = [...whole.matchAll(joint)].some(({ 0: said }) => /\p{L}/u.test(said));
  for (const match of whole.matchAll(joint)) {
    const before = whole.slice(from, match.index);
    const behind = whole.slice(match.index + match[0].length);
    const isBare = !/\p{L}/u.test(match[0]);
    if (!isClause(before) && !(parts.length > 0 && isBareWord(before))) continue;
    if (!isClause(behind, true)) continue;
    const [word = ''] = /^\p{L}+/u.exec(behind) ?? [];
    // ", who" and ", where" mostly describe what stands before them.
    if (isBare && !match[0].includes(';') && (!isList || (relative.test(word) && !inverted.test(behind)))) continue;
    if (match.groups?.['comma'] === undefined && relative.test(word) && describes(before, word)) continue;
    parts.push(before);
    from = match.index + match[0].length;
  }
  parts.push(whole.slice(from));
  return parts.length === 1 ? [text.trim()] : parts.map(question);
}

/** "What does a card cost, and are cards refunded?": behind a question with its verb in front, another verb in front asks whether. */
const polarBehind =
  /^(?<first>(?:how|when|where|why|what|until when|by when)(?: \p{L}[\p{L}-]*){0,3}? (?:is|are|was|were|do|does|did|can|may|must|has|have) (?:the|an?|my|our|their|\p{Ll}{3,20}|\p{Lu})[^?;]{3,200}), (?:and|but) (?<second>(?:is|are|was|were|do|does|did|can|may|must) (?!(?:it|they|the|this|that|there|an?|not|also|still|now|only|often|then|all|both|\p{Ll}+ly|\p{Ll}+ed)\b)\p{Ll}[\p{L}-]{2,30}(?: [\p{L}\p{N}'’-]{1,30}){1,14})\?$/iu;
function withPolar(text: string): readonly string[] | undefined {
  const { first, second } = polarBehind.exec(withoutLead(text))?.groups ?? {};
  return first === undefined || second === undefined || cut(text).length > 1
    ? undefined
    : [question(first), question(second)];
}

/** Whether a clause asks something: it begins like a question, and says more than its question word unless it ends the text. */
function isClause(clause: string, isLast = false): boolean {
  const bare = withoutMark(withoutLead(clause));
  if (!asks.test(bare)) return false;
  const words = bare.split(/\s+/u).length;
  return isLast ? words >= 1 : words >= 3;
}

/** "The people who came and who stayed": the word has described something before. */
function describes(before: string, word: string): boolean {
  const bare = withoutLead(before).trim();
  const [, ...inner] = bare.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return inner.includes('that') || inner.includes(word.toLowerCase());
}
