// Which kinds of source a question needs, and why: by a cue that decides alone, by the names of the sources that are there, by what was
// learned from labelled questions (likely-kinds.ts), and by a model where one judges. Invariants: never none; where nothing speaks for a kind, all;
// a decision that is not certain leaves nothing out, it only says what to prefer. Pure.
import type { SourceType } from '../../core/document.ts';
import { type LikelyKind, likelyKinds } from './likely-kinds.ts';

export interface RoutedSource {
  readonly name: string;
  readonly type: SourceType;
}

export interface RouteDecision {
  /** What the question needs, most needed first; empty where nothing tells. */
  readonly types: readonly SourceType[];
  /** The first kinds may be asked alone. */
  readonly isCertain: boolean;
  /** What is not needed is hardly wanted. */
  readonly isPlain?: true;
  /** In words. */
  readonly reason: string;
}

/** A less likely kind says nothing: one in five were right. */
const leastChance = 0.22;
/** Nor does one that is this much less likely than none. */
const shareOfNone = 0.7;
/** Kinds that are at least this share as likely as the best one are needed as well. */
const alsoNeeded = 0.8;
/** From here on 19 in 20 guesses were right: what the question does not need is hardly wanted. */
const plainChance = 0.8;
/** Words that name many a source and say nothing in a question. */
const plainNames: ReadonlySet<string> = new Set(
  'code docs doc guide guides qa web textbook textbooks conversation conversations workspace uploads corpus default main data files documents test source sources'.split(
    ' ',
  ),
);

const spoken = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

interface Reason {
  readonly type: SourceType;
  readonly reason: string;
}

const together = (reasons: readonly Reason[]): Pick<RouteDecision, 'types' | 'reason'> => {
  const first = reasons.filter(({ type }, at) => reasons.findIndex((one) => one.type === type) === at);
  return {
    types: first.map(({ type }) => type),
    reason: first.map(({ type, reason }) => `${type}: the question ${reason}`).join('; '),
  };
};

interface NeededKind extends LikelyKind {
  readonly type: SourceType;
}

const isKind = (kind: LikelyKind): kind is NeededKind => kind.type !== 'none';

function learnedReason({ type, words }: NeededKind): Reason {
  const said = words.map((word) => `“${word}”`).join(', ');
  return { type, reason: said === '' ? 'is worded as such questions are' : `says ${said}` };
}

/** What the question says by itself. */
export function decideRoute(question: string, sources: readonly RoutedSource[] = []): RouteDecision {
  const asked = question.slice(0, 2_000);
  const deciding = cues.filter(({ decides }) => decides.test(asked));
  if (deciding.length > 0) return { ...together(deciding), isCertain: true };
  const said = ` ${spoken(asked)} `;
  const named = sources.flatMap(({ name, type }) => {
    const plain = spoken(name);
    const isNamed = plain.length >= 4 && !plainNames.has(plain) && said.includes(` ${plain} `);
    return isNamed ? [{ type, reason: `names the source ${name}` }] : [];
  });
  if (named.length > 0) return { ...together(named), isCertain: false };
  const chances = likelyKinds(asked);
  const none = chances.find(({ type }) => type === 'none')?.chance ?? 0;
  const likely = chances.filter(isKind);
  const [first] = likely;
  if (!first || first.chance < Math.max(leastChance, shareOfNone * none))
    return { types: [], isCertain: false, reason: 'nothing in the question tells one kind of source from another' };
  return {
    ...together(likely.filter(({ chance }) => chance >= alsoNeeded * first.chance).map(learnedReason)),
    // Others may say otherwise, and what contradicts an answer is never hidden.
    isCertain: false,
    ...(first.chance >= plainChance && { isPlain: true as const }),
  };
}

interface Cue {
  readonly type: SourceType;
  /** Follows "the question". */
  readonly reason: string;
  readonly decides: RegExp;
}

const cue = (type: SourceType, reason: string, decides: string): Cue => ({
  type,
  reason,
  decides: new RegExp(decides, 'iu'),
});
const [who, inCode] = ['(?:i|we|one|you)', '(?:repo|repository|code|codebase|project)'];

/** What in a question decides alone for a kind of source, as the requirements name it (R2); matched in any case. */
const cues: readonly Cue[] = [
  cue(
    'code',
    'asks where something is defined',
    String.raw`\bwhere (?:is|are|was|were)\b.+\b(?:defined|declared|implemented|instantiated)\b`,
  ),
  cue(
    'code',
    'asks for an implementation',
    String.raw`\bfind\b.*\bimplementations?\b|\bimplementations? of\b.+\bin (?:our|this|the) ${inCode}\b`,
  ),
  cue(
    'code',
    'asks to locate a class, function or method',
    String.raw`\blocate\b.*\b(?:class|function|method|interface|module|variable|constant)\b`,
  ),
  cue('code', 'asks to be shown code', String.raw`\bshow me\b.*\b(?:code|source|snippet|implementation)\b`),
  cue('textbook', 'asks for the explanation of a pattern', String.raw`\bexplain\b.*\bpatterns?\b`),
  cue('textbook', 'asks what a design is', String.raw`\bwhat (?:is|are)\b.*\bdesigns?\b`),
  cue('textbook', 'asks for a best practice', String.raw`\bbest practices?\b`),
  cue('textbook', 'asks how an architecture should be', String.raw`\bhow should ${who}\b.*\barchitect\w*\b`),
  cue('docs', 'asks how to configure something', String.raw`\bhow (?:to|do (?:i|we|you)|can (?:i|we|you)) configure\b`),
  cue('docs', 'asks for an API', String.raw`\bapis? for\b`),
  cue('docs', 'asks for a usage example', String.raw`\busage examples?\b|\bexamples? of (?:using|usage)\b`),
];
