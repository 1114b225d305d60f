// Comparisons: things side by side, by criteria where some are named. Each thing, or each thing under each criterion, is a question of its own.
import { inTimes, isTime } from './in-times.ts';
import { isWeighed, measuredOf } from './measured.ts';
import { asks, elementsOf, isNamed, question, withoutLead, withoutMark } from './phrases.ts';

const words = String.raw`[\p{L}\p{M}\p{N}'’-]+`;
const byWhat = String.raw`(?:(?:,?\s+(?:in terms of|with (?:respect|regard) to|with a focus on|focus(?:s?ing|ed) on|under the aspects? of|regarding|concerning|based on|according to|as to|when it comes to|on the basis of|by their|in their|by|in|on|for)|:)\s+(?<criteria>.+))`;

const compare = new RegExp(
  String.raw`^(?:compare and contrast|compare|contrast|vergleiche) (?<things>.+?)${byWhat}?$`,
  'iu',
);
const difference = new RegExp(
  String.raw`^(?:(?:what|which|how|explain|describe|list|name|summari[sz]e|give|tell me|outline)(?: (?:is|are|was|were))?(?: me)?(?: the| some)?(?: ${words}){0,2} )?(?:differences?|similarit(?:y|ies)|comparison|distinctions?|unterschiede?) (?:between|of|zwischen) (?<things>.+?)${byWhat}?$`,
  'iu',
);
const differ = new RegExp(
  String.raw`^(?:how|in (?:what|which) (?:ways?|respects?)) (?:do|does|did|is|are|was|were) (?<one>.+?) (?:differ(?:ent)? from|compare (?:to|with|against)|stack up (?:to|against)|versus|vs\.?) (?<other>.+?)${byWhat}?$|^(?:how|in (?:what|which) (?:ways?|respects?)) (?:do|did|are|were) (?<things>.+?) (?:differ|compare|different)${byWhat.replaceAll('criteria', 'criteria2')}?$`,
  'iu',
);
/** "What sets A apart from B", "what distinguishes A from B". */
const apart = new RegExp(
  String.raw`^what (?:(?:sets?|tells?) (?<one>.+?) apart|(?:distinguish(?:es)?|separates?) (?<one2>.+?)) from (?<other>.+?)${byWhat}?$`,
  'iu',
);
/** Documents say what things are; what speaks for and against them is told from that. */
const prosAndCons = new RegExp(
  String.raw`^(?:(?:what|which) are )?(?:the )?(?:relative )?(?:pros and cons|advantages and disadvantages|strengths and weaknesses|benefits and drawbacks) of (?<one>.+?) (?:compared (?:to|with)|over|against|versus|vs\.?) (?<other>.+?)${byWhat}?$`,
  'iu',
);
const common = /^what (?:do|did|does) (?<things>.+?) have in common$/iu;
const versus = new RegExp(String.raw`^(?<one>[^?]{1,80}?) (?:vs\.?|versus) (?<other>[^?]{1,80}?)${byWhat}?$`, 'iu');

/** "Which is older, A or B": what is asked, and of whom. */
const choices: readonly RegExp[] = [
  /^(?<asked>(?:[Ww]h(?:ich|ose|o|at)|WH(?:ICH|OSE|O|AT))\b.*?)(?:\s*[,:–—]\s*|\s+-\s+)(?<things>(?:(?:the|an?) )?["“]?(?:[\p{Lu}\p{Nd}]|\p{Ll}{1,20}\p{Lu})[^,]*(?:, [^,]+)*?,? (?:or|oder) .+)$/u,
  /^(?<asked>(?:[Ww]h(?:ich|ose|o|at)|WH(?:ICH|OSE|O|AT))\b.*?)\s+(?=(?:the )?["“\p{Lu}])(?<things>(?:(?:the|an?) )?["“]?[\p{Lu}\p{Nd}].* (?:or|oder) .+)$/u,
];
/** "Which is longer, the old bridge or the new one": no name tells where the list begins, so a comma has to. */
const plainChoice =
  /^(?<asked>(?:which|who|what)\b[^,:]*)[,:]\s+(?<things>(?:the |an? )?\p{L}[^,]*(?:, [^,]+)*?,? or .+)$/iu;
const between = /^(?:between|of|out of|among) (?<things>.+?), (?<asked>(?:which|who|what)\b.+)$/iu;
/** "Which of A and B is older". */
const whichOf =
  /^(?<word>which|who)(?: one)? (?:of|among|out of) (?:the (?:two|three) )?(?<things>.+? (?:and|or) .+?) (?<asked>(?:is|was|are|were|has|had|have|costs?|c[ao]mes?|weighs?|lasts?|appear(?:s|ed)|offers?|employs?) .+)$/iu;
/** "A or B: which is older". */
const namesFirst =
  /^(?<things>[^?:–—]{1,200}? (?:or|vs\.?|versus) [^?:–—]{1,200}?)\s{0,3}[:–—?,]\s{0,3}(?<asked>(?:which|who|what)\b.+)$/iu;
/** "Is A or B older". */
const eitherIs =
  /^(?<verb>is|was|are|were|did|does|do|has|had) (?<things>.+? or .+?) (?<asked>(?:the )?(?:more|less|most|\p{Ll}{1,20}(?:er|est)|first|born|built|founded|made|released|opened|c[ao]me|cost|have|weigh|last)\b.*)$/iu;
/** "Was A built before or after B". */
const beforeOrAfter =
  /^(?:was|were|is|are|did|does) (?<one>.+?) (?<event>\p{Ll}{1,20}) (?:before or after|earlier or later than|sooner or later than|after or before) (?<other>.+)$/iu;
/** "Are A and B both P", "Is A older than B". */
const both = /^(?<verb>are|were|is|was|do|did|does|have|has|had|can|could) (?<both>both )?(?<things>.+?)$/iu;
const than =
  /^(?:[Ii]s|[Ww]as|[Aa]re|[Ww]ere|[Dd]id|[Dd]oes|[Dd]o|[Hh]as|[Hh]ad) (?<one>.+?) (?<asked>(?:more|less|fewer) [^?]+? than|(?!other)\p{Ll}+er than|come (?:before|after)|(?:\p{Ll}+ed|born|built|made) (?:before|after|earlier than|later than)) (?<other>(?:the )?["“\p{Lu}\p{Nd}].*)$/u;

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
  const bare = withoutMark(withoutLead(text)).replace(/^what['’]s\b/iu, 'What is');
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
    apart.exec(bare)?.groups ??
    prosAndCons.exec(bare)?.groups ??
    common.exec(bare)?.groups ??
    (asks.test(bare) ? undefined : versus.exec(bare)?.groups);
  if (!found) return undefined;
  const { one = found['one2'], other } = found;
  const shared = one === undefined ? sharedFacts(found['things'] ?? '') : undefined;
  if (shared && few(shared.things, most) && shared.things.length * shared.facts.length <= most)
    return underEach(shared.things, shared.facts);
  const timed =
    one === undefined &&
    inTimes(found['things'] ?? '', elementsOf(found['criteria'] ?? found['criteria2'] ?? ''), most);
  if (timed) return timed;
  const { things, owner } = withoutOwner(
    one !== undefined && other !== undefined
      ? [one, other]
      : elementsOf((found['things'] ?? '').replace(/,$/u, '')).map((thing) => thing.replace(/^both /iu, '')),
  );
  if (!few(things, most) || things.some((thing) => unnamed.test(thing))) return undefined;
  // "In fiscal 2023" alone says when, and nothing of what.
  const under = found['criteria'] ?? found['criteria2'] ?? '';
  const [, named = '', when = ''] =
    /^(.*?)( (?:in|during|for) \S.*)?$/u.exec(isTime(under) ? ` in ${under}` : under) ?? [];
  // "In sales and staff in 2024": the time is of each.
  const isTimed = when !== '' && isTime(when.replace(/^ \S+ /u, ''));
  const criteria = elementsOf(isTimed ? named : `${named}${when}`, 'and|or|und').map((criterion) =>
    criterion.replace(/^(?:the|their|its|of) /iu, ''),
  );
  const time = isTimed ? when : '';
  // "A vs B: which is faster" is a choice.
  if (criteria.some((criterion) => /^(?:which|who)\b/iu.test(criterion))) return undefined;
  // "The height of A and B": what stands before "of" is said of each.
  const [first = ''] = things;
  const [, of, head = ''] = /^((?:the )?[\p{Ll}][\p{L} -]*? of) (.+)$/u.exec(first) ?? [];
  if (of !== undefined && things.slice(1).every((thing) => !/ of /u.test(thing))) {
    const plain = [head, ...things.slice(1)];
    const facts = criteria.length > 0 ? criteria : elementsOf(of.replace(/^the | of$/gu, ''), 'and');
    if (plain.length * facts.length > most) return undefined;
    return at(underEach(plain, facts), time);
  }
  if (criteria.length === 0) return at({ things, queries: things.map((thing) => aboutOf(`${owner}${thing}`)) }, time);
  if (things.length * criteria.length <= most) return at(underEach(things, criteria, owner), time);
  return { things, queries: things.map((thing) => question(`What are ${criteria.join(', ')} of ${thing}`)) };
}

/** "The price and the weight of A and B". */
function sharedFacts(
  list: string,
): { readonly things: readonly string[]; readonly facts: readonly string[] } | undefined {
  const [, before = '', behind = ''] = /^((?:the )?\p{Ll}[\p{L} ,-]{1,120}?) of (.+)$/u.exec(list) ?? [];
  const facts = elementsOf(before, 'and|as well as').map((fact) => fact.replace(/^the /u, ''));
  const things = elementsOf(behind, 'and|with|to|versus|vs\\.?|against|as well as');
  if (facts.length < 2 || facts.some((fact) => /\p{Lu}/u.test(fact)) || / of /u.test(behind)) return undefined;
  return things.length >= 2 ? { things, facts } : undefined;
}

/** Each question with the time that was named for all. */
const at = (comparison: Comparison, time: string): Comparison => ({
  ...comparison,
  queries: comparison.queries.map((query) => question(`${withoutMark(query)}${time}`)),
});

const owned = /^(?<owner>\p{Lu}[\p{L}\p{N}.&-]{0,40}['’]s) (?<rest>\p{Lu}.*)$/u;
const kind = / (?:segments|divisions|(?:business )?units|models|plans|editions|packages|products|brands|teams)$/u;
/** "Amcor's Flexibles and Rigid Packaging segments": whose they are and what they are is said of all, and is no part of their names. */
function withoutOwner(things: readonly string[]): { readonly things: readonly string[]; readonly owner: string } {
  const named = things.map((thing, place) =>
    place === things.length - 1 && isNamed(thing) ? thing.replace(kind, '') : thing,
  );
  const [first = '', ...others] = named;
  const { owner, rest = '' } = owned.exec(first)?.groups ?? {};
  return owner === undefined || others.some((thing) => !isNamed(thing) || owned.test(thing))
    ? { things: named, owner: '' }
    : { things: [rest, ...others], owner: `${owner} ` };
}

/** Each thing under each criterion. */
const underEach = (things: readonly string[], criteria: readonly string[], owner = ''): Comparison => ({
  things,
  queries: things.flatMap((thing) => criteria.map((criterion) => criterionOf(criterion, `${owner}${thing}`))),
  criteria: things.flatMap(() => criteria),
});

const aboutOf = (thing: string): string =>
  question(`What ${/^\p{Ll}[\p{L}-]*[^su]s$/u.test(thing) ? 'are' : 'is'} ${thing}`);
/** "Number of employees", "employees". */
const counted = /^(?:the )?(?:(?:total )?number of |(?=(?:employees|stores|subscribers|inhabitants|rooms|seats)$))/iu;
const person =
  /^(?:the )?(?:auditors?|author|founders?|director|owner|chairman|chairwoman|chairperson|president|CEO|CFO|chief (?:executive|financial|operating) officer|creator|inventor|designer|architect|maker|editor|publisher)$/iu;
const criterionOf = (criterion: string, thing: string): string =>
  counted.test(criterion)
    ? question(`${criterion.replace(counted, 'How many ')} does ${thing} have`)
    : person.test(criterion)
      ? question(`Who ${/[^su]s$/u.test(criterion) ? 'are' : 'is'} the ${criterion.replace(/^the /iu, '')} of ${thing}`)
      : /^(?:how|when|where|what|who|why)\b/iu.test(criterion)
        ? question(`${criterion} (${thing})`)
        : question(`What ${/[^su]s$/u.test(criterion) ? 'are' : 'is'} the ${criterion} of ${thing}`);

/** Which is older, A or B. */
function chosen(bare: string, most: number): Comparison | undefined {
  for (const pattern of [...choices, between]) {
    const { asked = '', things: list = '' } = pattern.exec(bare)?.groups ?? {};
    const things = elementsOf(list, pattern === between ? 'or|and' : 'or|oder');
    // "Which came first: the name A or B": what stands behind the colon is whole.
    if (few(things, most) && things.every(isNamed) && !/[:–—]/u.test(asked))
      return { things, queries: things.map((thing) => measuredOf(asked.trim(), thing)), asked: asked.trim() };
  }
  const named = namedChoice(bare);
  if (named && few(named.things, most) && named.things.every(isNamed)) {
    const { things, asked } = named;
    return { things, queries: things.map((thing) => measuredOf(asked, thing)), asked };
  }
  const { asked = '', things: list = '' } = plainChoice.exec(bare)?.groups ?? {};
  const things = elementsOf(list, 'or');
  const isPlain = (thing: string): boolean => thing.split(' ').length <= 9 && !asks.test(thing) && !unnamed.test(thing);
  if (!isWeighed(asked) || !few(things, most) || !things.every(isPlain)) return undefined;
  return { things, queries: things.map((thing) => measuredOf(asked.trim(), thing)), asked: asked.trim() };
}

/** The forms that name the things first, or between the words that ask. */
function namedChoice(bare: string): { readonly things: readonly string[]; readonly asked: string } | undefined {
  const which = whichOf.exec(bare)?.groups;
  if (which) return { things: elementsOf(which['things'] ?? '', 'and|or'), asked: `which ${which['asked']}` };
  const first = namesFirst.exec(bare)?.groups;
  if (first) return { things: elementsOf(first['things'] ?? '', 'or|vs\\.?|versus'), asked: first['asked'] ?? '' };
  const ordered = beforeOrAfter.exec(bare)?.groups;
  if (ordered)
    return { things: [ordered['one'] ?? '', ordered['other'] ?? ''], asked: `which was ${ordered['event']} first` };
  const either = eitherIs.exec(bare)?.groups;
  if (!either) return undefined;
  const asked = either['asked'] ?? '';
  const helped = /^(?:is|was|are|were|has|had)$/iu.test(either['verb'] ?? '') ? `${either['verb']} ` : '';
  return isWeighed(asked)
    ? { things: elementsOf(either['things'] ?? '', 'or'), asked: `which ${helped.toLowerCase()}${asked}` }
    : undefined;
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
