// The port of whoever looks at a draft before it is released, and its implementation by rules. Invariant: a critic only says what it wants; what
// becomes of it (review.ts) is searched under the request's own scope, and checked like any other claim.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { saysTheSame } from '../../answer/write/release.ts';
import type { CriticVerdict } from '../../core/agent-events.ts';
import type { CallContext } from '../../core/context.ts';
import type { Degradation, Evidence } from '../../core/search.ts';
import { coveredShare, gapOf } from '../revise/gap.ts';
import type { HeldDraft } from '../revise/held-draft.ts';

export interface Critique {
  readonly verdict: CriticVerdict;
  /** Share of what is asked that the draft answers, 0..1. */
  readonly coverage: number;
  /** How far the quotes carry what the draft says, 0..1. */
  readonly groundedness: number;
  readonly reason: string;
  /** `provider:model`; absent: rules. */
  readonly model?: string;
  /** Claims that do not belong into the answer. */
  readonly remove: readonly VerifiedClaim[];
  /** Claims to be said otherwise, over the same quotes. */
  readonly revise: readonly { readonly claim: VerifiedClaim; readonly text: string }[];
  /** What to search for. */
  readonly queries: readonly string[];
  /** Passages to be read whole. */
  readonly read: readonly Evidence[];
  readonly degraded: readonly Degradation[];
}

export interface CriticCall extends CallContext {
  /** What the critic may take of the time, milliseconds. */
  readonly shareMs: number;
  /** From 1. */
  readonly round: number;
}

/** Throws only the request's own `cancelled` and `deadline-exceeded`. */
export type Critic = (draft: HeldDraft, call: CriticCall) => Promise<Critique>;

/** Below this share of the question a draft is incomplete. */
const leastCoverage = 0.5;

/** Coverage by the words of the question, groundedness by what the verifier measured; wants the words that are missing looked for, and nothing said twice. */
export const ruleCritic: Critic = async (draft, { round }) => criticiseByRules(draft, round);

/** Total. */
export function criticiseByRules({ state, claims, parts }: HeldDraft, round: number): Critique {
  const { question } = state.request;
  const texts = claims.flatMap(({ text, spans }) => [text, ...spans.flatMap(({ quote, title }) => [quote, title])]);
  const covered = claims.length === 0 ? 0 : coveredShare(question, texts);
  const answered = parts && parts.length > 0 ? parts.filter((part) => part.claims.length > 0).length / parts.length : 1;
  const coverage = parts ? answered : covered;
  const groundedness = claims.length === 0 ? 0 : claims.reduce((sum, { support }) => sum + support, 0) / claims.length;
  const remove = claims.filter((claim, at) => claims.slice(0, at).some((earlier) => saysTheSame(earlier, claim)));
  // Parts without an answer were looked for twice.
  const gap = parts || coverage >= leastCoverage ? undefined : gapOf(question, texts, round > 1);
  const isEnough = remove.length === 0 && !gap;
  return {
    verdict: isEnough ? 'release' : 'revise',
    coverage: rounded(coverage),
    groundedness: rounded(groundedness),
    reason: isEnough
      ? 'The claims speak of what is asked.'
      : gap
        ? `No claim speaks of: ${gap.missing.join(', ')}.`
        : 'Something is said twice.',
    remove,
    revise: [],
    queries: gap ? [gap.query] : [],
    read: [],
    degraded: [],
  };
}

const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000;
