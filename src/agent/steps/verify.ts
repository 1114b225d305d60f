// The step of a turn that settles what the checks left: claims with their citations, what was dropped, or the reason why nothing is said.
// Invariant: an answer without a verified claim is an abstention with its reason, never an empty text.
import type { Context } from '../../answer/claims/draft.ts';
import { renderAnswer } from '../../answer/render.ts';
import { type Answer, type AnswerPart, answerVersion } from '../../core/answer.ts';
import { missingNotice } from '../../core/answers/answer-parts.ts';
import { abstentionOpening } from '../../core/answers/closest-passages.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import type { Degradation } from '../../core/search.ts';
import { withoutMetMismatch } from '../../retrieval/legs/language-mismatch.ts';
import { searchRefusal } from '../turn/budgeted-search.ts';
import { streamParts } from '../turn/stream-parts.ts';
import type { Composed, Findings, TurnContext, Verified } from '../turn/turn-state.ts';
import type { ComposeStepPorts } from './compose.ts';

export function verify(
  state: Composed,
  { spanUrl }: Pick<ComposeStepPorts, 'spanUrl'>,
  { sink }: Pick<TurnContext, 'sink'>,
): Verified {
  const { request, intent, findings, composition, rendered } = state;
  const { context, dropped, coverage, confidence } = composition;
  const asked = state.parts?.map(toInertPart);
  const degraded = [...state.degraded, ...findings.degraded(), ...composition.degraded, ...toDegraded(dropped)];
  const parts = {
    request,
    intent,
    routing: findings.routing(),
    sources: sourcesOf(context, new Set(rendered.citations.map((citation) => citation.chunkId))),
    ragEnabled: findings.evidence().length > 0,
    coverage,
    confidence,
    ...(rendered.closestPassages && { closestPassages: true }),
    toolCalls: findings.toolCalls(),
    usedFallback: findings.usedFallback(),
    isByModel: composition.isByModel === true,
    ...(composition.claims && { claimCounts: composition.claims }),
    ...(composition.hydration && { hydration: composition.hydration }),
    ...(asked && { parts: asked }),
    ...(state.critique && { critique: state.critique }),
  };
  if (rendered.claims.length === 0) {
    const unsearched = findings.first.length === 0 ? whyUnsearched(findings) : undefined;
    const why = toInert(
      unsearched ??
        composition.abstainReason ??
        (findings.first.length === 0
          ? 'Nothing in the searched documents matches the question.'
          : 'No claim could be verified against the documents found.'),
    );
    const claims = composition.closest ?? [];
    const closest = renderAnswer({ claims, evidence: findings.evidence(), spanUrl, abstainReason: why });
    const hasPassages = closest.claims.length > 0;
    const text = hasPassages ? closest.text : abstentionOpening({ abstainReason: why, version: answerVersion });
    if (hasPassages) streamParts(closest.parts, sink);
    else sink({ type: 'delta', text });
    return {
      ...parts,
      degraded,
      text,
      marks: [...closest.marks],
      abstainReason: why,
      claims: [],
      ...(hasPassages && { passages: closest.claims }),
      sources: sourcesOf(context, new Set(closest.citations.map(({ chunkId }) => chunkId))),
      citations: closest.citations,
      conflicts: [],
    };
  }
  const streamed = rendered.parts.flatMap(({ citations }) => citations).length;
  for (const citation of rendered.citations.slice(streamed)) sink({ type: 'citation', citation });
  const notice = missingNotice(asked);
  if (notice !== '') sink({ type: 'delta', text: notice });
  const quotes = rendered.citations.map(({ quote }) => quote);
  return {
    ...parts,
    degraded: withoutMetMismatch(degraded, request.question, quotes),
    text: `${rendered.text}${notice}`,
    marks: [...rendered.marks],
    claims: [...rendered.claims],
    ...(rendered.passages && { passages: rendered.passages }),
    citations: [...rendered.citations],
    conflicts: [...rendered.conflicts],
    ...(rendered.agreements && { agreements: [...rendered.agreements] }),
  };
}

/** Why finding nothing does not mean that there is nothing. */
const whyUnsearched = (findings: Findings): string | undefined =>
  searchRefusal(findings.degraded()) ??
  (findings.usedFallback()
    ? 'Nothing that could be searched matches the question, but a store that was to be asked is down: the answer may stand there.'
    : undefined);

const toInertPart = ({ missing, question, ...part }: AnswerPart): AnswerPart => ({
  ...part,
  question: toInert(question),
  ...(missing !== undefined && { missing: toInert(missing) }),
});

function toDegraded(dropped: number): readonly Degradation[] {
  if (dropped === 0) return [];
  return [
    {
      component: 'verifier',
      code: 'claim-dropped',
      detail: `${dropped} claim${dropped === 1 ? '' : 's'} did not pass the check against the cited text.`,
      effect: 'They were left out of the answer.',
    },
  ];
}

/** What was read, a chunk at a time: its passages together. */
function sourcesOf(context: Context, cited: ReadonlySet<string>): Answer['sources'] {
  const byChunk = new Map<string, Answer['sources'][number]>();
  for (const { evidence, tokens } of context.blocks) {
    const { documentId, chunkId, title, uri, score } = evidence;
    const present = byChunk.get(chunkId);
    byChunk.set(chunkId, {
      ...(present ?? { documentId, chunkId, title, uri, score, cited: cited.has(chunkId) }),
      contextTokens: (present?.contextTokens ?? 0) + tokens,
    });
  }
  return [...byChunk.values()];
}
