// What a question wants its things weighed by: "which came first", "is A cheaper than B". Only what figures can decide; the words are data. Pure.
import { attributes } from '../../answer/support/compared/amounts.ts';
import { comparativeOf, ofColumn, type Relation } from '../../answer/support/compared/compare.ts';
import { eventOf } from '../../answer/support/compared/events.ts';
import words from './weighing.json' with { type: 'json' };

/** A question about all of the things, answered from what is found of each. */
export interface Weighing {
  readonly asked: string;
  readonly things: readonly string[];
  /** Absent: no rule tells it from figures, and whoever asked is told so. */
  readonly relation?: Relation;
}

const pattern = (of: Exclude<keyof typeof words, 'phrases'>): RegExp => new RegExp(words[of], 'iu');
const patterns = {
  not: pattern('not'),
  early: pattern('early'),
  late: pattern('late'),
  ended: pattern('ended'),
  comes: pattern('comes'),
  old: pattern('old'),
  unknownEvent: pattern('unknownEvent'),
  counted: pattern('counted'),
  owned: pattern('owned'),
  hasArea: pattern('hasArea'),
  faster: pattern('faster'),
};
const phrases = Object.entries(words.phrases).map(([said, means]) => ({ said: new RegExp(said, 'iu'), means }));

/** Undefined where no figures would decide it: "which is better", "who is American". */
export function relationOf(asked: string): Relation | undefined {
  const text = asked.replace(/\s+/gu, ' ').replace(/[\s?.!,;:]+$/u, '');
  if (patterns.not.test(text)) return undefined;
  const [isEarly, isLate] = [patterns.early.test(text), patterns.late.test(text)];
  if (isEarly && isLate) return undefined;
  return isEarly || isLate ? inTime(text, isEarly) : inAmount(text);
}

function inTime(text: string, isEarly: boolean): Relation | undefined {
  const events = (text.match(/\p{L}+(?:ed|en)\b|\b(?:available|built|born|begun)\b/giu) ?? []).flatMap(
    (word) => eventOf(word) ?? [],
  );
  if (events.length > 1 || (patterns.ended.test(text) && !events.includes('died'))) return undefined;
  const [event] = events;
  const wants = isEarly ? 'first' : 'last';
  if (event) return { by: 'time', event, wants };
  // "Which was the first to serve pizza": of no event that is known here.
  if (!patterns.comes.test(text) || (!patterns.old.test(text) && patterns.unknownEvent.test(text))) return undefined;
  return { by: 'time', wants, event: /^who(?:se)?\b/iu.test(text) ? 'born' : undefined };
}

function inAmount(text: string): Relation | undefined {
  const { much, what: counted } = patterns.counted.exec(text)?.groups ?? {};
  if (much !== undefined && counted !== undefined) {
    const isMore = /^mo/iu.test(much);
    return { by: 'amount', what: { counted }, wants: isMore ? 'more' : 'less', word: isMore ? 'more' : 'fewer' };
  }
  const phrase = phrases.find(({ said }) => said.test(text));
  if (phrase) return comparativeOf(phrase.means);
  if (patterns.faster.test(text)) return ofColumn('delivery time', 'shorter');
  // "Has the longer battery life": of something that its own word names, and the adjective does not.
  const { degree = '', what = '' } = patterns.owned.exec(text)?.groups ?? {};
  const had = what.toLowerCase();
  const isAttribute = Object.values(attributes).some(({ nouns }) => nouns.some((noun) => noun === had));
  const column = had === '' || isAttribute ? undefined : ofColumn(had, comparative(degree.toLowerCase()));
  if (column) return column;
  const [relation, ...more] = (text.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap(
    (word) => comparativeOf(comparative(word)) ?? [],
  );
  if (!relation || more.length > 0) return undefined;
  const attribute = 'attribute' in relation.what ? relation.what.attribute : undefined;
  if (attribute === 'area' && !patterns.hasArea.test(text)) return undefined;
  const nouns: readonly string[] = attribute === undefined ? [] : attributes[attribute].nouns;
  return had === '' || nouns.includes(had) ? relation : undefined;
}

/** "Longest" as "longer". */
const comparative = (word: string): string => word.replace(/est$/u, 'er');
