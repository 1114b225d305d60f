// The words by which questions are told from other clauses, and lists from names. Rules over the words alone, English first with the question
// words of German. Pure.

export const prepositions = '(?:in|on|at|for|to|by|of|from|with|about|during|under|since|until)';
const englishWords = `what|what's|which|who|who's|whom|whose|when|where|why|how`;
const germanWords = 'was|wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsnm]?';
/** "In what", "who", "wann". */
export const questionWord = `(?:(?:${prepositions}\\s+)?(?:${englishWords})|${germanWords})(?![\\p{L}\\p{M}\\p{N}'’-])`;
export const auxiliary =
  '(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|ist|sind|hat|haben|wird|werden|kann|können)';
/** What follows an auxiliary where it begins a question, and does not where it goes on with a predicate. */
const subject = String.raw`(?:the|an?|its?|they|their|he|she|his|her|this|that|these|those|there|we|you|i|one|any|all|both|each|der|die|das|es|er|sie|ein|eine|\p{Lu})`;
const command =
  '(?:please\\s+)?(?:also\\s+)?(?:say|tell|list|name|give|compare|contrast|explain|describe|state|summari[sz]e|identify|find|show|define|mention|outline|nenne|vergleiche|erkläre|beschreibe)(?![\\p{L}\\p{M}-])';

/** Where a question, or a request that stands for one, begins. Case matters for names alone. */
export const opening = `(?:${either(questionWord)}|${either(auxiliary)}\\s+${subject}|${either(command)})`;

/**
 * A pattern of lower-case words in either case, without the flag that would make every letter a capital one, and without a group that has the flag
 * for itself: V8 drops that as soon as a process has compiled so many expressions that it no longer optimises them.
 */
function either(pattern: string): string {
  return pattern.replace(/\\[pP]\{\w+\}|\\.|\[[^\]]*\]|\p{Ll}/gu, (piece) => {
    if (piece.startsWith('\\')) return piece;
    if (!piece.startsWith('[')) return inBothCases(piece);
    return piece.includes('\\') ? piece : piece.replace(/\p{Ll}/gu, (letter) => inBothCases(letter).slice(1, -1));
  });
}

function inBothCases(letter: string): string {
  const capital = letter.toUpperCase();
  return `[${capital.length === letter.length ? capital : ''}${letter}]`;
}

const lead =
  /^(?:please\s+|(?:can|could|would) you (?:please\s+)?|i(?:'d| would) (?:like|want) to know\s+|i want to know\s+|do you know\s+|(?:tell me|answer)(?:\s+both)?\s*:?\s+(?=(?:in\s+|on\s+|at\s+)?(?:what|which|who|when|where|why|how)\b))/iu;

/** Without what is only said to be polite: "Please, could you tell me". */
export function withoutLead(text: string): string {
  let rest = text.trim();
  for (let times = 0; times < 3; times += 1) rest = rest.replace(lead, '').trim();
  return rest;
}

/** Without the mark at its end. */
export const withoutMark = (text: string): string => text.trim().replace(/[\s?？؟.!,;:]+$/u, '');

export const asks = new RegExp(`^(?:${opening})`, 'u');

export const question = (text: string): string => {
  const bare = withoutMark(text).trim();
  return `${bare.charAt(0).toUpperCase()}${bare.slice(1)}?`;
};

/** With a capital it is a river. */
const german = '|oder';

const splitters = new Map<string, RegExp>();

/** There are a dozen kinds of joints, and each is asked for with every question. */
function splitterOf(joints: string): RegExp {
  const known = splitters.get(joints);
  if (known) return known;
  const plain = joints.endsWith(german) ? `${either(joints.slice(0, -german.length))}${german}` : either(joints);
  const made = new RegExp(`\\s*,\\s*(?:(?:${plain})\\s+)?|\\s+(?:${plain})\\s+`, 'u');
  splitters.set(joints, made);
  return made;
}

/** "A, B and C" as its elements; one element where it is no list. Quoted text is one element whatever is in it. */
export function elementsOf(
  list: string,
  joints = `and|or|with|to|versus|vs\\.?|against|as well as|und${german}`,
): readonly string[] {
  const quotes: string[] = [];
  const kept = list.replace(/["“„«][^"”“»]{1,200}["”“»]/gu, (quote) => `\u0001${quotes.push(quote) - 1}\u0001`);
  return kept
    .split(splitterOf(joints))
    .map((one) => one.replace(/\u0001(\d+)\u0001/gu, (_, at: string) => quotes[Number(at)] ?? '').trim())
    .filter((one) => one !== '');
}

/** A name, a number, an identifier, or something quoted: what a list of things is made of. */
export const isNamed = (element: string): boolean =>
  /^(?:(?:the|der|die|das)\s+)?(?:\p{Lu}|\p{Nd}|["“„«'‘`]|\p{Ll}[\p{L}\p{N}]*(?:\p{Lu}|[_.]\p{L}))/u.test(element) &&
  element.split(/\s+/u).length <= 12;
