// How a turn answers a question which asks several things: each part is searched and answered by itself, several at the same time, and
// the answer goes through them in their order. Invariant: every part is answered by claims that were checked, or named as missing.

import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composition } from '../../answer/composition.ts';
import type { AnswerPart } from '../../core/answer.ts';
import type { Degradation } from '../../core/search.ts';
import { termSet } from '../../text/terms.ts';
import type { Plan, SubQuery } from '../plan/plan.ts';
import { type Outcome, reserveOf, runPlan } from '../plan/run-plan.ts';
import {
  type ComposeOptions,
  type ComposeStepPorts,
  compose,
  conclude,
  createReleasing,
  type Releasing,
  withUnjudged,
} from '../steps/compose.ts';
import { searchRefusal } from '../turn/budgeted-search.ts';
import { evidenceInTurn } from '../turn/in-turn.ts';
import type { Composed, Findings, Planned, TurnContext } from '../turn/turn-state.ts';
import { type AskedPart, type AskPartPorts, askPart, isOfCriterion } from './ask-part.ts';
import { firstRoutingOnly, joinCompositions, joinFindings, lostOf, resultsOf, whyAllLost } from './joined.ts';

/** Parts that are searched at the same time: on two processors more would only wait for each other. */
const partsAtOnce = 3;
/** SPEC section 5, O2. */
const partTimeoutMs = 30_000;
/** A part is looked for so often. */
const rounds = 2;
/** Claims of an answer to several questions (SPEC section 4, A4b); with more parts than that each has one. */
const mostClaims = 5;
const leastContextTokens = 250;
/** Of the words of a part, that a claim about the whole holds where it answers the part. */
const leastShare = 0.6;

/** What no part tells by itself. */
const needsModel = (asked: string): Degradation => ({
  component: 'decomposition',
  code: 'needs-model',
  detail: `No model weighs what was found: "${asked}" Set MODEL_ANSWER to have it told.`,
  effect: 'What documents say of each is shown under its name.',
});

export interface DividedState extends Planned {
  readonly plan: Plan;
}

export async function answerParts(
  state: DividedState,
  ports: ComposeStepPorts & ComposeOptions,
  context: TurnContext,
): Promise<Composed> {
  const { plan, intent } = state;
  const { sink, deadline, clock } = context;
  const { subQueries } = plan;
  sink({ type: 'status', stage: 'searching' });
  const composer = ports.composerFor?.(intent);
  const partPorts: AskPartPorts = {
    gatherer: ports.partGatherer ?? ports.gatherer,
    deeper: ports.gatherer,
    readSpan: ports.readSpan,
    passageScorer: ports.passageScorer,
    // A model is asked once, for the whole.
    composer: composer?.isByModel ? undefined : composer,
    contextTokens: Math.max(leastContextTokens, Math.floor(ports.contextTokens / subQueries.length)),
    maxClaims: Math.max(1, Math.floor(mostClaims / subQueries.length)),
    rounds,
  };
  const own = { ...context, sink: firstRoutingOnly(sink) };
  const outcomes = await context.timed('partsMs', () =>
    runPlan<AskedPart>(plan, {
      work: (subQuery, earlier, share) =>
        askPart(subQuery, { state, earlier, deadline: share }, { ports: partPorts, context: own }),
      deadline,
      clock,
      atOnce: partsAtOnce,
      timeoutMs: partTimeoutMs,
      reserveMs: reserveOf(deadline),
    }),
  );
  const asked = resultsOf(outcomes);
  const findings = mergedFindings(asked);
  const releasing = ports.releasing ?? createReleasing(findings, ports.spanUrl, sink);
  const isAnswered = asked.some(({ claims }) => claims.length > 0);
  const isSure = asked.some(({ claims, composition }) => claims.length > 0 && !composition.isUnsure);
  // A model is shown what was found for all parts; where no part has an answer, the question is tried as one.
  const whole =
    asked.length > 0 && (composer?.isByModel || !isAnswered)
      ? await compose(
          { ...state, findings },
          { ...ports, releasing: isSure ? unlessClosest(releasing) : releasing },
          context,
        )
      : undefined;
  if (!whole) sink({ type: 'status', stage: 'answering' });
  const wholeClaims = [...releasing.claims];
  const answered = asked.filter(({ claims }) => claims.length > 0);
  // One part that is sure makes it an answer; which one that is, its parts say.
  if (!whole && answered.every(({ composition }) => composition.isUnsure)) releasing.openAsClosest();
  const places = new Map(wholeClaims.map((claim, at) => [keyOf(claim), at + 1]));
  const parts = subQueries.map((subQuery, at): AnswerPart => {
    const { query } = subQuery;
    const outcome = outcomes[at];
    const said = outcome?.ok ? outcome.result.claims : [];
    const covered = wholeClaims.flatMap((claim, place) => (answers(claim, subQuery, said) ? [place + 1] : []));
    if (covered.length > 0) return { question: query, claims: covered };
    const claims = said.map((claim) => {
      const known = places.get(keyOf(claim));
      if (known !== undefined) return known;
      releasing.release(claim);
      places.set(keyOf(claim), releasing.claims.length);
      return releasing.claims.length;
    });
    return {
      question: query,
      claims: [...new Set(claims)],
      ...(claims.length === 0
        ? { missing: reasonOf(outcome) }
        : outcome?.ok && outcome.result.closest !== undefined && { missing: outcome.result.closest }),
    };
  });
  const unjudged = ports.releasing ? [] : await conclude(releasing, findings, { ports, context });
  const composition = mergedComposition(asked, subQueries.length, whole?.composition);
  const undone = composer?.isByModel || !isAnswered ? [] : (plan.weighs ?? []).map(needsModel);
  const lost = lostOf(outcomes, (at, why) => ({
    component: 'decomposition',
    detail: `The part "${subQueries[at]?.query ?? ''}" was not answered: ${why}`,
    effect: 'The other parts are.',
  }));
  for (const degradation of [...lost, ...undone]) sink({ type: 'degraded', degradation });
  const allLost = whyAllLost(outcomes);
  return {
    ...state,
    findings,
    composition: withUnjudged(allLost === undefined ? composition : { ...composition, abstainReason: allLost }, [
      ...lost,
      ...undone,
      ...unjudged,
    ]),
    rendered: releasing.rendered(),
    parts,
  };
}

/** Where parts have answers of their own, what only comes closest to the whole question says less than they do. */
function unlessClosest(releasing: Releasing): Releasing {
  let isClosest = false;
  return {
    claims: releasing.claims,
    release: (claim) => {
      if (!isClosest) releasing.release(claim);
    },
    showPassages: releasing.showPassages,
    reword: releasing.reword,
    openAsClosest: () => {
      isClosest = true;
    },
    conclude: releasing.conclude,
    rendered: releasing.rendered,
  };
}

const keyOf = ({ text, spans }: VerifiedClaim): string =>
  JSON.stringify([text, ...spans.map(({ documentId, start, end }) => [documentId, start, end])]);

/** Whether a claim about the whole question answers a part: it rests on what the part found, or speaks of most that the part asks. */
function answers(claim: VerifiedClaim, subQuery: SubQuery, said: readonly VerifiedClaim[]): boolean {
  const { query, thing } = subQuery;
  if (!isOfCriterion(claim, subQuery)) return false;
  const own = said.flatMap(markedOf);
  if (
    claim.spans.some(({ documentId, start, end }) =>
      own.some((other) => other.documentId === documentId && other.start < end && start < other.end),
    )
  )
    return true;
  const told = [claim.text, ...claim.spans.map(({ title, quote }) => `${title} ${quote}`)].join('\n');
  if (thing && !termSet(thing.name).isSubsetOf(termSet(told))) return false;
  const wanted = termSet(query);
  const held = termSet(told);
  const share = [...wanted].filter((term) => held.has(term)).length / Math.max(1, wanted.size);
  return share >= leastShare;
}

/** Where a part found its answer: of a passage the place that is marked in it, of a sentence that leads the place where it stands. */
function markedOf({ spans, pinpoint, form, text }: VerifiedClaim): VerifiedClaim['spans'] {
  return spans.map((span) => {
    const at = form === 'sentence' ? span.quote.indexOf(text) : -1;
    const marked = at < 0 ? pinpoint : { start: at, end: at + text.length };
    return marked ? { ...span, start: span.start + marked.start, end: span.start + marked.end } : span;
  });
}

function reasonOf(outcome: Outcome<AskedPart> | undefined): string {
  if (!outcome) return 'It was not asked.';
  if (!outcome.ok) return outcome.error.message;
  const { composition, findings, beside } = outcome.result;
  return (
    searchRefusal(findings.degraded()) ??
    beside ??
    composition.abstainReason ??
    (findings.evidence().length === 0
      ? 'Nothing in the searched documents matches it.'
      : 'No claim could be verified against the documents found.')
  );
}

/** What each part found, the best of each first. */
function mergedFindings(asked: readonly AskedPart[]): Findings {
  const findings = asked.map((one) => one.findings);
  return joinFindings(findings, evidenceInTurn(findings.map((one) => one.evidence())));
}

function mergedComposition(asked: readonly AskedPart[], count: number, whole: Composition | undefined): Composition {
  const answered = asked.filter(({ claims }) => claims.length > 0);
  if (whole && (answered.length === 0 || whole.isByModel)) return whole;
  const compositions = asked.map(({ composition }) => composition);
  const reasons = asked.flatMap(({ composition }) => composition.abstainReason ?? []);
  const joined = joinCompositions(compositions);
  return {
    ...joined,
    coverage: answered.reduce((sum, { composition }) => sum + composition.coverage, 0) / count,
    // The chance that the first claim answers what it is there for.
    confidence: answered[0]?.composition.confidence ?? Math.max(0, ...compositions.map(({ confidence }) => confidence)),
    ...(answered.length > 0 && answered.every(({ composition }) => composition.isUnsure) && { isUnsure: true }),
    ...(answered.length === 0 && reasons[0] !== undefined && { abstainReason: reasons[0] }),
    degraded: [...joined.degraded, ...(whole?.degraded ?? [])],
  };
}
