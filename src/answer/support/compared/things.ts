// Whether words name the thing that is compared, and nothing beside it: "Alpha's mobile app" and "Alpha 2" are other things than "Alpha". Strict, since
// whatever is read here is set against another figure without a reader between.

const quoteMarks = /["'“”‘’„«»*_`]/gu;
const leadingArticle = /^(?:the|an?) /u;

/** Small letters, without marks and the article in front. */
const folded = (words: string): string =>
  words
    .normalize('NFC')
    .toLowerCase()
    .replace(quoteMarks, '')
    .replace(/[^\p{L}\p{M}\p{N}&+#.]+/gu, ' ')
    .replace(/(?<!\.)\.{1,20}(?= |$)/gu, '')
    .trim()
    .replace(leadingArticle, '');

/** "Netflix, Inc." is Netflix, and "Amazon.com" is Amazon. */
const legalForm = /(?<=\S)(?:\.com)?(?: (?:inc|corp|corporation|ltd|llc|plc|gmbh|ag))?$/u;

export const isSameThing = (words: string, thing: string): boolean => {
  const own = folded(thing);
  if (own === '') return false;
  const said = folded(words);
  return said === own || said.replace(legalForm, '') === own.replace(legalForm, '');
};

/** Brackets that only say how the thing is called otherwise. */
const otherName = /\((?:\p{Lu}{2,8}|(?:also|formerly|pronounced|short for|abbreviated|stylized)[^()]{0,80})\)/gu;
/** "Alpha, a text editor,": what stands between the commas says what the thing is. */
const apposition = /^([^,]{1,120}), (?:an?|the|one of) [^,\d]{1,120},?$/u;
/** "The new bridge, completed in 1988,": nothing but what was done to it. */
const participle =
  /^([^,]{1,120}), (?:first )?\p{Ll}{2,20}(?:ed|en|ilt|made|born|begun) (?:in|on|by|at|near) [^,]{1,80},$/u;
const version = /^(?:the )?(?:first|original|initial) (?:version|edition|release|issue) of (.+)$/iu;

/** "The old bridge is 212 m long and was": what follows is said of the subject in front. */
const goesOn =
  /^([^,;:()]{1,120}?) (?:is|was|are|were|has|had|costs?|made|makes) (?!.{0,200}\b(?:which|that|who|whose|where|while|but)\b)[^,;:()]{1,200} and$/u;
/** What stands before a verb, without a first predicate that shares its subject. */
export const subjectBefore = (words: string): string => goesOn.exec(words.trim())?.[1] ?? words;

/** The subject of a sentence, as it stands before its verb. `first`: its first version stands for the thing. */
export function isSubject(words: string, thing: string, first = false): boolean {
  const bare = words.trim().replace(otherName, ' ').replace(/ {2,}/gu, ' ').trim();
  if (isSameThing(bare, thing) && !/[,;:]/u.test(bare.replace(/[,:]$/u, ''))) return true;
  const [, head = ''] = apposition.exec(bare) ?? [];
  if (head !== '') return isSameThing(head, thing);
  const [, described = ''] = participle.exec(bare) ?? [];
  if (described !== '') return isSameThing(described, thing);
  const [, of = ''] = (first && version.exec(bare)) || [];
  return of !== '' && isSameThing(of, thing);
}

/** `He`, `It`, `The magazine`: whom the sentence before speaks of, if it speaks of nobody else. */
const pronoun = /^(?:it|he|she|they)$/iu;
const named = /^the (\p{Ll}[\p{L}-]{2,20})$/iu;

/** Who made it and where: neither is released, published or sold itself. */
const maker =
  /(?: (?:made|developed|designed|built|produced|published|written|created|manufactured|maintained|sold))? (?:by|in|from) \p{Lu}[\p{L}\p{N}’'&.-]*(?: (?:of |in |and )?\p{Lu}[\p{L}\p{N}’'&.-]*){0,4}\.?$/u;

/**
 * Whether the subject stands for the thing because the sentence before it has that thing for its subject, and names no other. `isProduct`: what is said cannot
 * be said of who made it.
 */
export function isMeant(words: string, before: string | undefined, thing: string, isProduct = false): boolean {
  if (before === undefined) return false;
  const subject = words.trim();
  const noun = named.exec(subject)?.[1]?.toLowerCase();
  if (!pronoun.test(subject) && noun === undefined) return false;
  const verb = / (?:is|was|are|were|has|had) /u.exec(before);
  if (!verb || !isSubject(before.slice(0, verb.index), thing)) return false;
  const rest = before.slice(verb.index + verb[0].length);
  if (noun !== undefined) {
    const kind = /^(?:an?|the) ([^,.;:()]{1,120})/u.exec(rest)?.[1]?.toLowerCase() ?? '';
    const [head = ''] = kind.split(/ (?:of|for|by|from|in|on|at|with|that|which|who|to|founded|based|published) /u);
    if (head.split(' ').at(-1) !== noun) return false;
  }
  // "Alpha is a rival of Beta. It was …": nobody can tell.
  return !/(?<![.!?] )\b\p{Lu}/u.test((isProduct ? rest.replace(maker, '') : rest).replace(nationality, ''));
}

/** "It was founded in 2003", behind a sentence with the thing for its subject, in the document that is called like it. */
export function isMeantByTitle(words: string, before: string | undefined, title: string, thing: string): boolean {
  if (before === undefined || !/^(?:it|he|she)$/iu.test(words.trim()) || !isSameThing(title, thing)) return false;
  const verb = / (?:is|was) (?:an?|the) /u.exec(before);
  const subject = verb ? before.slice(0, verb.index).replace(/ ?\([^()]{1,120}\)/gu, '') : '';
  return verb !== null && isSubject(subject, thing);
}

/** What a document is called by, without what it says of it: "Mistral P8: data sheet". */
export const isTitledBy = (title: string, thing: string): boolean =>
  isSameThing(title, thing) || isSameThing(title.split(/[:|]|\s[-–—]\s/u, 1)[0] ?? '', thing);

const wordsOf = (text: string): readonly string[] => folded(text).replaceAll('.', ' ').split(' ');
const agreements: ReadonlySet<string> = new Set(['contract', 'agreement', 'deal', 'treaty', 'lease', 'deed']);
const ownVoice = /^(?:we|(?:the|our) company)$/iu;
const self = /^(?:this|the present) (\p{Ll}{3,20})$/iu;

/** "This contract" in a document whose title names the thing, "Hosting contract with Nordnet" for "the Nordnet contract". */
export function isTitled(words: string, title: string, thing: string): boolean {
  // Of a company its own documents say "we".
  if (ownVoice.test(words.trim())) return isSameThing(title, thing);
  const noun = self.exec(words.trim())?.[1]?.toLowerCase();
  if (noun === undefined) return false;
  const known = new Set(wordsOf(title));
  const alike = (word: string): boolean => word === noun || (agreements.has(noun) && agreements.has(word));
  const named = wordsOf(thing).filter((word) => !alike(word) && !/^(?:with|of|for|the|and)$/u.test(word));
  return named.length > 0 && named.every((word) => known.has(word)) && [...known, ...wordsOf(thing)].some(alike);
}

/**
 * "The Team plan of Osprey" and "Osprey's Team plan" are the row "Team" under "Plan" in a document that is called Osprey: the thing is named by the title, by
 * what calls the row, and by nothing beside the name of its column.
 */
export function isRowUnder(
  label: string,
  { title, column }: { readonly title: string; readonly column: string },
  thing: string,
): boolean {
  const [under, called] = [wordsOf(title), wordsOf(label)].map((words) => words.filter((word) => word !== ''));
  const rest = wordsOf(thing.replace(/['’]s?(?= |$)/gu, '')).filter(
    (word) => !/^(?:|of|for|in|from|by|the)$/u.test(word),
  );
  if (!under?.length || !called?.length || isSameThing(title, thing)) return false;
  const own = [...under, ...called];
  if (!own.every((word) => rest.includes(word))) return false;
  const beside = new Set([...own, ...wordsOf(column).flatMap((word) => [word, word.replace(/s$/u, '')])]);
  return rest.every((word) => beside.has(word));
}

/** Adjectives with a capital that name nobody. */
export const nationality = /\b\p{Lu}\p{Ll}+(?:an|ish|ese|ch|ic)\b/gu;

/** What a sentence must not hold where a figure is taken from it: doubt, another's word, what is near or not so. */
export const isDoubtful = (sentence: string): boolean =>
  /\?\s*$|n't\b|\b(?:about|around|circa|ca|approximately|approx|roughly|nearly|almost|some|reportedly|allegedly|supposedly|probably|possibly|perhaps|maybe|may|might|could|would|should|will|believed|thought|claim|claims|claimed|said|says|according|rumou?red|expected|planned|scheduled|estimated|likely|unclear|disputed|unknown|not|never|if|whether|or|either|early|late|mid|formerly|once|used to|nor|neither|unlike|contrary)\b|\bc\. ?\d|~/u.test(
    // With a capital inside it is a name or a month.
    `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`,
  );
