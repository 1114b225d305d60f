// Begins an answer with the documents' own sentences where nothing holds as the model wrote it and only quotes in the place of its claims
// are left. Invariant: only what the verifier keeps, and no judge refuses, is released, in the order of the draft.
import type { ComposePorts } from './composer.ts';
import type { Context, Draft, VerifiedClaim } from './draft.ts';
import type { Judging } from './judge-claims.ts';
import { verifyDraft } from './verify.ts';

export interface ComplementTask {
  /** Of the composer without a model. */
  readonly draft: Draft;
  /** What `draft` was made of. */
  readonly context: Context;
  /** Claims that may be released. */
  readonly mostClaims: number;
  readonly judging: Judging | undefined;
  readonly ports: Pick<ComposePorts, 'readSpan' | 'sink' | 'release' | 'deadline'>;
}

export interface Complement {
  readonly added: readonly VerifiedClaim[];
  /** Sentences that the verifier or the judge refused. */
  readonly dropped: number;
}

/** Throws what the reader throws, and the request's own end. */
export async function addSentences(task: ComplementTask): Promise<Complement> {
  const { draft, context, mostClaims, judging, ports } = task;
  const { claims, dropped } = await verifyDraft(draft, ports.readSpan, { signal: ports.deadline.signal });
  for (const { text, support, reasons } of dropped)
    ports.sink({ type: 'verdict', claim: text, support, kept: false, reasons });
  const evidence = context.blocks.map((block) => block.evidence);
  const added: VerifiedClaim[] = [];
  let refused = 0;
  for (const claim of claims) {
    if (added.length >= mostClaims) break;
    const word = await judging?.decide(claim, evidence);
    ports.deadline.check();
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
