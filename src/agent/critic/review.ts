// The step that has a critic look at a draft before it is released, and does what it wants as far as that holds: takes claims away, words them anew,
// searches again, reads passages whole. Invariants: it ends after its rounds and its share of the time whatever the critic does; a claim that is
// worded anew is checked by the verifier against the same quotes; a critic alone cannot take away the last claim that the rules believe.
import type { SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import { verifyDraft } from '../../answer/verify.ts';
import type { AnswerCritique } from '../../core/answer.ts';
import type { Degradation } from '../../core/search.ts';
import { closestBelow } from '../../passages/sureness.ts';
import { termSet, termsOf } from '../../text/terms.ts';
import {
  composeAgain,
  type HeldDraft,
  type RevisePorts,
  type Reviser,
  withClaim,
  withDegraded,
  within,
} from '../revise/held-draft.ts';
import { quietly } from '../steps/compose.ts';
import type { Gathering } from '../turn/turn-state.ts';
import type { Critic, Critique } from './critic.ts';

export interface ReviewLimits {
  /** Looks of the critic. */
  readonly rounds: number;
  /** Of the time that is left. */
  readonly share: number;
  readonly longestMs: number;
}

export const reviewLimits: ReviewLimits = { rounds: 2, share: 0.5, longestMs: 20_000 };

/** A draft is weak below either: it would be shown as closest passages alone, or much of the question is in no claim. */
const weak = { confidence: closestBelow, coverage: 0.5 };

const component = 'critic';
/** Where confidence in the first claim is no higher than this, a critic may take away all. */
const insufficientConfidence = 0.19;
const effect = 'The draft was released as it was by then.';

type Counts = Pick<AnswerCritique, 'removed' | 'revised' | 'searches'>;

interface Reviewed {
  readonly draft: HeldDraft;
  readonly critique?: AnswerCritique;
}

export function createReview(critic: Critic, limits: ReviewLimits = reviewLimits): Reviser {
  return async (first, revising) => {
    const { deadline } = revising.context;
    /** Grows while the critic speaks, so that nothing of it is lost when its time ends. */
    let reviewed: Reviewed = { draft: first };
    const shareMs = Math.min(limits.longestMs, deadline.remainingMs() * limits.share);
    const late = await within<readonly Degradation[]>(shareMs, revising.context, {
      component,
      effect,
      async work(context) {
        await review(first, {
          critic,
          limits,
          revising: { ...revising, context },
          keep: (now) => {
            reviewed = now;
          },
        });
        return [];
      },
      otherwise: (degradation) => [degradation],
    });
    const { draft, critique } = reviewed;
    return withDegraded({ ...draft, ...(critique && { critique }) }, late);
  };
}

/** The same for weak drafts alone: one that is sure and covers the question is left as it is. */
export function createAssessment(critic: Critic, limits: ReviewLimits = reviewLimits): Reviser {
  const reviewed = createReview(critic, limits);
  return async (draft, revising) => {
    const { confidence, coverage } = draft.composition;
    const isWeak = draft.claims.length === 0 || confidence < weak.confidence || coverage < weak.coverage;
    return isWeak ? reviewed(draft, revising) : draft;
  };
}

async function review(
  first: HeldDraft,
  {
    critic,
    limits: { rounds },
    revising,
    keep,
  }: {
    readonly critic: Critic;
    readonly limits: ReviewLimits;
    readonly revising: RevisePorts;
    readonly keep: (now: Reviewed) => void;
  },
): Promise<void> {
  const { sink, deadline } = revising.context;
  let draft = first;
  const counts = { removed: 0, revised: 0, searches: 0 };
  const searched = new Set<string>();
  let said: AnswerCritique | undefined;
  for (let round = 1; round <= rounds; round += 1) {
    const critique = await critic(draft, { ...revising.context, shareMs: deadline.remainingMs() });
    if ('failure' in critique) {
      sink({ type: 'degraded', degradation: critique.failure });
      keep({ draft: withDegraded(draft, [critique.failure]), ...(said && { critique: said }) });
      return;
    }
    const isLast = round === rounds;
    const queries = isLast ? [] : critique.queries.filter((query) => !searched.has(query));
    for (const query of queries) searched.add(query);
    const { verdict, coverage, groundedness, reason, model, remove, revise } = critique;
    sink({
      type: 'critic',
      round,
      verdict,
      coverage,
      groundedness,
      reason,
      model,
      removed: remove.length,
      revised: revise.length,
      queries: [...queries],
    });
    const told = (): AnswerCritique => ({
      verdict,
      coverage,
      groundedness,
      rounds: round,
      model,
      ...counts,
    });
    draft = takeAway(draft, critique, counts);
    draft = await reword(draft, critique, { counts, revising });
    said = told();
    keep({ draft, critique: said });
    const read = isLast ? [] : critique.read;
    if (verdict === 'release' || isLast) return;
    if (queries.length > 0 || read.length > 0) {
      draft = await lookAgain(draft, { queries, read, counts }, revising);
      keep({ draft, critique: told() });
    } else if (remove.length === 0 && revise.length === 0) return;
  }
}

/** The last claim stands where the rules believe it. */
function takeAway(draft: HeldDraft, { remove }: Critique, counts: Counts & { removed: number }): HeldDraft {
  let next = draft;
  for (const claim of remove) {
    const isLast = next.claims.length === 1;
    if (!next.claims.includes(claim)) continue;
    if (isLast && next.composition.confidence >= insufficientConfidence) {
      const detail = 'The critic wanted no claim kept; rules find that the first one answers.';
      return withDegraded(next, [{ component, code: 'critic-overruled', detail, effect: 'It stands.' }]);
    }
    next = withClaim(next, claim, undefined);
    counts.removed += 1;
    if (!isLast) continue;
    const abstainReason = 'The critic found that no claim of the draft answers the question.';
    next = { ...next, composition: { ...next.composition, abstainReason } };
  }
  return next;
}

/** Only what the verifier lets pass over the same quotes, and what says no less of the question. */
async function reword(
  draft: HeldDraft,
  { revise }: Critique,
  {
    counts,
    revising: { ports, context },
  }: { readonly counts: Counts & { revised: number }; readonly revising: RevisePorts },
): Promise<HeldDraft> {
  let next = draft;
  const { question } = draft.state.request;
  for (const { claim, text } of revise) {
    if (!next.claims.includes(claim) || saidOf(question, text) < saidOf(question, claim.text)) continue;
    const revised = await checkedAgain(claim, text, ports.readSpan, context.deadline.signal);
    context.sink({
      type: 'verdict',
      claim: text,
      support: revised?.support ?? 0,
      kept: revised !== undefined,
      reasons: revised ? ['reworded-by-critic'] : ['reworded-by-critic: its quotes do not carry it'],
    });
    if (!revised) continue;
    next = withClaim(next, claim, revised);
    counts.revised += 1;
  }
  return next;
}

async function checkedAgain(
  claim: VerifiedClaim,
  text: string,
  readSpan: SpanReader,
  signal: AbortSignal,
): Promise<VerifiedClaim | undefined> {
  const { relevance } = claim;
  const spans = claim.spans.map(({ documentId, chunkId, start, end }) => ({ documentId, chunkId, start, end }));
  const { claims } = await verifyDraft({ claims: [{ text, spans, relevance }] }, readSpan, {
    signal,
  });
  return claims[0];
}

/** How many words of the question a text holds. */
function saidOf(question: string, text: string): number {
  const held = termSet(text);
  return new Set(termsOf(question).flatMap(({ term }) => (held.has(term) ? [term] : []))).size;
}

/** Searches and reads for the critic; what is composed of it is taken where it is surer, or says more. */
async function lookAgain(
  draft: HeldDraft,
  {
    queries,
    read,
    counts,
  }: {
    readonly queries: readonly string[];
    readonly read: Critique['read'];
    readonly counts: Counts & { searches: number };
  },
  revising: RevisePorts,
): Promise<HeldDraft> {
  const { ports, context } = revising;
  const own = { ...context, sink: quietly(context.sink) };
  const found: Gathering[] = [];
  for (const query of queries) {
    context.deadline.check();
    counts.searches += 1;
    found.push(await ports.gatherer.gatherMore(query, draft.state, own));
  }
  const [first] = found;
  const more = first && {
    ...first,
    evidence: found.flatMap(({ evidence }) => evidence),
    degraded: found.flatMap(({ degraded }) => degraded),
    toolCalls: found.reduce((sum, { toolCalls }) => sum + toolCalls, 0),
  };
  const next = await composeAgain(
    draft,
    {
      ...(more && { more }),
      first: new Set(read.map(({ chunkId }) => chunkId)),
      ...(read.length > 0 && { contextTokens: 2 * ports.contextTokens }),
    },
    revising,
  );
  if (draft.parts) return withAnsweredParts(draft, next);
  const isBetter =
    next.claims.length > 0 &&
    (draft.claims.length === 0 ||
      // More of the question, or as much and surer: what was found now may leave the choice less clear.
      next.composition.coverage > draft.composition.coverage ||
      (next.composition.coverage === draft.composition.coverage &&
        next.composition.confidence >= draft.composition.confidence));
  return isBetter ? next : draft;
}

/** Of a question of parts the draft stands; what was found now fills parts that have no claim. */
function withAnsweredParts(draft: HeldDraft, next: HeldDraft): HeldDraft {
  const added: VerifiedClaim[] = [];
  const parts = draft.parts?.map((part) => {
    if (part.claims.length > 0) return part;
    const claim = next.claims.find(
      (one) =>
        !added.includes(one) &&
        saidOf(part.question, `${one.text} ${one.spans.map(({ title }) => title).join(' ')}`) >=
          0.6 * termsOf(part.question).length,
    );
    if (!claim) return part;
    added.push(claim);
    return { question: part.question, claims: [claim] };
  });
  return added.length === 0 ? draft : { ...draft, claims: [...draft.claims, ...added], ...(parts && { parts }) };
}
