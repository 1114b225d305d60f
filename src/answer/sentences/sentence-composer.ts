// Composes an answer of the documents' own sentences: what is read is narrowed to passages, claims are exact spans of them, each is verified
// and, where there is a judge, judged before it is released.
import { countTokens } from '../../text/tokens/tokens.ts';
import type { Context, Draft, VerifiedClaim } from '../claims/draft.ts';
import type { ComposePorts, ComposeRequest, Composer } from '../composer.ts';
import type { Composition } from '../composition.ts';
import { closestBelow } from '../confidence.ts';
import { followedFirst } from '../conflicts/find-conflicts.ts';
import { assembleContext } from '../context/context.ts';
import { narrowToPassages } from '../extract/passages.ts';
import type { Judge } from '../judge/judge.ts';
import { createJudging, type Judging } from '../judge/judge-claims.ts';
import { verifyDraft } from '../verify.ts';
import { composeAnswer } from './compose.ts';
import { lacksAskedCell } from './empty-cells.ts';
import { withNamedCells } from './named-cells.ts';

/** Long chunks are read by their best passages: about a paragraph each. */
const passageSize = { passageTokens: 250, passagesPerChunk: 2 };

/** The passages that answers are composed from: long chunks narrowed to what speaks of the question, within the budget. */
export function readPassages({ question, evidence, contextTokens }: ComposeRequest): Context {
  const passages = narrowToPassages(question, evidence, { ...passageSize, countTokens });
  return assembleContext(passages, { budgetTokens: contextTokens, countTokens });
}

/** Answers in the documents' own sentences: no model, no call, the same each time. */
export const extractiveComposer: Composer = { compose: (request, ports) => composeSentences(request, ports) };

/** The same, and a judge may refuse a sentence that its passage takes back. */
export function createJudgedComposer(judge: Judge): Composer {
  return {
    async compose(request, ports) {
      const { sink } = ports;
      const judging = createJudging({ judge, context: ports });
      const composition = await composeSentences(request, ports, judging);
      const degraded = judging.degraded();
      for (const degradation of degraded) sink({ type: 'degraded', degradation });
      return { ...composition, degraded: [...composition.degraded, ...degraded] };
    },
  };
}

/** What a judge leaves undecided is the caller's to tell. */
export async function composeSentences(
  request: ComposeRequest,
  ports: ComposePorts,
  judging?: Judging,
): Promise<Composition> {
  const { timed } = ports;
  const context = readPassages(request);
  const statistics = context.blocks.length > 0 ? await timed('statisticsMs', () => ports.statistics()) : undefined;
  const draft = await timed('composeMs', () =>
    composeAnswer({
      question: request.question,
      context,
      ...(statistics && { statistics }),
      ...(request.maxClaims !== undefined && { maxClaims: request.maxClaims }),
    }),
  );
  return releaseDraft({ question: request.question, context, draft }, ports, judging);
}

/** Verifies what was composed and releases what holds. What a judge leaves undecided is the caller's to tell. */
export async function releaseDraft(
  { question, context, draft }: { readonly question: string; readonly context: Context; readonly draft: Draft },
  { sink, timed, ...ports }: ComposePorts,
  judging?: Judging,
): Promise<Composition> {
  sink({ type: 'status', stage: 'verifying' });
  const { claims: verified, dropped } = await timed('verifyMs', () =>
    verifyDraft(draft, ports.readSpan, { signal: ports.deadline.signal }),
  );
  const passages = context.blocks.map(({ evidence }) => evidence);
  const claims = followedFirst(withNamedCells(verified), passages);
  for (const { text, support, reasons } of dropped)
    sink({ type: 'verdict', claim: text, support, kept: false, reasons });
  sink({ type: 'status', stage: 'answering' });
  const { coverage } = draft;
  const isEmpty = claims[0] !== undefined && lacksAskedCell(question, claims[0], passages);
  const confidence = isEmpty ? Math.min(draft.confidence, closestBelow - 0.01) : draft.confidence;
  const unsure = confidence < closestBelow && claims.length > 0 ? ({ isUnsure: true } as const) : {};
  if (unsure.isUnsure) ports.onUnsure?.();
  if (judging && claims.length > 0) {
    const refused = await timed('judgeMs', () =>
      releaseJudged(claims, judging, { context, deadline: ports.deadline, sink, release: ports.release }),
    );
    const abstainReason =
      refused === claims.length ? 'The passages found do not carry what their sentences say by themselves.' : undefined;
    return {
      context,
      dropped: dropped.length + refused,
      coverage,
      confidence,
      ...unsure,
      ...(abstainReason !== undefined && { abstainReason }),
      degraded: [],
    };
  }
  for (const { text, support, notes = [] } of claims)
    sink({ type: 'verdict', claim: text, support, kept: true, reasons: notes });
  for (const claim of claims) ports.release(claim);
  const { abstainReason } = draft;
  return {
    context,
    dropped: dropped.length,
    coverage,
    confidence,
    ...unsure,
    ...(abstainReason !== undefined && { abstainReason }),
    degraded: [],
  };
}

/** Releases claims in order, each as soon as it is judged; how many the judge refused. */
async function releaseJudged(
  claims: readonly VerifiedClaim[],
  judging: Judging,
  ports: Pick<ComposePorts, 'deadline' | 'sink' | 'release'> & { readonly context: Context },
): Promise<number> {
  const evidence = ports.context.blocks.map((block) => block.evidence);
  const decisions = claims.map((claim) => ({ claim, asked: judging.decide(claim, evidence) }));
  let refused = 0;
  for (const { claim, asked } of decisions) {
    const { isRefused, reasons } = await asked;
    ports.deadline.check();
    ports.sink({ type: 'verdict', claim: claim.text, support: claim.support, kept: !isRefused, reasons });
    if (isRefused) refused += 1;
    else ports.release(claim);
  }
  return refused;
}
