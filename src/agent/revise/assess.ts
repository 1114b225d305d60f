// The step of a plain question that says whether what was found is enough: answer, answer with a caveat, look for a named gap once more, or say that
// nothing answers. Invariants: it looks again only where the first draft is weak; a draft is exchanged only for a surer one; it ends after its
// rounds, when the budget is spent, or when its share of the time is over.
import type { Composition } from '../../answer/composition.ts';
import { closestBelow } from '../../answer/confidence.ts';
import { termsOf } from '../../answer/question/terms.ts';
import type { EventSink } from '../../core/events.ts';
import type { Evidence } from '../../core/search.ts';
import { quietly, type Reconcile } from '../steps/compose.ts';
import { gapOf } from './gap.ts';
import { composeAgain, type HeldDraft, type RevisePorts, type Reviser, withDegraded, within } from './held-draft.ts';

export interface AssessmentLimits {
  /** Further looks. */
  readonly rounds: number;
  /** Of the time that is left. */
  readonly share: number;
  readonly longestMs: number;
}

export const assessmentLimits: AssessmentLimits = { rounds: 2, share: 0.4, longestMs: 10_000 };

/** A draft is weak below either: what it would show as closest passages alone, or where much of the question is in no claim. */
const weak = { confidence: closestBelow, coverage: 0.5 };
/** By so much another draft has to be surer than this one. */
const leastGain = 0.02;
/** Or it covers so much more of the question, and is by no more than this less sure. */
const muchMore = 0.3;
const littleLess = 0.1;
const component = 'assessment';

const isWeak = ({ claims, composition: { confidence, coverage } }: HeldDraft): boolean =>
  claims.length === 0 || confidence < weak.confidence || coverage < weak.coverage;

const textsOf = (evidence: readonly Evidence[]): readonly string[] =>
  evidence.flatMap(({ title, headingPath, text }) => [title, ...headingPath, text]);

export function createAssessment(limits: AssessmentLimits = assessmentLimits): Reviser {
  return (draft, revising) => {
    const { deadline } = revising.context;
    if (!isWeak(draft)) {
      settle(draft, 1, revising);
      return Promise.resolve(draft);
    }
    const shareMs = Math.min(limits.longestMs, deadline.remainingMs() * limits.share);
    return within(shareMs, revising.context, {
      component,
      effect: 'The answer rests on what was found by then.',
      work: (context) => assess(draft, { ...revising, context }, limits),
      otherwise: (degradation) => withDegraded(draft, [degradation]),
    });
  };
}

/** Says what became of the draft. */
function settle({ claims, composition, state }: HeldDraft, round: number, { context: { sink } }: RevisePorts): void {
  if (claims.length > 0) {
    tellAssessment(composition, round, sink);
    return;
  }
  const isSpent = state.findings.degraded().some(({ component: one }) => one === 'budget');
  const reason = isSpent
    ? 'The budget of the request allows no further look.'
    : (composition.abstainReason ?? 'Nothing that was found answers it.');
  sink({ type: 'assessment', round, verdict: 'unanswerable', reason });
}

/** Of an answer that says something. */
export function tellAssessment(
  { confidence, coverage }: Pick<Composition, 'confidence' | 'coverage'>,
  round: number,
  sink: EventSink,
): void {
  const isUnsure = confidence < weak.confidence;
  if (!isUnsure && coverage >= weak.coverage) {
    sink({ type: 'assessment', round, verdict: 'answer', reason: 'What was found answers the question.' });
    return;
  }
  const reason = isUnsure ? 'The first claim is not sure.' : 'Words of the question are in no claim.';
  sink({ type: 'assessment', round, verdict: 'caveat', reason });
}

async function assess(first: HeldDraft, revising: RevisePorts, { rounds }: AssessmentLimits): Promise<HeldDraft> {
  const { ports, context } = revising;
  const { sink, deadline } = context;
  let draft = first;
  const asked = new Set<string>();
  for (let round = 1; ; round += 1) {
    const { request, findings } = draft.state;
    const isSpent = findings.degraded().some(({ component: one }) => one === 'budget');
    const gap =
      round > rounds || isSpent || !isWeak(draft)
        ? undefined
        : gapOf(request.question, textsOf(findings.evidence()), round > 1);
    if (!gap || asked.has(gap.query) || termsOf(gap.query).length === 0) {
      settle(draft, round, revising);
      return draft;
    }
    asked.add(gap.query);
    const reason = `No passage found speaks of: ${gap.missing.join(', ')}.`;
    sink({ type: 'assessment', round, verdict: 'fill-gap', reason, query: gap.query });
    const more = await ports.gatherer.gatherMore(gap.query, draft.state, { ...context, sink: quietly(sink) });
    deadline.check();
    const next = await composeAgain(draft, { more }, revising);
    if (isSurer(next, draft)) draft = next;
  }
}

function isSurer(next: HeldDraft, before: HeldDraft): boolean {
  if (next.claims.length === 0) return false;
  // What had no answer gets one only where that is sure: abstaining is an answer, too.
  if (before.claims.length === 0) return next.composition.confidence >= weak.confidence;
  const [now, then] = [next.composition, before.composition];
  const coversMuchMore = now.coverage >= then.coverage + muchMore && now.confidence >= then.confidence - littleLess;
  return coversMuchMore || (now.confidence >= then.confidence + leastGain && now.coverage >= then.coverage);
}

/** One more look for what sources disagree about, so that what most of them say can be told. */
export function createReconcile(
  { state: { findings, ...state } }: HeldDraft,
  { ports, context }: RevisePorts,
): Reconcile {
  return (conflicts) => {
    const [open] = conflicts.filter(({ follows }) => !follows);
    const { deadline, sink } = context;
    if (!open) return Promise.resolve(false);
    const query = `${open.about} ${state.request.question}`.slice(0, 400).toWellFormed();
    sink({
      type: 'assessment',
      round: 1,
      verdict: 'reconcile',
      reason: `Sources disagree about ${open.about.slice(0, 100).toWellFormed()}.`,
      query,
    });
    const known = findings.evidence().length;
    return within(Math.min(assessmentLimits.longestMs, deadline.remainingMs() * assessmentLimits.share), context, {
      component,
      effect: 'What sources disagree about is told as it was found.',
      async work(own) {
        findings.add(await ports.gatherer.gatherMore(query, { ...state }, { ...own, sink: quietly(sink) }));
        return findings.evidence().length > known;
      },
      otherwise(degradation) {
        findings.add({ evidence: [], routing: findings.routing, degraded: [degradation], toolCalls: 0 });
        return false;
      },
    });
  };
}
