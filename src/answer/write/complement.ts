// The documents' own sentences beside what a model said: before quotes in the place of its claims where nothing holds as it wrote it, and
// behind its claims where it broke off. Invariant: only what the verifier keeps, and no judge refuses, is released, in the order of the draft.
import type { Deadline } from '../../core/deadline.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Context, Draft, VerifiedClaim } from '../claims/draft.ts';
import type { ComposePorts } from '../composer.ts';
import type { Judging } from '../judge/judge-claims.ts';
import { verifyDraft } from '../verify.ts';
import { saysTheSame } from './release.ts';

export interface ComplementTask {
  /** Of the composer without a model. */
  readonly draft: Draft;
  /** What `draft` was made of. */
  readonly context: Context;
  /** Claims that may be released. */
  readonly mostClaims: number;
  /** What the answer says already. */
  readonly said?: readonly VerifiedClaim[];
  readonly judging: Judging | undefined;
  readonly ports: Pick<ComposePorts, 'readSpan' | 'sink' | 'release' | 'deadline'>;
}

export interface Complement {
  readonly added: readonly VerifiedClaim[];
  /** Sentences that the verifier or the judge refused. */
  readonly dropped: number;
}

/** Throws what the reader throws, and `cancelled`. When time runs out, what was added by then is all. */
export async function addSentences(task: ComplementTask): Promise<Complement> {
  const { draft, context, mostClaims, said = [], judging, ports } = task;
  if (mostClaims <= 0 || isLate(ports.deadline)) return { added: [], dropped: 0 };
  const { signal } = ports.deadline;
  const { claims, dropped } = await verifyDraft(draft, ports.readSpan, { signal }).catch((thrown: unknown) => {
    if (!isLate(ports.deadline)) throw thrown;
    return { claims: [], dropped: [] };
  });
  for (const { text, support, reasons } of dropped)
    ports.sink({ type: 'verdict', claim: text, support, kept: false, reasons });
  const evidence = context.blocks.map((block) => block.evidence);
  const added: VerifiedClaim[] = [];
  let refused = 0;
  for (const claim of claims) {
    if (added.length >= mostClaims) break;
    if (said.some((earlier) => saysTheSame(earlier, claim))) continue;
    const word = await judging?.decide(claim, evidence);
    if (isLate(ports.deadline)) break;
    const isKept = word?.isRefused !== true;
    ports.sink({
      type: 'verdict',
      claim: claim.text,
      support: claim.support,
      kept: isKept,
      reasons: word?.reasons ?? [],
    });
    if (!isKept) {
      refused += 1;
      continue;
    }
    added.push(claim);
    ports.release(claim);
  }
  return { added, dropped: dropped.length + refused };
}

/** Whether the time of the request is up. Throws `cancelled` where its caller left. */
function isLate(deadline: Deadline): boolean {
  try {
    deadline.check();
    return false;
  } catch (thrown) {
    if (toFootnoteError(thrown).code !== 'deadline-exceeded') throw thrown;
    return true;
  }
}
