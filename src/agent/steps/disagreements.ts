// What sources say for and against the claims of an answer, read back from the record: by rules, and by a model where there is one. Invariant: a
// position that cannot be read back, or does not say what it is said to, is none.
import type { SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import { findAgreements } from '../../answer/conflicts/find-agreements.ts';
import { type FoundConflict, findConflicts } from '../../answer/conflicts/find-conflicts.ts';
import type { ConflictJudge } from '../../answer/conflicts/judge-pairs.ts';
import type { RenderableAgreement, RenderableConflict } from '../../answer/render.ts';
import { supportOf } from '../../answer/support.ts';
import type { CallContext } from '../../core/context.ts';
import type { Degradation, Evidence } from '../../core/search.ts';

export interface DisagreementPorts {
  readonly readSpan: SpanReader;
  /** Says of sentences that rules cannot decide whether they contradict a claim; none: rules alone do. */
  readonly conflictJudge?: ConflictJudge | undefined;
}

export interface JudgedReading extends DisagreementPorts, CallContext {
  readonly ruled: readonly RenderableConflict[];
}

type ReadingPorts = Pick<DisagreementPorts, 'readSpan'> & Pick<CallContext, 'deadline'>;

/** Which other sources say the same as the claims, as the record has it now. */
export async function readAgreements(
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
  { readSpan, deadline }: ReadingPorts,
): Promise<RenderableAgreement[]> {
  const read: RenderableAgreement[] = [];
  for (const { claim, spans } of findAgreements(claims, evidence)) {
    const { text = '' } = claims[claim - 1] ?? {};
    const found = await Promise.all(spans.map((span) => readSpan(span, deadline.signal)));
    const sound = found.flatMap((span) =>
      span !== undefined && supportOf(text, span.quote).verdict === 'supported' ? [span] : [],
    );
    if (sound.length > 0) read.push({ claim, spans: sound });
  }
  return read;
}

/** What the evidence says against the claims by rules, as the record has it now. */
export const readConflicts = (
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
  ports: ReadingPorts,
): Promise<RenderableConflict[]> => readBack(findConflicts(claims, evidence), ports);

/** Conflicts behind `ruled`, those that rules found, and what could not be judged. */
export async function readJudgedConflicts(
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
  { readSpan, conflictJudge, ruled, ...call }: JudgedReading,
): Promise<{ readonly conflicts: readonly RenderableConflict[]; readonly degraded: readonly Degradation[] }> {
  if (!conflictJudge) return { conflicts: [], degraded: [] };
  const { found, degraded } = await conflictJudge(claims, evidence, { ...call, ruled });
  if (degraded) call.sink({ type: 'degraded', degradation: degraded });
  const conflicts = await readBack(found, { readSpan, deadline: call.deadline });
  return { conflicts, degraded: degraded ? [degraded] : [] };
}

async function readBack(
  conflicts: readonly FoundConflict[],
  { readSpan, deadline }: ReadingPorts,
): Promise<RenderableConflict[]> {
  const read: RenderableConflict[] = [];
  for (const { positions, ...conflict } of conflicts) {
    const held: RenderableConflict['positions'][number][] = [];
    for (const { statement, spans } of positions) {
      const found = await Promise.all(spans.map((span) => readSpan(span, deadline.signal)));
      const sound = found.filter((span) => span !== undefined);
      if (sound.length > 0 && supportOf(statement, sound.map(({ quote }) => quote).join('\n')).verdict === 'supported')
        held.push({ statement, spans: sound });
    }
    // Who is followed is said of all positions, or not at all.
    if (held.length === positions.length) read.push({ ...conflict, positions: held });
  }
  return read;
}
