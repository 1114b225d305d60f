// Puts claims that rules cannot decide on to a judge that sees nothing but the claims and their quotes. Invariants: only what the verifier
// left undecided is asked about, so a contradiction is never a judge's to overlook; claims that come while a call is under way are put
// together in the next one; without a clear word nothing is admitted, and `degraded` says why.
import type { CallContext } from '../../core/context.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';
import type { RoleFailure } from '../../models/role-question.ts';
import type { UndecidedClaim, VerifiedClaim } from '../claims/draft.ts';
import type { Judge } from './judge.ts';

export interface Admitted {
  /** The claim as it may be shown; absent: it may not. */
  readonly kept?: VerifiedClaim;
  /** For the trace: `judged-supported: …`, `judged-unsupported: …`, `judged-unclear: …`, `not-judged: …`. */
  readonly reasons: readonly string[];
}

export interface Admission {
  /** Never rejects. */
  admit(undecided: UndecidedClaim): Promise<Admitted>;
  /** At most one entry; empty where every claim got a word. */
  degraded(): Degradation[];
}

export interface AdmissionOptions {
  readonly judge: Judge;
  readonly context: CallContext;
  /** Time that all calls of an answer may take. Default 8,000. */
  readonly shareMs?: number;
}

interface Waiting {
  readonly claim: UndecidedClaim;
  readonly resolve: (admitted: Admitted) => void;
}

const defaultShareMs = 8_000;
/** A call takes at most this part of what is left of the request. */
const mostOfRemaining = 0.4;
const mostInACall = 6;
const mostFailures = 2;

export function createAdmission({ judge, context, shareMs = defaultShareMs }: AdmissionOptions): Admission {
  const { deadline, sink, clock } = context;
  const queue: Waiting[] = [];
  let isAsking = false;
  let takenMs = 0;
  let failures = 0;
  let first: RoleFailure | undefined;
  let unasked = 0;

  const fail = (batch: readonly Waiting[], failure: RoleFailure): void => {
    first ??= failure;
    unasked += batch.length;
    for (const { resolve } of batch) resolve({ reasons: [`not-judged: ${failure.code}`] });
  };
  async function ask(batch: readonly Waiting[]): Promise<void> {
    const allowedMs = Math.min(shareMs - takenMs, deadline.remainingMs() * mostOfRemaining);
    if (first && failures >= mostFailures) return fail(batch, first);
    if (allowedMs <= 1)
      return fail(batch, { code: 'deadline-exceeded', detail: 'The time for judging claims was used up.' });
    const startedAt = clock.elapsedMs();
    const claims = batch.map(({ claim: { text, spans } }) => ({
      text,
      quotes: spans.map(({ title, quote }) => ({ title, quote, before: '', after: '' })),
    }));
    try {
      const { verdicts, failure, model } = await judge.judge(claims, { deadline, sink, clock, shareMs: allowedMs });
      const judged = failure ? batch.slice(0, verdicts.length) : batch;
      if (failure) {
        failures += 1;
        fail(batch.slice(judged.length), failure);
      }
      for (const [at, { claim, resolve }] of judged.entries()) {
        const { verdict = 'unclear', reason = 'no verdict was given' } = verdicts[at] ?? {};
        const reasons = [`judged-${verdict}: ${reason}`];
        const { degree: _, ...rest } = claim;
        const kept = { ...rest, kind: 'judged' as const, ...(model !== undefined && { judgedBy: model }) };
        resolve(verdict === 'supported' ? { kept, reasons } : { reasons });
      }
    } catch (thrown) {
      const { code, message } = toFootnoteError(thrown);
      failures += 1;
      fail(batch, { code, detail: message });
    } finally {
      takenMs += clock.elapsedMs() - startedAt;
    }
  }
  async function askAll(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    // Claims of the same moment go together.
    await Promise.resolve();
    while (queue.length > 0) await ask(queue.splice(0, mostInACall));
    isAsking = false;
  }

  return {
    async admit(claim) {
      // Their grade decides on the rest.
      if (judge.isOnlyOfReworded && claim.degree !== 'reworded') return { reasons: [] };
      const admitted = new Promise<Admitted>((resolve) => queue.push({ claim, resolve }));
      void askAll();
      return admitted;
    },
    degraded() {
      if (!first) return [];
      const { code, detail } = first;
      const count = unasked === 1 ? 'One claim was' : `${unasked} claims were`;
      return [
        {
          component: 'judge',
          code,
          detail: `${detail} ${count} worded so that rules cannot decide, and could not be judged.`,
          effect: 'Such claims were left out, or gave way to the sentences that they cite.',
        },
      ];
    },
  };
}
