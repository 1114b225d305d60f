// Tells where source code declares what a question asks for: "Where is X implemented?", "What does X do?", "Which file defines X?". A question names code by
// a word that people write in code alone: camelCase, snake_case, CONSTANT_CASE, with parentheses or between backticks. Linear in the text. Pure.

/** What asks for the place or the working of code, in the present. */
const asksForCode =
  /\bwhere\b[^?]{0,120}\b(?:implement(?:ed|ation)?|defin(?:ed|ition)|declared|declaration|set|assigned|created|exported|constructed|registered|validated|checked|handled|thrown|raised|computed|calculated|parsed)\b|\bwhat\s{1,4}do(?:es)?\b[^?]{1,80}\bdo\b|\b(?:which|what)\s{1,4}(?:file|module|class|function|method|component|line|place)\b[^?]{0,40}\b(?:defin|declar|implement|contain|hold|creat|set)\p{Ll}{0,4}\b|\bhow\s{1,4}(?:is|are)\b[^?]{1,80}\b(?:implemented|defined|declared)\b/iu;
const ticked = /`([^`\s]{2,80})`/u;
const word = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$.]{0,80}(?:\(\))?/gu;
const writtenInCode = /\p{Ll}\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]|\(\)$/u;

/** The name whose declaration answers the question; undefined where it asks otherwise. */
export function declarationAsked(question: string): string | undefined {
  if (!asksForCode.test(question)) return undefined;
  const named =
    ticked.exec(question)?.[1] ?? question.match(word)?.find((one) => writtenInCode.test(one.replace(/\.$/u, '')));
  const last = named
    ?.replace(/\(\)?$|\.$/u, '')
    .split(/[.#:]/u)
    .at(-1);
  return last === undefined || last.length < 2 ? undefined : last;
}

/** What stands before a name that is declared: "export async function ", "class ", "def ", "const ", "module.exports.". */
const declaring =
  /(?:^|[\s({;])(?:function\s?\*?|class|interface|type|enum|struct|trait|fn|func|fun|def|sub|const|let|var|val|static|macro|namespace|module|record|protocol|#define)\s{1,4}$|(?:exports|prototype|this|self)\.$/u;
/** A method of a receiver: "func (c *Client) ". */
const ofReceiver = /\bfunc\s{1,4}\([^()\n]{1,60}\)\s{1,4}$/u;
const lineStart =
  /(?:^|\n)[^\S\n]{0,40}(?:(?:export|public|private|protected|static|async|override|abstract|final|readonly|get|set|virtual|inline|unsafe|pub)\s{1,4}){0,4}$/u;
/** A member of an object or class: "name: value", "name (…) {", "name = value". */
const member = /^\??\s{0,4}(?::(?!:)|=(?!=|>))/u;
const methodBody = /^\s{0,4}\([^()\n]{0,200}\)[^\n;{]{0,80}\{/u;
const taken = /^[^\n]{0,80}=\s{0,4}(?:await\s{1,4})?(?:require|import)\b/u;
const assigned = /^\s{0,4}(?:=(?!=|>)|:(?!:))/u;
const longestBefore = 90;

/** Whether the piece of code declares it: a function, class, constant, method, property or entry of that name. */
export function isDeclaration(name: string, piece: string): boolean {
  for (let at = piece.indexOf(name); at >= 0; at = piece.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (/[\p{L}\p{N}_$]/u.test(piece[at - 1] ?? ' ') || /[\p{L}\p{N}_$]/u.test(piece[end] ?? ' ')) continue;
    const before = piece.slice(Math.max(0, at - longestBefore), at);
    const after = piece.slice(end, end + 300);
    if (taken.test(after)) continue;
    if (ofReceiver.test(before)) return true;
    if (declaring.test(before) && !(before.endsWith('.') && !assigned.test(after))) return true;
    if (lineStart.test(before) && (member.test(after) || methodBody.test(after))) return true;
  }
  return false;
}

const placeOf =
  /\bwhere\s{1,4}(?:is|are)\s{1,4}([^?.,;]{3,80}?)\s{1,4}(?:implemented|defined|declared|set|assigned|created|computed|calculated|checked|handled)\b/iu;
const empty: ReadonlySet<string> = new Set(
  'the a an of in for to on this that our its their and or by with from as at'.split(' '),
);
const identifier = /[\p{L}_$][\p{L}\p{N}_$]{3,80}/gu;
const mostWords = 4;

/** What a question names in plain words whose place in code it asks for: "the capacity of the queue"; undefined where it asks otherwise. */
export function declarationWordsAsked(question: string): readonly string[] | undefined {
  if (declarationAsked(question) !== undefined) return undefined;
  const named =
    placeOf
      .exec(question)?.[1]
      ?.toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = [...new Set(named.filter((one) => !empty.has(one)).map(singular))];
  return words.length >= 2 && words.length <= mostWords ? words : undefined;
}

/** Whether the piece of code declares a name made of these words, in any order, and at most one more: `queueCapacity`, `MAX_QUEUE_CAPACITY`. */
export function declaresWords(words: readonly string[], piece: string): boolean {
  for (const [name] of piece.matchAll(identifier)) {
    const parts =
      name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu)?.map((part) => singular(part.toLowerCase())) ?? [];
    if (parts.length > words.length + 1 || !words.every((one) => parts.includes(one))) continue;
    if (isDeclaration(name, piece)) return true;
  }
  return false;
}

const singular = (one: string): string => (one.length > 3 ? one.replace(/ies$/u, 'y').replace(/(?<!s)s$/u, '') : one);
