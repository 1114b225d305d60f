// What has to be known of each of several things to tell which of them is older, longer or cheaper, or has more. Pure.
import { question, withoutLead, withoutMark } from './phrases.ts';

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
export const isWeighed = (asked: string): boolean =>
  time.test(asked) ||
  weighingWord.test(asked) ||
  /\b(?:more|most|fewer|fewest|cheaper|cheapest|expensive)\b/iu.test(asked);
/** Whether one thing is to be told from the others by their order or their number. */
export const isOrdered = (asked: string): boolean =>
  time.test(asked) || /\b(?:more|most|fewer|fewest) \p{Ll}/u.test(asked);
const weighingWord = new RegExp(String.raw`\b(?:${Object.keys(plainForms).join('|')})\b`, 'iu');

/** "Say which came first", behind a comparison: what has to be known of each of its things. Undefined where it names what it asks of. */
export function furtherOf(text: string, things: readonly string[]): readonly string[] | undefined {
  const bare = withoutMark(withoutLead(text)).replace(/^(?:say|tell me|state|explain|name)\s+/iu, '');
  if (!/^(?:which|who|what|whose)\b(?: one| of (?:them|these|the two|both))?/iu.test(bare)) return undefined;
  if (/(?<!^)(?<![.?!] )["“\p{Lu}]/u.test(bare)) return undefined;
  // "Who tested the vans" asks of nothing but what it names.
  if (doneToOthers.test(bare) && !isWeighed(bare)) return undefined;
  return things.map((thing) => measuredOf(bare, thing));
}

const doneToOthers =
  /^who (?!(?:is|are|was|were|has|had|have|does|do|did|can|could|will|would)\b)\p{Ll}{3,20} (?:the|an?|this|that|these|those|all) \p{Ll}/iu;

/** "Has the longer warranty": the adjective is said of what the thing has. */
const hadMore = /\b(?:has|had|have|with|offers?) (?:the |an? )?\p{L}{1,30}(?:er|est) (\p{L}[\p{L} -]{0,60})$/iu;
const isCounted = (noun: string): boolean =>
  /^(?:\p{Ll}{1,20} ){0,2}?(?:\p{L}{1,30}[^s\P{L}]s|people|children)(?: (?:at|in|on|of|for|from|than)\b|$)/iu.test(
    noun,
  );

/** "Which did Acme buy first". */
const didFirst =
  /^(?:which|what|who|whom)(?: \p{Ll}[\p{L}-]*){0,2} did (?<subject>\p{L}[^,]{0,60}?) (?<done>\p{Ll}{2,20}(?: (?:up|out|in|off|on|with|over))?) (?:first|last|earlier|later)$/iu;

/** "Who joined first", "which employee left the firm last": what it was that each did. */
const verbFirst =
  /^(?:who|what|which(?: \p{Ll}[\p{L}-]*){0,2}) (?<verb>(?!happened|occurred|appeared|existed)\p{Ll}{2,20}ed|left|began|took|went|bought|sold|won|gave|got|spoke)(?<rest> \p{L}[^,]{0,60}?)? (?:first|last|earlier|later|earliest|latest|sooner)$/iu;
const plainVerbs: Readonly<Record<string, string>> = {
  left: 'leave',
  began: 'begin',
  took: 'take',
  went: 'go',
  bought: 'buy',
  sold: 'sell',
  won: 'win',
  gave: 'give',
  got: 'get',
  spoke: 'speak',
};
/** "Joined" as "join", "moved" as "move", "stopped" as "stop". */
function plainVerb(verb: string): string {
  const small = verb.toLowerCase();
  const stem = small.slice(0, -2);
  if (plainVerbs[small] !== undefined) return plainVerbs[small];
  if (stem.endsWith('i')) return `${stem.slice(0, -1)}y`;
  if (/([b-df-hj-np-rtv])\1$/u.test(stem)) return stem.slice(0, -1);
  const isShort = /(?:^|[^aeiou])[aeiou][^aeiouwxy]$/u.test(stem) && !/(?:en|er|in|it|on|el|op)$/u.test(stem);
  return isShort || /(?:v|rc|nc|dg|rg|iz|us)$/u.test(stem) ? `${stem}e` : stem;
}
/** "Which is delivered faster": the adverb is said of what is done. */
const doneFaster =
  /^(?:which|what|who)(?: \p{Ll}[\p{L}-]*){0,2} (?<verb>is|are|was|were|gets?) (?<done>\p{Ll}{2,20}(?:ed|en|ilt|ade)(?: \p{Ll}{2,6})?) (?<how>faster|fastest|longer|longest|slower)$/iu;

/** What has to be known of one thing to tell which of several it is. */
export function measuredOf(asked: string, thing: string): string {
  const participle =
    /\b(?:was|were|is|are|has been|got) (?:the )?(?:first |last |earlier |later )?(\p{L}+ed|born|built|made|set up|begun|written|opened|won)\b/iu.exec(
      asked,
    )?.[1];
  if (time.test(asked)) return whenAsked(asked, thing, participle);
  const faster = doneFaster.exec(asked)?.groups;
  if (faster?.['done'] !== undefined) {
    const plain = plainForms[(faster['how'] ?? '').toLowerCase()] ?? 'fast';
    return question(`How ${plain} ${faster['verb']} ${thing} ${faster['done']}`);
  }
  const amount =
    /\b(?:has|had|have|with|contains?|won|sold|scored|employs?|got|gets?|received?s?|gained|drew|raised) (?:the )?(?:more|most|fewer|fewest|less|least|higher|highest|larger|largest|greater|greatest) (.+)$/iu.exec(
      asked,
    )?.[1];
  if (amount !== undefined) return question(`How ${isCounted(amount) ? 'many' : 'much'} ${amount} does ${thing} have`);
  if (/\b(?:cheaper|cheapest|more expensive|most expensive|costs? (?:more|less))\b/iu.test(asked))
    return question(`How much does ${thing} cost`);
  const comparative = new RegExp(String.raw`\b(${Object.keys(plainForms).join('|')})\b`, 'iu').exec(asked)?.[1];
  if (comparative !== undefined) {
    const plain = plainForms[comparative.toLowerCase()];
    const noun = hadMore.exec(asked)?.[1];
    return question(noun === undefined ? `How ${plain} is ${thing}` : `How ${plain} is the ${noun} of ${thing}`);
  }
  const more = /\b(?:more|most|less|least) (\p{L}+)/iu.exec(asked)?.[1];
  if (more !== undefined) return question(`How ${more} is ${thing}`);
  const predicate = asked.replace(/^(?:which|who|what|whose)\s+(?:one\s+)?(?:of (?:these|the two|them)\s+)?/iu, '');
  const verb = /\b(?:is|was|are|were|has|had|did|does)\b/iu.exec(predicate);
  if (!verb) return question(`What is ${thing} ${predicate}`);
  // "Singer is American" of Mark King: is he?
  return question(`${verb[0]} ${thing} ${predicate.slice(verb.index + verb[0].length).trim()}`);
}

/** When it happened to the thing. */
function whenAsked(asked: string, thing: string, participle: string | undefined): string {
  const { subject, done } = didFirst.exec(asked)?.groups ?? {};
  if (subject !== undefined && done !== undefined) return question(`When did ${subject} ${done} ${thing}`);
  if (participle !== undefined) return question(`When was ${thing} ${participle}`);
  if (/^who\b/iu.test(asked) && /\b(?:old|young)/iu.test(asked)) return question(`When was ${thing} born`);
  const did = verbFirst.exec(asked)?.groups;
  if (did?.['verb'] !== undefined) return question(`When did ${thing} ${plainVerb(did['verb'])}${did['rest'] ?? ''}`);
  const available = /\b(?:is|are|was|were|becomes?|became) (available|ready|due|valid|over|done)\b/iu.exec(asked)?.[1];
  if (available !== undefined) return question(`When is ${thing} ${available}`);
  return question(
    /\bc[ao]mes?\b|\b(?:old|young|new)(?:er|est)\b/iu.test(asked)
      ? `When did ${thing} come about`
      : `When was ${thing}`,
  );
}
