// A draft that is looked at once more before anything of it is shown: claims that passed their check, and what they were composed from. Invariants:
// what a reviser adds went through a composer or the verifier like any other claim; a reviser that fails leaves the draft as it was.

import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composition } from '../../answer/composition.ts';
import { renderAnswer } from '../../answer/render.ts';
import type { AnswerCritique } from '../../core/answer.ts';
import { createShare } from '../../core/deadline.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { EventSink } from '../../core/events.ts';
import type { Degradation } from '../../core/search.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import {
  type ComposeStepPorts,
  compose,
  conclude,
  createReleasing,
  type Releasing,
  withUnjudged,
} from '../steps/compose.ts';
import { evidenceInTurn } from '../turn/in-turn.ts';
import type { Composed, Gathered, Gathering, TurnContext } from '../turn/turn-state.ts';

interface DraftPart {
  readonly question: string;
  readonly claims: readonly VerifiedClaim[];
  readonly missing?: string;
}

export interface HeldDraft {
  readonly state: Gathered;
  readonly composition: Composition;
  readonly claims: readonly VerifiedClaim[];
  /** Of a question that was taken apart. */
  readonly parts?: readonly DraftPart[];
  readonly critique?: AnswerCritique;
}

export interface RevisePorts {
  readonly ports: ComposeStepPorts;
  readonly context: TurnContext;
}

/** Gives the draft back, or a better one. Throws only the request's own `cancelled` and `deadline-exceeded`. */
export type Reviser = (draft: HeldDraft, ports: RevisePorts) => Promise<HeldDraft>;

/** Takes claims and shows none. */
export function createHolding(): Releasing {
  const claims: VerifiedClaim[] = [];
  const rendered = renderAnswer({ claims: [], evidence: [], spanUrl: () => '' });
  return {
    claims,
    release: (claim) => void claims.push(claim),
    showPassages: () => undefined,
    reword: () => undefined,
    openAsClosest: () => undefined,
    conclude: () => undefined,
    rendered: () => rendered,
  };
}

export function draftOf(
  { composition, rendered: _, parts, ...state }: Composed,
  { claims }: Pick<Releasing, 'claims'>,
): HeldDraft {
  return {
    state,
    composition,
    claims: [...claims],
    ...(parts && {
      parts: parts.map(({ question, claims: places, missing }) => ({
        question,
        claims: places.flatMap((place) => claims[place - 1] ?? []),
        ...(missing !== undefined && { missing }),
      })),
    }),
  };
}

/** Shows what is left of the draft, and what stands against it. */
export async function releaseDraft(
  { state, composition, claims, parts, critique }: HeldDraft,
  { ports, context }: RevisePorts,
): Promise<Composed> {
  const releasing = createReleasing(state.findings, ports.spanUrl, context.sink);
  if (composition.isUnsure) releasing.openAsClosest();
  for (const claim of claims) releasing.release(claim);
  const unjudged = await conclude(releasing, state.findings, { ports, context });
  const placeOf = (claim: VerifiedClaim): readonly number[] => {
    const at = releasing.claims.indexOf(claim);
    return at < 0 ? [] : [at + 1];
  };
  return {
    ...state,
    composition: withUnjudged(composition, unjudged),
    rendered: releasing.rendered(),
    ...(critique && { critique }),
    ...(parts && {
      parts: parts.map(({ question, claims: own, missing }) => {
        const places = own.flatMap(placeOf);
        const why = missing ?? 'What was found for it did not hold when it was looked at once more.';
        return { question, claims: places, ...(places.length === 0 && { missing: why }) };
      }),
    }),
  };
}

/** The draft with one claim in the place of another, or none. */
export function withClaim(draft: HeldDraft, claim: VerifiedClaim, instead: VerifiedClaim | undefined): HeldDraft {
  const exchange = (list: readonly VerifiedClaim[]): readonly VerifiedClaim[] =>
    list.flatMap((one) => (one === claim ? (instead ?? []) : one));
  return {
    ...draft,
    claims: exchange(draft.claims),
    ...(draft.parts && { parts: draft.parts.map((part) => ({ ...part, claims: exchange(part.claims) })) }),
  };
}

/** Stages are told of the first draft alone. */
const withoutStages =
  (sink: EventSink): EventSink =>
  (event) => {
    if (event.type !== 'status' && event.type !== 'routing' && event.type !== 'retrieval' && event.type !== 'reranking')
      sink(event);
  };

export interface ComposeAgain {
  /** What another look found; its best is read first. */
  readonly more?: Gathering;
  /** Chunks to be read before all others. */
  readonly first?: ReadonlySet<string>;
  /** Default: as many as for the first draft. */
  readonly contextTokens?: number;
}

/** Composes the whole question anew, with what else was found. Throws what a composer throws. */
export async function composeAgain(
  { state, ...draft }: HeldDraft,
  { more, first = new Set(), contextTokens }: ComposeAgain,
  { ports, context }: RevisePorts,
): Promise<HeldDraft> {
  if (more) state.findings.add(more);
  const known = evidenceInTurn([state.findings.first, more?.evidence ?? []]);
  const evidence = [
    ...known.filter(({ chunkId }) => first.has(chunkId)),
    ...known.filter(({ chunkId }) => !first.has(chunkId)),
  ];
  const holding = createHolding();
  const composed = await compose(
    { ...state, findings: { ...state.findings, first: evidence } },
    { ...ports, releasing: holding, ...(contextTokens !== undefined && { contextTokens }) },
    { ...context, sink: withoutStages(context.sink) },
  );
  return { ...draft, ...draftOf(composed, holding) };
}

/** Runs work of a reviser within its share of the time; what fails, or does not end, is told and leaves `otherwise`. */
export async function within<Result>(
  shareMs: number,
  context: TurnContext,
  {
    component,
    effect,
    work,
    otherwise,
  }: {
    readonly component: string;
    readonly effect: string;
    readonly work: (own: TurnContext) => Promise<Result>;
    readonly otherwise: (degradation: Degradation) => Result;
  },
): Promise<Result> {
  const { deadline, clock, sink } = context;
  deadline.check();
  const share = createShare(deadline, shareMs, clock);
  const own: TurnContext = {
    ...context,
    deadline: share,
    timed: (name, step) => context.timed(name, step),
  };
  try {
    return await untilAborted(work(own), share.signal);
  } catch (thrown) {
    deadline.check();
    const isLate = share.isOver();
    const { code, message } = toFootnoteError(thrown);
    const degradation = isLate
      ? { component, code: 'deadline-exceeded', detail: 'It took longer than its share of the time.', effect }
      : { component, code, detail: message, effect };
    sink({ type: 'degraded', degradation });
    return otherwise(degradation);
  }
}

/** The draft, and what could not be done for it. */
export const withDegraded = (draft: HeldDraft, degraded: readonly Degradation[]): HeldDraft =>
  degraded.length === 0
    ? draft
    : { ...draft, composition: { ...draft.composition, degraded: [...draft.composition.degraded, ...degraded] } };
