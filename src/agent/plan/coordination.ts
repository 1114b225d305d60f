// One question about several things, or several questions about one thing: "When were A and B founded?", "What are the height and the weight of
// X?". Invariant: only names are told apart, and only where the sentence says the same of each.
import { askedFact, conditionsOf, factsOf, ofEachOf, quartersOf } from './noun-phrases.ts';
import { elementsOf, isNamed, question, withoutLead, withoutMark } from './phrases.ts';

const singular: Readonly<Record<string, string>> = { are: 'is', were: 'was', do: 'does', have: 'has' };
const wordList = String.raw`(?:[\p{L}\p{M}\p{N}'’-]+)`;

/** "the A, B and C of X" */
const attributes = new RegExp(
  String.raw`^(?<start>what (?:is|are|was|were) |(?:give|list|name|state|tell|describe|explain|show)(?: me)?(?: both)? )the (?<list>${wordList}(?: ${wordList}){0,3}(?:, (?:the )?${wordList}(?: ${wordList}){0,3})*,? and (?:the )?${wordList}(?: ${wordList}){0,3}?) (?<rest>(?:of|for) .+)$`,
  'iu',
);

/** "When were A and B founded": the things stand behind the auxiliary, or behind a verb at the end. */
const things = new RegExp(
  String.raw`^(?<start>(?:(?:in|on|at|for|to|from) )?(?:what|which|who|whom|when|where|why|how)(?:'s)?(?: (?!(?:are|were|do|did|have)\b)${wordList}){0,4}) (?<verb>are|were|do|did|have|had|can|could|will|would|should) (?<both>both )?(?<rest>.+)$`,
  'iu',
);
/** "How tall is the A and the B": with an article before each, no name has the "and" inside. */
const singularThings = new RegExp(
  String.raw`^(?<start>(?:(?:in|on|at|for|to|from) )?(?:what|which|who|whom|when|where|why|how)(?: (?!(?:is|was|does|has)\b)${wordList}){0,4}) (?<verb>is|was|does|has) (?<rest>the \p{Lu}[^,]{1,80} and the \p{Lu}.*)$`,
  'iu',
);
/** "What do an adult single and a child single cost": with an article before each and the verb at the end, no capitals are needed. */
const plainThings = new RegExp(
  String.raw`^(?<start>(?:what|when|where|how (?:much|long|often|far|many \p{Ll}{3,20}))) (?<verb>do|does|did) (?<one>(?:the|an?) (?:${wordList} ){1,4}?)and (?<two>(?:the|an?) (?:${wordList} ){1,4}?)(?<rest>\p{Ll}{3,12})$`,
  'iu',
);
const objects = new RegExp(
  String.raw`^(?<start>(?:who|what|which ${wordList}|when did ${wordList}|where did ${wordList})(?: (?:is|was|are|were))? (?:wrote|write|founded|found|discovered|invented|built|build|directed|produced|composed|designed|created|led|won|win|developed|painted|sang|played|established)) (?<both>both )?(?<rest>.+)$`,
  'iu',
);

export interface Coordinated {
  readonly queries: readonly string[];
  /** Of which the same is asked, where it is asked of several. */
  readonly things?: readonly string[];
}

/** A question for each thing, or for each of its facts; undefined where it asks one thing. */
export function coordinatedOf(text: string, most: number): Coordinated | undefined {
  const bare = withoutMark(withoutLead(text));
  const facts = quartersOf(bare) ?? factsOf(bare) ?? byAttribute(bare, most);
  if (facts) return { queries: facts };
  const each = byThing(bare) ?? byPlainThing(bare) ?? ofEachOf(bare);
  if (each) return each;
  const conditions = conditionsOf(bare);
  return conditions && { queries: conditions };
}

function byAttribute(bare: string, most: number): readonly string[] | undefined {
  const { start = '', list = '', rest = '' } = attributes.exec(bare)?.groups ?? {};
  if (list === '' || /\bbetween\b/iu.test(bare)) return undefined;
  const facts = elementsOf(list, 'and').map((fact) => fact.replace(/^the /iu, ''));
  if (facts.length < 2 || facts.some((fact) => /^\p{Lu}/u.test(fact))) return undefined;
  const [, of = '', owners = ''] = /^(of|for) (.+)$/iu.exec(rest) ?? [];
  const owned = leadingList(owners);
  const names =
    owned && owned.rest.trim() === '' && facts.length * owned.names.length <= most ? owned.names : undefined;
  return (names ?? [undefined]).flatMap((name) =>
    facts.map((fact) => askedFact(start.trim(), `the ${fact} ${name === undefined ? rest : `${of} ${name}`}`)),
  );
}

/** The longest run of names at the beginning that is a list, and what follows it. */
function leadingList(text: string): { readonly names: readonly string[]; readonly rest: string } | undefined {
  // A name: words with capitals, with the small words that stand inside names, or something quoted.
  const name = String.raw`(?:(?:the )?(?:["“„«][^"”“»]+["”“»]|(?:\p{Lu}|\p{Nd})[\p{L}\p{M}\p{N}'’.&/-]*(?: (?:(?:of|the|de|von|van|der|la|del|di|du|for|on|in) ){0,2}(?:\p{Lu}|\p{Nd})[\p{L}\p{M}\p{N}'’.&/-]*)*))`;
  const found = new RegExp(
    String.raw`^(?:each of )?(${name}(?:, ${name})*,? (?:and|as well as) ${name})(?: (?:each|both|respectively))?(?<rest> .*)?$`,
    'u',
  ).exec(text);
  if (!found) return undefined;
  const names = elementsOf(found[1] ?? '', 'and|as well as');
  if (names.length < 2 || !names.every(isNamed)) return undefined;
  // "The Ministry of Food and Agriculture" is one thing.
  if (/ (?:of|on|for) \S+$/u.test(names.at(-2) ?? '') && !/\s/u.test(names.at(-1) ?? '')) return undefined;
  return { names, rest: found.groups?.['rest'] ?? '' };
}

function byPlainThing(bare: string): Coordinated | undefined {
  const { start = '', verb = '', one = '', two = '', rest = '' } = plainThings.exec(bare)?.groups ?? {};
  if (one === '' || /\b(?:each other|together|in common|differ|meet|share)\b/iu.test(bare)) return undefined;
  const things = [one.trim(), two.trim()];
  const helper = /^do$/iu.test(verb) ? 'does' : verb;
  return { queries: things.map((thing) => question(`${start} ${helper} ${thing} ${rest}`)), things };
}

function byThing(bare: string): Coordinated | undefined {
  const found = (things.exec(bare) ?? singularThings.exec(bare) ?? objects.exec(bare))?.groups;
  if (!found) return undefined;
  const { start = '', verb = '', rest: listed = '' } = found;
  if (
    /\b(?:between|among|together|each other|one another|in common|relationship|share|their|respective)\b/iu.test(bare)
  )
    return undefined;
  const list = leadingList(listed);
  if (!list) return undefined;
  const one = verb === '' ? '' : ` ${singular[verb.toLowerCase()] ?? verb}`;
  const rest = list.rest.replace(/ (?:each|respectively|both)$/iu, '');
  return {
    queries: list.names.map((name) => question(`${start}${one} ${name}${rest}`)),
    things: list.names,
  };
}
