// Of the sentences that were read those that tell what the question is for: what was decided, thought, begun or ended. Who decides seldom names the
// topic again, so it is told by what was said around them, or by what was to choose from there. Pure.
import type { ArchiveMessage, ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import type { Turning } from './asked.ts';
import { isNamed, type Option } from './closer-look.ts';
import { type TopicWord, weightIn, wholeWeight } from './topic.ts';

export interface Candidate {
  readonly turn: ReadTurn;
  readonly message: ArchiveMessage;
  readonly quote: string;
  readonly score: number;
  /** The weight of what it speaks of itself. */
  readonly weight: number;
}

export interface ToldTopic {
  readonly words: readonly TopicWord[];
  /** Of what each turn speaks, of the words of the topic. */
  readonly terms: ReadonlyMap<ReadTurn, ReadonlySet<string>>;
  /** What was to choose from, where the topic was spoken of. */
  readonly options: readonly Option[];
}

export interface Told {
  readonly one: Candidate;
  /** Of the topic, 0..1. */
  readonly share: number;
}

/** A sentence is of a topic when so much of it was spoken of around it, in the same conversation and within so long. */
const leastAround = 0.4;
const aroundMs = 3 * 3_600_000;
/** The same beside what is closest to the topic. */
const leastBeside = 0.75;
/** What names an option of the topic is so close to it as what is closest, times this. */
const ofOption = 0.9;
/** The same of what stands beside one. */
const besideOption = 0.8;
/** Sentences of the newest turn that are told; of earlier ones one each. */
const mostOfLatest = 2;

export const timeOf = ({ timestamp }: Pick<ReadTurn, 'timestamp'>): number =>
  timestamp === undefined ? 0 : Date.parse(timestamp);

const wished =
  /\b(?:want|wanted|going to|would|plan(?:ning)?|think(?:ing)? (?:of|about)|should|might|could|maybe|if|whether|how (?:do|to|can))\b|['’]ll\b/iu;
const turned: Readonly<Record<Turning, RegExp>> = {
  start:
    /\b(?:started|began|begun|first (?:\p{L}{1,20} ){0,2}(?:day|run|lesson|class|week|time|session|try)|day (?:1|one)|took up|taken up|signed up|joined|enrolled|picked up|got into|(?:my|our) first|since)\b/iu,
  stop: /\b(?:stopped|quit|gave (?:it |them )?up|given up|paused|no longer|not any ?more|ended|cancelled|canceled|dropped|sold|last (?:day|run|lesson|time)|done with)\b/iu,
};
const opinion =
  /\b(?:love|loved|like|liked|hate|hated|prefer|enjoy(?:ed)?|dislike|think|thought|find|found|feel|felt|over(?:hyped|rated)|worth|great|awful|best|worst|better|worse|boring|tired of|fan of|favou?rite|opinion|must|annoy(?:s|ing|ed)|miss|regret|happy|glad|disappointed|against|in favou?r|opposed|convinced)\b|can['’]t stand/iu;
const undecided = /\b(?:wonder(?:ing)?|not sure|no idea)\b/iu;

export const tellsOpinion = (sentence: string): boolean =>
  !sentence.endsWith('?') && opinion.test(sentence) && !undecided.test(sentence);

export const tellsTurning = (sentence: string, turning: Turning): boolean =>
  !/\?\s*$/u.test(sentence) && turned[turning].test(sentence) && !wished.test(sentence);

/** Sentences of people that tell it, by their topic: those of a turn in their order, the newest turn first. */
export function chooseTold(
  candidates: readonly Candidate[],
  { words, terms, options }: ToldTopic,
  tells: (sentence: string) => boolean,
): readonly Told[] {
  const whole = wholeWeight(words);
  const isNear = (turn: ReadTurn, other: ReadTurn): boolean =>
    other.conversation_id === turn.conversation_id && Math.abs(timeOf(other) - timeOf(turn)) <= aroundMs;
  const shares = new Map(
    [...terms.keys()].map((turn) => {
      const near = [...terms].filter(([other]) => isNear(turn, other));
      const spoken = new Set([...near.flatMap(([, own]) => [...own]), ...analyzeText(turn.title)]);
      const isOfOption = near.some(([{ messages }]) =>
        options.some(({ name, isRare }) => isRare && messages.some(({ text }) => isNamed(text, name))),
      );
      return [turn, { share: whole === 0 ? 0 : weightIn(words, spoken) / whole, isOfOption }] as const;
    }),
  );
  const best = Math.max(0, ...shares.values().map(({ share }) => share));
  const shareOf = ({ turn, quote }: Candidate): number => {
    const { share = 0, isOfOption = false } = shares.get(turn) ?? {};
    const names = options.some(({ name }) => isNamed(quote, name));
    return Math.max(share, names ? ofOption * best : 0, isOfOption ? besideOption * best : 0);
  };
  const told = candidates
    .filter(({ message, quote }) => message.role === 'user' && tells(quote))
    .map((one) => ({ one, share: shareOf(one) }))
    .filter(({ share }) => share >= Math.max(leastAround, leastBeside * best));
  const ofTurn = new Map<ReadTurn, Told[]>();
  for (const one of told) ofTurn.set(one.one.turn, [...(ofTurn.get(one.one.turn) ?? []), one]);
  return [...ofTurn]
    .sort(([left], [right]) => timeOf(right) - timeOf(left))
    .flatMap(([, own], at) =>
      own
        .toSorted((left, right) => right.one.weight - left.one.weight)
        .slice(0, at === 0 ? mostOfLatest : 1)
        .sort((left, right) => own.indexOf(left) - own.indexOf(right)),
    );
}
