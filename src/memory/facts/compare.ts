// How memories are compared: which say the same and are merged, and which contradict each other, so that the later one takes the place of the
// earlier. Pure and deterministic.
import type { MemoryKeys, Supersedes } from '../../db/repositories/memories.ts';
import { kindsIn } from './statements/kinds.ts';
import { toPlainWords } from './statements/plain-words.ts';
import { memoryTerms, wordTerms } from './terms.ts';
import { core, speaksOfChange, type Topic, topicOf } from './topics.ts';

const denial =
  /\b(?:not|no|never|no longer|without|avoid|avoiding|stop|stopped|quit|gave up|neither|hate|dislike|detest|despise|can not stand|allergic|anymore|cancelled|canceled|skip)\b/u;

export const isDenial = (text: string): boolean => denial.test(core(text));

/** Words by which a memory is found besides its own: what its names are kinds of, and what its topic is called. */
const topicWords: Readonly<Record<string, string>> = {
  name: 'name',
  called: 'name nickname',
  live: 'live home city place address',
  'work at': 'work employer company',
  'work in': 'work field department',
  job: 'job role title profession occupation',
  age: 'age old',
  'my birthday': 'birthday',
  diet: 'diet eat food',
  married: 'married relationship status',
  study: 'study subject',
  drive: 'car drive',
};

export function keysOf(text: string): MemoryKeys {
  const topic = topicOf(text);
  const kinds = kindsIn(toPlainWords(text)).map(({ kind }) => kind);
  const besides = topic
    ? (topicWords[topic.name] ?? topic.name.replace(/^want\b/u, 'prefer').replace(/^my\b/u, ''))
    : '';
  const terms = new Set([...memoryTerms(text), ...wordTerms(`${kinds.join(' ')} ${besides}`)]);
  const polarity = isDenial(text) ? 'not ' : '';
  return {
    sameKey: polarity + wordTerms(core(text)).join(' ') || core(text),
    ...(topic && { topic: topic.name }),
    terms: [...terms].slice(0, 200),
  };
}

/** What a text says is over: the words that a memory of it has. */
function endedBy(plain: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const patterns = [
    /\b(?:no longer|not|never) (.{2,80}?)(?: anymore| any longer)?(?:[,.;]| but | and | since | because | now |$)/gu,
    /\b(?:stopped|quit|gave up|given up|got rid of|dropped|ditched|abandoned|left|cancelled|canceled|sold|moved away from|away from) (?:using |my |our |the )?(.{2,60}?)(?:[,.;]| but | and | since | because | for | in favor | now |$)/gu,
    /\b(?:switched|moved|migrated|changed|went|converted)(?: .{1,40}?)? from (.{2,60}?) to /gu,
    /\breplaced (.{2,60}?) (?:with|by) /gu,
    /\bused to (.{2,60}?)(?:[,.;]| but | and |$)/gu,
    /\binstead of (.{2,60}?)(?:[,.;]| but | and | for | from | now |$)/gu,
  ];
  const isChange =
    /\b(?:no longer|anymore|any longer|stopped|quit|gave up|given up|got rid|dropped|ditched|abandoned|left|cancelled|canceled|sold|away from|switched|moved|migrated|changed|went|converted|replaced|used to|instead of|never|not)\b/u;
  if (!isChange.test(plain) || /^(?:i|we) (?:would )?(?:prefer|rather)/u.test(plain)) return found;
  const meansAnEnd = /\b(?:no longer|anymore|any longer)\b/u.test(plain);
  for (const [at, pattern] of patterns.entries()) {
    if (at === 0 && !meansAnEnd) continue;
    for (const [, said = ''] of plain.matchAll(pattern)) {
      const terms = [...new Set(wordTerms(said))];
      if (terms.length > 0) found.push(terms);
    }
  }
  return found;
}

const isValue = /\d/u;
const days =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)dai?y?$|^(?:januari|februari|march|april|mai|june|juli|august|septemb|octob|novemb|decemb)/u;

/** The same words but for one figure, day or name of a kind in the same place. */
function differInOneValue(before: readonly string[], after: readonly string[]): boolean {
  if (before.length !== after.length || after.length < 2) return false;
  const places = after.flatMap((term, at) => (term === before[at] ? [] : [at]));
  const [at] = places;
  if (places.length !== 1 || at === undefined) return false;
  const [was = '', is = ''] = [before[at], after[at]];
  if (isValue.test(was) && isValue.test(is)) return true;
  if (days.test(was) && days.test(is)) return true;
  const [kind, other] = [kindsIn(was)[0]?.kind, kindsIn(is)[0]?.kind];
  return kind !== undefined && kind === other && after.length >= 4;
}

const isWithin = (few: readonly string[], many: readonly string[]): boolean => few.every((one) => many.includes(one));

function contradicts(
  topic: Topic,
  before: Topic,
  facts: { readonly isChange: boolean; readonly isDenied: boolean },
): boolean {
  if (topic.name !== before.name) return false;
  if (topic.byDenial) return facts.isDenied;
  if (topic.isShared && !facts.isChange) return false;
  return isWithin(topic.scope, before.scope) || isWithin(before.scope, topic.scope);
}

/** Says of memories that hold whether a text takes their place. */
export function comparedBy(text: string): Supersedes {
  const plain = core(text);
  const topic = topicOf(text);
  const denied = isDenial(text);
  const isChange = speaksOfChange(text);
  const ended = endedBy(toPlainWords(text));
  const terms = wordTerms(plain);
  const own = new Set(terms);
  return (present) => {
    if (present.type === 'episodic') return false;
    const before = topicOf(present.text);
    const isDenied = isDenial(present.text) !== denied;
    if (topic && before && contradicts(topic, before, { isChange, isDenied })) return true;
    if (ended.some((words) => words.length > 0 && isWithin(words, present.terms)) && !isDenial(present.text))
      return true;
    const beforeTerms = wordTerms(core(present.text));
    if (isDenied && own.size > 0 && own.symmetricDifference(new Set(beforeTerms)).size === 0) return true;
    return isDenied === false && differInOneValue(beforeTerms, terms) && !topic?.byDenial;
  };
}
