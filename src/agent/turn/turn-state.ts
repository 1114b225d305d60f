// A turn as data: what is known of it after each of its steps. Invariant: a step reads what the steps before it left and adds its own, so
// that any of them can be put in the place of another one that leaves the same.
import type { Composition } from '../../answer/composition.ts';
import type { RenderedAnswer } from '../../answer/render.ts';
import type { Answer, AnswerCritique, AnswerPart, AnswerSection, ClaimCounts, Intent } from '../../core/answer.ts';
import type { RequestContext } from '../../core/context.ts';
import type { ToldTurn } from '../../core/conversation.ts';
import type { Degradation, Evidence, Mode, Routing, SearchOptions } from '../../core/search.ts';
import type { Plan } from '../plan/plan.ts';

export interface TurnRequest extends SearchOptions {
  /** The question as it will be searched: follow-ups are resolved before. */
  readonly question: string;
  /** The user's own message, before references to earlier turns were resolved. */
  readonly content?: string;
  readonly mode: Mode;
  readonly sessionId?: string;
  readonly turnId?: string;
  /** What was said before in the session, for models. */
  readonly conversation?: readonly ToldTurn[];
  /** How whoever asks wants answers to sound, for a model that writes. */
  readonly wishes?: string;
  /** What the door already had to leave out. */
  readonly degraded: readonly Degradation[];
}

/** The request's context, and the times of its steps. */
export interface TurnContext extends RequestContext {
  /** Runs a step under a name for the answer's timings; throws when the request's time is over. */
  readonly timed: <T>(name: string, work: () => T | Promise<T>) => Promise<T>;
}

/** After `understand`. */
export interface Understood {
  readonly request: TurnRequest;
  readonly intent: Intent;
  /** What was left out so far, and why. */
  readonly degraded: readonly Degradation[];
}

/** After `plan`. */
export interface Planned extends Understood {
  /** The parts of a question that asks several things; absent where it asks one. */
  readonly plan?: Plan;
  /** 0..1; absent where nobody told. */
  readonly complexity?: number;
}

/** What one look for evidence found. */
export interface Gathering {
  /** Ranked, best first. */
  readonly evidence: readonly Evidence[];
  readonly routing: Routing;
  readonly degraded: readonly Degradation[];
  /** Searches, and whatever else was asked of tools. */
  readonly toolCalls: number;
  /** Another store served than the one that the mode names. */
  readonly usedFallback?: true;
}

/** All that was found for a question so far; it grows while claims are composed. */
export interface Findings {
  /** Of the first look, best first: what is read for the answer. */
  readonly first: readonly Evidence[];
  /** Of the first look, with what any of them took from earlier searches. */
  routing(): Routing;
  /** Everything found, each chunk once. */
  evidence(): readonly Evidence[];
  degraded(): readonly Degradation[];
  toolCalls(): number;
  usedFallback(): boolean;
  /** Takes in what another look found. */
  add(more: Gathering): void;
}

/** After `gather`. */
export interface Gathered extends Understood {
  readonly findings: Findings;
}

/** After `compose`: what was streamed, each claim after its check. */
export interface Composed extends Gathered {
  readonly composition: Composition;
  readonly rendered: RenderedAnswer;
  /** Of a question that was taken apart. */
  readonly parts?: readonly AnswerPart[];
  /** Of a draft that a critic looked at. */
  readonly critique?: AnswerCritique;
}

/** After `verify`: the parts of an answer, whole and checked; all that is left to say is what it took. */
export interface Verified
  extends Understood,
    Pick<
      Answer,
      | 'marks'
      | 'claims'
      | 'passages'
      | 'citations'
      | 'conflicts'
      | 'agreements'
      | 'sources'
      | 'coverage'
      | 'confidence'
      | 'closestPassages'
      | 'ragEnabled'
    > {
  readonly text: string;
  readonly parts?: readonly AnswerPart[];
  readonly critique?: AnswerCritique;
  /** Of an analysis. */
  readonly sections?: readonly AnswerSection[];
  readonly abstainReason?: string;
  readonly disclaimer?: string;
  readonly routing: Routing;
  readonly toolCalls: number;
  readonly usedFallback: boolean;
  /** A model proposed what was released, or found that nothing answers. */
  readonly isByModel: boolean;
  /** What became of the claims that a model proposed. */
  readonly claimCounts?: ClaimCounts;
  /** What a model read that was shown summaries first. */
  readonly hydration?: Composition['hydration'];
}
