// What a memory is about where only one thing can be true of it at a time: a name, a home, what is preferred of one kind. Two memories of one
// topic contradict each other; what has no topic contradicts nothing but its own denial.
import { kindsIn } from './statements/kinds.ts';
import { toPlainWords } from './statements/plain-words.ts';
import { wordTerms } from './terms.ts';

export interface Topic {
  /** Such as `name`, `my deadline`, `want theme`. */
  readonly name: string;
  /** What narrows it (`editor` of “dark mode in my editor”); topics contradict where one narrows the other or neither does. */
  readonly scope: readonly string[];
  /** Several may be true at a time: only a text that speaks of a change takes the place of another. */
  readonly isShared?: true;
  /** Only its denial contradicts it. */
  readonly byDenial?: true;
}

const fillers =
  /\b(?:really|actually|personally|just|currently|now|still|always|usually|generally|normally|mostly|mainly|definitely|these days|nowadays|at the moment|from now on|please|also|much|very|strongly|by default|in general|recently|finally|only|going forward|in future|in the future|again|kind of|sort of|absolutely|simply|typically|tend to|mostly|as of today|starting today|instead)\b/gu;

/** Plain words without what only colours them. */
export function core(text: string): string {
  return toPlainWords(text)
    .replace(fillers, ' ')
    .replace(/[,;]? (?:thanks|thank you|by the way|btw|sadly|though|lol|luckily|unfortunately)(?=[.!,]?\s*$)/gu, '')
    .replace(/[,;]\s*(?=[,;]|$)/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^[,.;:!\s]+|(?<![,.;:!\s])[,.;:!\s]+$/gu, '');
}

/** Things that have many properties at a time. */
const things: ReadonlySet<string> = new Set(
  'dog cat pet puppy kitten car bike laptop phone computer house flat apartment team company wife husband partner girlfriend boyfriend son daughter kid kids child children brother sister mother father mom mum dad parents friend app product project system website server boss colleague neighbor office startup business family baby school university'.split(
    ' ',
  ),
);
const roleWords =
  /(?:[a-z]er|[a-z]or|ist|cian|ant|tect|tive|yst|trainee|barista|cto|ceo|cfo|nurse|chef|cook|lead|dev|intern|student|clerk|judge|pilot|coach|mechanic|attorney|freelancer|vet|mathematician|librarian|physician|paramedic|sre|pm)$/u;
const noRole: ReadonlySet<string> = new Set(
  'vegetarian beginner believer mother father sister brother owner user lover member runner gamer riser sleeper reader drinker eater supporter hater learner speaker newcomer twin parent hiker swimmer collector cancer survivor grandmother grandfather smoker person starter'.split(
    ' ',
  ),
);

const np = (text: string): readonly string[] =>
  [...new Set(wordTerms(text.replace(/\b(?:new|current|present|own|latest|actual|preferred)\b/gu, ' ')))].sort();

const lastWord = (text: string): string => text.split(' ').at(-1) ?? '';

/** Words of a wish that say nothing about what is wished. */
const frameTerms: ReadonlySet<string> = new Set(
  'answer explan text messag output want need prefer use give write keep speak talk convers show make thing everyth question repli respons me format style person tone languag unit code program drink editor room'.split(
    ' ',
  ),
);

/** What is wanted of a kind, and in which surroundings. */
function wanted(object: string): Topic | undefined {
  const [chosen = '', rejected] = object.split(
    / (?:over|rather than|instead of|more than|better than|than|versus|vs|not) /u,
  );
  const [thing = '', ...places] = chosen.split(/ (?=(?:in|on|at|for|when|during|while|with|after|before|from) )/u);
  const [named] = kindsIn(chosen);
  if (named) {
    const own = new Set(wordTerms(named.name));
    const scope = np(chosen).filter((term) => !own.has(term) && !frameTerms.has(term));
    return { name: `want ${named.kind}`, scope: scope.slice(0, 6) };
  }
  if (rejected !== undefined) {
    const both = [...new Set([...np(thing), ...np(rejected)])].sort().filter((term) => term !== 'prefer');
    return both.length === 0 ? undefined : { name: `want ${both.join(' ')}`, scope: [] };
  }
  const head = wordTerms(lastWord(thing))[0];
  if (head === undefined || thing.split(' ').length < 2) return undefined;
  return { name: `want ${head}`, scope: np(places.join(' ')).slice(0, 6) };
}

const possessive =
  /^(?:my|our|the|mine) ([a-z0-9' -]{2,60}?) (is|are|was|were|will be|has been|have been|had|has|have|changed|moved|became|got|starts?|ends?|begins?|falls?|takes?|happens?|expires?|runs?|remains?|stays?|leaves?|departs?|arrives?|comes?|closes?|opens?)\b ?(.{0,200})/u;
const inverted = /^([^,]{1,80}) (?:is|are|has become|became) (?:my|our) ([a-z0-9' -]{2,60})$/u;

/** Who is one to somebody: of these there is one at a time, and “my boss is late” does not say who. */
const people: ReadonlySet<string> = new Set('boss wife husband partner girlfriend boyfriend'.split(' '));

function possessedTopic(owned: string, predicate: string, isNamed = false): Topic | undefined {
  const thing = owned.replace(/'s\b/gu, '');
  const terms = np(thing);
  if (terms.length === 0 || terms.length > 5) return undefined;
  if (/^name$/u.test(thing) || /^full name$/u.test(thing)) return { name: 'name', scope: [] };
  if (/^(?:job|role|title|job title|position|profession|occupation)$/u.test(thing)) return { name: 'job', scope: [] };
  if (/^(?:employer|company)$/u.test(thing) && !/^(?:a|an)\b/u.test(predicate)) return { name: 'work at', scope: [] };
  if (/^(?:home|hometown|city)$/u.test(thing)) return { name: 'live', scope: [] };
  if (isNamed && people.has(lastWord(thing))) return { name: `my ${[...terms, 'name'].sort().join(' ')}`, scope: [] };
  if (!things.has(lastWord(thing))) return { name: `my ${terms.join(' ')}`, scope: [] };
  if (/^(?:called|named|name)\b/u.test(predicate))
    return { name: `my ${[...terms, 'name'].sort().join(' ')}`, scope: [] };
  if (/^an? /u.test(predicate)) return { name: `my ${terms.join(' ')} is a`, scope: [] };
  const [kind] = kindsIn(predicate);
  return kind && { name: `my ${terms.join(' ')} ${kind.kind}`, scope: [] };
}

const changes =
  /\b(?:switched|moved|migrated|changed|converted|replaced|instead|no longer|not anymore|anymore|now|these days|nowadays|from now on|as of|upgraded|went back|back to|going forward|any longer|stopped|quit|gave up|recently|in future|dropped|since last|started)\b/u;

/** Whether a text speaks of something that was otherwise before. */
export const speaksOfChange = (text: string): boolean => changes.test(toPlainWords(text));

type Rule = readonly [pattern: RegExp, topic: (groups: readonly string[]) => Topic | undefined];
const only = (name: string) => (): Topic => ({ name, scope: [] });

const rules: readonly Rule[] = [
  [
    /^(?:i am (?:called|named)|i go by|you can call me|call me|everyone calls me|people call me|friends call me) /u,
    only('called'),
  ],
  [
    /^(?:i|we) (?:live|am living|are living|am based|are based|am located|are located|reside|relocated|settled|have relocated) .{0,40}?\b(?:in|to|at|near|outside) /u,
    only('live'),
  ],
  [
    /^(?:i|we) (?:work|am working|am employed|joined|have joined|started working|started|got a job|got hired|am hired|accepted a job|took a job|have a job|have started) (?:at|for|by|with) /u,
    only('work at'),
  ],
  [/^(?:i|we) (?:joined|have joined) /u, only('work at')],
  [/^(?:i|we) work (?:part|full)[ -]?time|^i work (?:four|five|three|six|\d) days/u, only('work time')],
  [/^i work in (?!the office|an? )/u, only('work in')],
  [
    /^i (?:do not )?(?:eat|eat no) meat|^i (?:am|became|went|have gone|have become|turned) (?:a |an )?(?:strict )?(?:vegetarian|vegan|pescatarian|omnivore|meat eater|flexitarian)/u,
    only('diet'),
  ],
  [/^i (?:commute|get to work|go to work|travel to work) /u, only('commute')],
  [
    /^(?:i work as|i became|i have become|i got promoted to|i was promoted to|i am promoted to|i am working as|i have been promoted to) /u,
    only('job'),
  ],
  [/^i (?:am|turned|have turned) \d{1,3}(?: years? old)?$/u, only('age')],
  [/^i (?:was born|am born) (?:on|in) .{0,40}\d/u, only('my birthday')],
  [
    /^i (?:am|got|have been|have got) (?:happily )?(?:married|single|divorced|engaged|widowed|in a relationship)/u,
    only('married'),
  ],
  [
    /^(?:i|we) (?:would )?(?:prefer|rather have|rather|favor)(?: to (?:have|use|get|drink|eat|take|see|work with|work|travel by|sit by|read))? (.{1,200})/u,
    ([object = '']) => wanted(object),
  ],
  [/^(?:i|we) (?:like|love|enjoy) (.{1,100} (?:more than|better than) .{1,100})/u, ([object = '']) => wanted(object)],
  [/^(?:i|we) (?:like|love|enjoy) (.{1,100}?) (?:best|most)$/u, ([object = '']) => wanted(object)],
  [
    /^(.{1,80}?) (?:works?|suits?|fits?|is|are) (?:me )?(?:best|better|great|fine|ideal|perfect|easier|easiest)(?: for (?:me|us))?\b/u,
    ([object = '']) => (/^(?:my|our|the|it|that|this)\b/u.test(object) ? undefined : wanted(object)),
  ],
  [/^i am (?:more of )?an? (.{1,40}) person/u, ([object = '']) => wanted(object)],
  [
    /^(?:i|we) (?:would like|want|need|expect|would love) (?:you to |your |all |to get |to have |to see |the )*(.{1,160})/u,
    ([object = '']) => wish(object),
  ],
  [
    /^(?:i|we) (?:use|am using|are using|have been using|run on|am on|are on|host on|host everything on|deploy to|deploy on|rely on|work with|work in|code in|write|program in|store everything in|build with|develop in|run|settled on|chose|picked|adopted|standardized on|decided on|decided to use|use a|have switched to|switched to|switched over to|moved to|have moved to|migrated to|have migrated to|changed to|went back to|converted to|upgraded to|have adopted) (.{1,200})/u,
    ([object = '']) => used(object),
  ],
  [
    /^(?:i|we) (?:switched|moved|migrated|changed|converted|have switched|have moved|have migrated) (?:our |my |the )?(.{0,60}?) ?from .{1,80}? to (.{1,100})/u,
    ([purpose = '', object = '']) => used(purpose === '' ? object : `${object} for ${purpose}`),
  ],
  [/^(?:i|we) replaced (.{1,80}?) (?:with|by) (.{1,100})/u, ([, object = '']) => used(object)],
  [
    /^(?:i|we) (?:do not )?(?:really )?(?:like|love|enjoy|hate|dislike|detest|despise|adore|care for|can not stand|can not bear) (.{1,120})/u,
    ([object = '']) => liked(object),
  ],
  [/^(?:i|we) can not (?:stand|bear) (.{1,120})/u, ([object = '']) => liked(object)],
  [/^i (?:study|am studying|studied) (.{1,80})/u, only('study')],
  [/^i drive (?:an?|my) /u, only('drive')],
  [
    /^i have (?:got )?(?:an? |one |two |three |four |five |six |no |\d+ )(kids?|children|dogs?|cats?|brothers?|sisters?|siblings|sons?|daughters?)$/u,
    ([whom = '']) => ({ name: `have ${wordTerms(whom)[0] ?? whom}`, scope: [] }),
  ],
];

function liked(object: string): Topic | undefined {
  const terms = np(object.replace(/\banymore\b|\bat all\b/gu, ' '));
  return terms.length === 0 ? undefined : { name: `like ${terms.slice(0, 6).join(' ')}`, scope: [], byDenial: true };
}

function used(object: string): Topic | undefined {
  const [thing = '', purpose] = object.split(
    / (?:for|as|to) (?:my |our |the |all |all our |all my |all of our |an? )?/u,
  );
  const [named] = kindsIn(thing.split(/,| (?:over|during|in|last|this|since|at) /u)[0] ?? '');
  if (purpose !== undefined && np(purpose).length > 0) {
    const terms = np(purpose).slice(0, 6);
    return { name: `use for ${terms.join(' ')}`, scope: [] };
  }
  return named && { name: `use ${named.kind}`, scope: [], isShared: true };
}

/** How answers should be. */
function wish(object: string): Topic | undefined {
  const [named] = kindsIn(object);
  return named && wanted(object);
}

const imperative =
  /^(?:do not |never |stop |avoid )?(?:use|using|answer|answering|reply|replying|respond|responding|keep|keeping|write|writing|speak|speaking|talk|format|give|giving|show|make|be|being|stick to|default to|switch to|explain|address|summarize|set|add|include|assume)\b(.{1,160})/u;

/** Undefined where nothing that a text could contradict is known. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function topicOf(text: string): Topic | undefined {
  const plain = core(text);
  const named = /^(?:I am|I['’]m|i am|i['’]m|im|Im) (\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){0,2})[.!]?$/u.exec(text.trim());
  if (named && kindsIn(plain).length === 0 && !/(?:ish|ese|ian)$/u.test(named[1] ?? ''))
    return { name: 'name', scope: [] };
  for (const [pattern, topic] of rules) {
    const groups = pattern.exec(plain);
    const found = groups && topic(groups.slice(1).map((group) => group ?? ''));
    if (found) return found;
  }
  const moved = /^(?:i|we) (?:have )?moved (?:to|back to) (.{1,80})/u.exec(plain);
  if (moved) return { name: /\b(?:team|department|role|group)\b/u.test(moved[1] ?? '') ? 'team' : 'live', scope: [] };
  const owned = possessive.exec(plain);
  if (owned) {
    const [, thing = '', verb = '', predicate = ''] = owned;
    const topic = possessedTopic(thing, predicate, /\b(?:is|['’]s)(?: now)? \p{Lu}\p{Ll}/u.test(text));
    // What something has is another matter than what it is.
    return topic && (/^ha(?:d|s|ve)$/u.test(verb) ? { ...topic, name: `${topic.name} has` } : topic);
  }
  const behind = inverted.exec(plain);
  if (behind) return possessedTopic(behind[2] ?? '', '', /^\p{Lu}\p{Ll}/u.test(text));
  const role = /^i am (?:an?|the) ([a-z -]{2,60}?)(?: (?:at|in|for|by|on|from|with|who)\b.*)?$/u.exec(plain)?.[1];
  const isRole =
    role !== undefined && (roleWords.test(lastWord(role)) || (/\bnow\b/u.test(text) && !role.includes(' ')));
  if (isRole && !noRole.has(lastWord(role))) return { name: 'job', scope: [] };
  const asked = imperative.exec(plain);
  return asked ? wish(asked[1] ?? '') : ofThirdPerson(text.trim());
}

/** “Elena lives in Osaka” is about of her what “I live in Osaka” is about of whoever says it. */
function ofThirdPerson(text: string): Topic | undefined {
  const [, name, verb = '', rest = ''] = /^(\p{Lu}\p{Ll}+) (\p{Ll}+s) (.+)$/u.exec(text) ?? [];
  const topic = name === undefined ? undefined : topicOf(`I ${verb === 'is' ? 'am' : verb.slice(0, -1)} ${rest}`);
  return topic && !topic.isShared && !topic.byDenial ? { ...topic, name: `${name} ${topic.name}` } : undefined;
}
