// Judges the claims of one answer, each in a call of its own, so that orders in one passage reach no verdict but that of the claim which
// cites it. Invariants: a decision only ever refuses; judging takes no more than its share of the time, however the judge behaves;
// what was not judged stays as the verifier left it, and `degraded` says so once.
import type { CallContext } from '../../core/context.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Degradation, Evidence } from '../../core/search.ts';
import type { RoleFailure } from '../../models/role-question.ts';
import type { VerifiedClaim } from '../claims/draft.ts';
import type { JudgedQuote } from '../prompts/judge-claim.ts';
import type { Judge, Judgement } from './judge.ts';

export interface Decision {
  readonly isRefused: boolean;
  /** For the trace: `judged-supported: …`, `judged-unsupported: …`, `judged-unclear: …`, `judged-undecided: …`, `not-judged: …`. */
  readonly reasons: readonly string[];
}

export interface Judging {
  /**
   * The judge's word on a claim that the verifier kept, read in its passages of `evidence`. Never throws: of a request that is over
   * nothing is refused, and who shows claims looks at the deadline first.
   */
  decide(claim: VerifiedClaim, evidence: readonly Evidence[]): Promise<Decision>;
  /** At most one entry; empty where every claim was judged. */
  degraded(): Degradation[];
}

export interface JudgingOptions {
  readonly judge: Judge;
  readonly context: CallContext;
  /** Time that judging all claims of the answer may take; calls at the same time count once. Default 5,000. */
  readonly shareMs?: number;
}

const judgeComponent = 'judge';

const defaultShareMs = 5_000;
/** A call takes at most this part of what is left of the request, so that the answer is never lost to its judge. */
const mostOfRemaining = 0.25;
const mostAtOnce = 3;
/** A judge that failed so often is left alone for the rest of the answer. */
const mostFailures = 2;
/** Characters of the passage before and after a quote that are shown with it. */
const surroundings = 400;

export function createJudging({ judge, context, shareMs = defaultShareMs }: JudgingOptions): Judging {
  const { deadline, sink, clock } = context;
  const queue: (() => void)[] = [];
  let running = 0;
  let busySince = 0;
  let busyMs = 0;
  let failures = 0;
  let first: RoleFailure | undefined;
  let undecided = 0;

  const leftMs = (): number => {
    const takenMs = busyMs + (running > 0 ? clock.elapsedMs() - busySince : 0);
    return Math.min(shareMs - takenMs, deadline.remainingMs() * mostOfRemaining);
  };
  async function enter(): Promise<void> {
    if (running === 0) busySince = clock.elapsedMs();
    if (running < mostAtOnce) running += 1;
    // Who leaves hands its place on.
    else await new Promise<void>((resolve) => queue.push(resolve));
  }
  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
    if (running === 0) busyMs += clock.elapsedMs() - busySince;
  }
  const pass = (failure: RoleFailure, reason: string): Decision => {
    first ??= failure;
    undecided += 1;
    return { isRefused: false, reasons: [reason] };
  };
  const fail = (failure: RoleFailure): Decision => pass(failure, `not-judged: ${failure.code}`);
  const asked = (judgement: Judgement): Decision => {
    if (judgement.failure) {
      failures += 1;
      return fail(judgement.failure);
    }
    const [said] = judgement.verdicts;
    if (said?.verdict === 'supported' || said?.verdict === 'undecided')
      return { isRefused: false, reasons: [`judged-${said.verdict}: ${said.reason}`] };
    if (said?.verdict === 'unsupported') return { isRefused: true, reasons: [`judged-unsupported: ${said.reason}`] };
    const detail = 'The judge could not tell whether the cited text carries a claim.';
    return pass({ code: 'judge-unclear', detail }, `judged-unclear: ${said?.reason ?? ''}`);
  };

  return {
    async decide(claim, evidence) {
      await enter();
      try {
        const allowedMs = leftMs();
        if (failures >= mostFailures && first) return fail(first);
        if (allowedMs <= 1)
          return fail({ code: 'deadline-exceeded', detail: 'The time for judging claims was used up.' });
        const quotes = claim.spans.map((span) => toJudgedQuote(span, evidence));
        return asked(await judge.judge([{ text: claim.text, quotes }], { deadline, sink, clock, shareMs: allowedMs }));
      } catch (thrown) {
        const { code, message } = toFootnoteError(thrown);
        failures += 1;
        return fail({ code, detail: message });
      } finally {
        leave();
      }
    },
    degraded() {
      if (!first) return [];
      const { code, detail } = first;
      const count = undecided === 1 ? 'One claim was' : `${undecided} claims were`;
      return [
        {
          component: judgeComponent,
          code,
          detail: `${detail} ${count} left undecided by the judge.`,
          effect: 'Only the check against the cited text by rules decided there.',
        },
      ];
    },
  };
}

/** The span with what stands around it in the passage it was read in. */
function toJudgedQuote(span: VerifiedClaim['spans'][number], evidence: readonly Evidence[]): JudgedQuote {
  const { title, quote, columns, chunkId, start, end } = span;
  // A row far below its header says little without it.
  const header = columns ? `${columns.names.join(' | ')}\n` : '';
  const passage = evidence.find((one) => one.chunkId === chunkId && one.start <= start && end <= one.end);
  if (!passage) return { title, quote, before: header, after: '' };
  const before = passage.text.slice(0, start - passage.start);
  const after = passage.text.slice(end - passage.start);
  return {
    title,
    quote,
    before: `${header}${before.slice(-surroundings)}`.toWellFormed(),
    after: after.slice(0, surroundings).toWellFormed(),
  };
}
