// Comparisons: things side by side, by criteria where some are named. Each thing, or each thing under each criterion, is a question of its own.
import { asks, elementsOf, isNamed, question, withoutLead, withoutMark } from './phrases.ts';

const words = String.raw`[\p{L}\p{M}\p{N}'’-]+`;
const byWhat = String.raw`(?:(?:,?\s+(?:in terms of|with (?:respect|regard) to|regarding|concerning|based on|according to|as to|when it comes to|on the basis of|by their|in their|by|in|on|for)|:)\s+(?<criteria>.+))`;

const compare = new RegExp(
  String.raw`^(?:compare and contrast|compare|contrast|vergleiche) (?<things>.+?)${byWhat}?$`,
  'iu',
);
const difference = new RegExp(
  String.raw`^(?:(?:what|which|how|explain|describe|list|name|summari[sz]e|give|tell me|outline)(?: (?:is|are|was|were))?(?: me)?(?: the| some)?(?: ${words}){0,2} )?(?:differences?|similarit(?:y|ies)|comparison|distinctions?|unterschiede?) (?:between|of|zwischen) (?<things>.+?)${byWhat}?$`,
  'iu',
);
const differ = new RegExp(
  String.raw`^how (?:do|does|did|is|are|was|were) (?<one>.+?) (?:differ(?:ent)? from|compare (?:to|with)|versus|vs\.?) (?<other>.+?)${byWhat}?$|^how (?:do|did|are|were) (?<things>.+?) (?:differ|compare|different)${byWhat.replaceAll('criteria', 'criteria2')}?$`,
  'iu',
);
const common = /^what (?:do|did|does) (?<things>.+?) have in common$/iu;
const versus = new RegExp(String.raw`^(?<one>[^?]{1,80}?) (?:vs\.?|versus) (?<other>[^?]{1,80}?)${byWhat}?$`, 'iu');

/** "Which is older, A or B": what is asked, and of whom. */
const choices: readonly RegExp[] = [
  /^(?<asked>(?i:which|who|what|whose)\b.*?)(?:\s*[,:–—]\s*|\s+-\s+)(?<things>(?:(?:the|an?) )?["“]?[\p{Lu}\p{Nd}][^,]*(?:, [^,]+)*?,? (?:or|oder) .+)$/u,
  /^(?<asked>(?i:which|who|what|whose)\b.*?)\s+(?=(?:the )?["“\p{Lu}])(?<things>(?:(?:the|an?) )?["“]?[\p{Lu}\p{Nd}].* (?:or|oder) .+)$/u,
];
/** "Which is longer, the old bridge or the new one": no name tells where the list begins, so a comma has to. */
const plainChoice =
  /^(?<asked>(?:which|who|what)\b[^,]*),\s+(?<things>(?:the |an? )?\p{L}[^,]*(?:, [^,]+)*?,? or .+)$/iu;
const between = /^(?:between|of|out of|among) (?<things>.+?), (?<asked>(?:which|who|what)\b.+)$/iu;
/** "Are A and B both P", "Is A older than B". */
const both = /^(?<verb>are|were|is|was|do|did|does|have|has|had|can|could) (?<both>both )?(?<things>.+?)$/iu;
const than =
  /^(?:(?i:is|was|are|were|did|does|do|has|had)) (?<one>.+?) (?<asked>(?:more|less|fewer) [^?]+? than|(?!other)\p{Ll}+er than|come (?:before|after)|(?:\p{Ll}+ed|born|built|made) (?:before|after|earlier than|later than)) (?<other>(?:the )?["“\p{Lu}\p{Nd}].*)$/u;

export interface Comparison {
  readonly things: readonly string[];
  readonly queries: readonly string[];
  /** Of each query, where it asks for one. */
  readonly criteria?: readonly string[];
  /** What is to be told of all of them together: "which is older". */
  readonly asked?: string;
}

/** Undefined where nothing is compared. `most`: how many questions may come of it. */
export function comparisonOf(text: string, most: number): Comparison | undefined {
  const bare = withoutMark(withoutLead(text));
  return listed(bare, most) ?? chosen(bare, most) ?? paired(bare, most);
}

/** What is compared with nothing in particular. */
const unnamed = /^(?:other|others|those|these|them|each other|one another|it|all|both \p{Ll})/u;

const few = (things: readonly string[], most: number): boolean => things.length >= 2 && things.length <= most;

/** Compare A and B in C and D. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function listed(bare: string, most: number): Comparison | undefined {
  const found =
    compare.exec(bare)?.groups ??
    difference.exec(bare)?.groups ??
    differ.exec(bare)?.groups ??
    common.exec(bare)?.groups ??
    (asks.test(bare) ? undefined : versus.exec(bare)?.groups);
  if (!found) return undefined;
  const { one, other } = found;
  const things =
    one !== undefined && other !== undefined
      ? [one, other]
      : elementsOf(found['things'] ?? '').map((thing) => thing.replace(/^both /iu, ''));
  if (!few(things, most) || things.some((thing) => unnamed.test(thing))) return undefined;
  const criteria = elementsOf(found['criteria'] ?? found['criteria2'] ?? '', 'and|or|und').map((criterion) =>
    criterion.replace(/^(?:the|their|its|of) /iu, ''),
  );
  // "The height of A and B": what stands before "of" is said of each.
  const [first = ''] = things;
  const [, of, head = ''] = /^((?:the )?[\p{Ll}][\p{L} -]*? of) (.+)$/u.exec(first) ?? [];
  if (of !== undefined && things.slice(1).every((thing) => !/ of /u.test(thing))) {
    const plain = [head, ...things.slice(1)];
    const facts = elementsOf(of.replace(/^the | of$/gu, ''), 'and');
    if (plain.length * facts.length > most) return undefined;
    return underEach(plain, facts);
  }
  if (criteria.length === 0) return { things, queries: things.map(aboutOf) };
  if (things.length * criteria.length <= most) return underEach(things, criteria);
  return { things, queries: things.map((thing) => question(`What are ${criteria.join(', ')} of ${thing}`)) };
}

/** Each thing under each criterion. */
const underEach = (things: readonly string[], criteria: readonly string[]): Comparison => ({
  things,
  queries: things.flatMap((thing) => criteria.map((criterion) => criterionOf(criterion, thing))),
  criteria: things.flatMap(() => criteria),
});

const aboutOf = (thing: string): string => question(`What is ${thing}`);
const criterionOf = (criterion: string, thing: string): string =>
  /^(?:how|when|where|what|who|why)\b/iu.test(criterion)
    ? question(`${criterion} (${thing})`)
    : question(`What ${/[^su]s$/u.test(criterion) ? 'are' : 'is'} the ${criterion} of ${thing}`);

/** Which is older, A or B. */
function chosen(bare: string, most: number): Comparison | undefined {
  for (const pattern of [...choices, between]) {
    const { asked = '', things: list = '' } = pattern.exec(bare)?.groups ?? {};
    const things = elementsOf(list, pattern === between ? 'or|and' : 'or|(?-i:oder)');
    if (few(things, most) && things.every(isNamed))
      return { things, queries: things.map((thing) => measuredOf(asked.trim(), thing)), asked: asked.trim() };
  }
  const { asked = '', things: list = '' } = plainChoice.exec(bare)?.groups ?? {};
  const things = elementsOf(list, 'or');
  const isPlain = (thing: string): boolean => thing.split(' ').length <= 6 && !asks.test(thing) && !unnamed.test(thing);
  if (!isWeighed(asked) || !few(things, most) || !things.every(isPlain)) return undefined;
  return { things, queries: things.map((thing) => measuredOf(asked.trim(), thing)), asked: asked.trim() };
}

const time =
  /\b(?:first|last|earlier|earliest|later|latest|older|oldest|younger|youngest|newer|newest|before|after|sooner|more recent(?:ly)?)\b/iu;
const plainForms: Readonly<Record<string, string>> = {
  larger: 'large',
  bigger: 'big',
  taller: 'tall',
  longer: 'long',
  higher: 'high',
  heavier: 'heavy',
  faster: 'fast',
  slower: 'slow',
  deeper: 'deep',
  wider: 'wide',
  smaller: 'small',
  shorter: 'short',
  closer: 'close',
  richer: 'rich',
  hotter: 'hot',
  colder: 'cold',
  largest: 'large',
  biggest: 'big',
  tallest: 'tall',
  longest: 'long',
  highest: 'high',
  heaviest: 'heavy',
  fastest: 'fast',
  deepest: 'deep',
  smallest: 'small',
};

/** Whether something is asked that one thing has more of than another, or that happened to one before the other. */
const isWeighed = (asked: string): boolean =>
  time.test(asked) ||
  weighingWord.test(asked) ||
  /\b(?:more|most|fewer|fewest|cheaper|cheapest|expensive)\b/iu.test(asked);
const weighingWord = new RegExp(String.raw`\b(?:${Object.keys(plainForms).join('|')})\b`, 'iu');

/** "Say which came first", behind a comparison: what has to be known of each of its things. Undefined where it names what it asks of. */
export function furtherOf(text: string, things: readonly string[]): readonly string[] | undefined {
  const bare = withoutMark(withoutLead(text)).replace(/^(?:say|tell me|state|explain|name)\s+/iu, '');
  if (!/^(?:which|who|what|whose)\b(?: one| of (?:them|these|the two|both))?/iu.test(bare)) return undefined;
  if (/(?<!^)(?<![.?!] )["“\p{Lu}]/u.test(bare)) return undefined;
  return things.map((thing) => measuredOf(bare, thing));
}

/** What has to be known of one thing to tell which of several it is. */
function measuredOf(asked: string, thing: string): string {
  const participle =
    /\b(?:was|were|is|are|has been|got) (?:the )?(?:first |last |earlier |later )?(\p{L}+ed|born|built|made|set up|begun|written|opened|won)\b/iu.exec(
      asked,
    )?.[1];
  if (time.test(asked)) {
    if (participle !== undefined) return question(`When was ${thing} ${participle}`);
    return question(/\bc[ao]mes?\b/iu.test(asked) ? `When did ${thing} come about` : `When was ${thing}`);
  }
  const amount =
    /\b(?:has|had|have|with|contains?|won|sold|scored|employs?) (?:the )?(?:more|most|fewer|fewest|less|least|higher|highest|larger|largest|greater|greatest) (.+)$/iu.exec(
      asked,
    )?.[1];
  if (amount !== undefined) return question(`How many ${amount} does ${thing} have`);
  if (/\b(?:cheaper|cheapest|more expensive|most expensive|costs? (?:more|less))\b/iu.test(asked))
    return question(`How much does ${thing} cost`);
  const comparative = new RegExp(String.raw`\b(${Object.keys(plainForms).join('|')})\b`, 'iu').exec(asked)?.[1];
  if (comparative !== undefined) return question(`How ${plainForms[comparative.toLowerCase()]} is ${thing}`);
  const more = /\b(?:more|most|less|least) (\p{L}+)/iu.exec(asked)?.[1];
  if (more !== undefined) return question(`How ${more} is ${thing}`);
  const predicate = asked.replace(/^(?:which|who|what|whose)\s+(?:one\s+)?(?:of (?:these|the two|them)\s+)?/iu, '');
  const verb = /\b(?:is|was|are|were|has|had|did|does)\b/iu.exec(predicate);
  if (!verb) return question(`What is ${thing} ${predicate}`);
  // "Singer is American" of Mark King: is he?
  return question(`${verb[0]} ${thing} ${predicate.slice(verb.index + verb[0].length).trim()}`);
}

/** Are A and B both P? Is A older than B? */
function paired(bare: string, most: number): Comparison | undefined {
  const compared = than.exec(bare)?.groups;
  if (compared) {
    const { one = '', other = '' } = compared;
    const asked = (compared['asked'] ?? '').replace(/ than$/u, '');
    if (!isNamed(one)) return undefined;
    return {
      things: [one, other],
      queries: [one, other].map((thing) => measuredOf(`is ${asked}`, thing)),
      asked: `is ${asked}`,
    };
  }
  const found = both.exec(bare)?.groups;
  if (!found || !/\bboth\b|\bsame\b/iu.test(bare)) return undefined;
  const { verb = '', things: rest = '' } = found;
  const name = String.raw`(?:(?:the )?["“\p{Lu}\p{Nd}][^,]*?)`;
  const list =
    new RegExp(String.raw`^(?<a>${name}) and (?<b>${name}) both (?<predicate>.+)$`, 'u').exec(rest)?.groups ??
    new RegExp(String.raw`^(?<a>${name}) and (?<b>${name}) (?<predicate>[\p{Ll}].*)$`, 'u').exec(rest)?.groups;
  if (!list || most < 2) return undefined;
  const { a = '', b = '', predicate = '' } = list;
  const of = predicate.replace(/\b(?:in |of |from |to |at |on )?the same\b.*$|\bmembers of\b.*$|^both /giu, '').trim();
  const one = { are: 'is', were: 'was', do: 'does', have: 'has' }[verb.toLowerCase()] ?? verb;
  const what = /\bsame (.+)$/iu.exec(predicate)?.[1];
  return {
    things: [a, b],
    queries: [a, b].map((thing) =>
      what === undefined ? question(`${one} ${thing} ${of}`) : question(`What is the ${what} of ${thing}`),
    ),
  };
}
