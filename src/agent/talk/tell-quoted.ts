// An answer of what was said, turn by turn: each claim is checked against what it quotes, streamed and cited. Invariant: what no longer holds is left out
// and counted.
import type { DraftClaim, SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import { renderAnswer } from '../../answer/render.ts';
import { verifyDraft } from '../../answer/verify.ts';
import type { SpanOrigin } from '../../core/answers/span-origin.ts';
import { streamParts } from '../turn/stream-parts.ts';
import type { TurnContext, Understood, Verified } from '../turn/turn-state.ts';

export interface Quoted {
  /** In the order in which they are told. `origin`: of spans whose reader knows none. */
  readonly told: readonly { readonly draft: DraftClaim; readonly origin?: SpanOrigin }[];
  readonly readSpan: SpanReader;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  readonly of: 'conversation' | 'archive';
  /** What there is besides. */
  readonly left?: string | undefined;
}

const words = {
  conversation: {
    reason: 'asks of this conversation: it was answered from its turns',
    nothing: 'I cannot answer that from this conversation.',
    why: 'Nothing that was said in this conversation can be cited any more.',
    dropped: 'of what was said no longer holds against the documents.',
  },
  archive: {
    reason: 'asks for a time: it was answered from the conversations of that time',
    nothing: 'I cannot answer that from the archive.',
    why: 'Nothing that was said in that time can be cited any more.',
    dropped: 'of what was said is not in the archive any more.',
  },
} as const;

export async function tellQuoted(
  state: Understood,
  { told, readSpan, spanUrl, of, left }: Quoted,
  { sink, deadline }: TurnContext,
): Promise<Verified> {
  const claims: VerifiedClaim[] = [];
  let dropped = 0;
  for (const { draft, origin } of told) {
    deadline.check();
    const checked = await verifyDraft({ claims: [draft] }, readSpan, {
      signal: deadline.signal,
    });
    const [claim] = checked.claims;
    dropped += checked.dropped.length;
    sink({
      type: 'verdict',
      claim: draft.text,
      support: claim?.support ?? checked.dropped[0]?.support ?? 0,
      kept: claim !== undefined,
      reasons: claim ? [of] : (checked.dropped[0]?.reasons ?? []),
    });
    if (claim) claims.push({ ...claim, spans: claim.spans.map((span) => ({ ...(origin && { origin }), ...span })) });
  }
  const rendered = renderAnswer({ claims, evidence: [], spanUrl });
  streamParts(rendered.parts, sink);
  const { reason, nothing, why, dropped: leftOut } = words[of];
  const noted = (code: string, detail: string, effect: string) => ({ component: of, code, detail, effect });
  const base = {
    request: state.request,
    intent: state.intent,
    degraded: [
      ...state.degraded,
      ...(left === undefined ? [] : [noted('turns-left-out', left, 'They are not in this summary.')]),
      ...(dropped > 0 ? [noted('claim-dropped', `${dropped} ${leftOut}`, 'It was left out.')] : []),
    ],
    sources: [],
    coverage: claims.length > 0 ? 1 : 0,
    confidence: claims.length > 0 ? 1 : 0,
    ragEnabled: claims.length > 0,
    routing: { sources: [], reason },
    toolCalls: of === 'archive' ? 1 : 0,
    usedFallback: false,
    isByModel: false,
    conflicts: [],
  };
  if (claims.length > 0) {
    const { text, marks, claims: shown, citations } = rendered;
    return { ...base, text, marks: [...marks], claims: [...shown], citations: [...citations] };
  }
  const text = `${nothing} ${why}`;
  sink({ type: 'delta', text });
  return { ...base, text, abstainReason: why, claims: [], citations: [] };
}
