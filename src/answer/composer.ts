// The seam between a turn and whoever writes its answer: sentences as they stand (here) or a model (model-composer.ts). Invariant:
// a composer releases only claims that the verifier kept, in the order in which they are read, and takes none back.
import type { ClaimCounts } from '../core/answer.ts';
import type { CallContext } from '../core/context.ts';
import type { ToldTurn } from '../core/conversation.ts';
import type { Degradation, Evidence } from '../core/search.ts';
import { countTokens } from '../text/tokens/tokens.ts';
import type { Context, Draft, SpanReader, VerifiedClaim } from './claims/draft.ts';
import { closestBelow } from './confidence.ts';
import { assembleContext } from './context/context.ts';
import type { Hydration } from './context/hydrate.ts';
import type { CollectionStatistics } from './extract/candidates.ts';
import { narrowToPassages } from './extract/passages.ts';
import type { Judge } from './judge/judge.ts';
import { createJudging, type Judging } from './judge/judge-claims.ts';
import { composeAnswer } from './sentences/compose.ts';
import { verifyDraft } from './verify.ts';

export interface ComposeRequest {
  /** References to earlier turns are resolved. */
  readonly question: string;
  /** Ranked, best first, whole chunks. */
  readonly evidence: readonly Evidence[];
  readonly contextTokens: number;
  /** Of sentences as they stand. Default: by the question, three or five. */
  readonly maxClaims?: number;
  /** What was said before, for a model: data that tells what the question refers to, and no source. */
  readonly conversation?: { readonly turns: readonly ToldTurn[]; readonly mode: string };
}

export interface ComposePorts extends CallContext {
  readonly readSpan: SpanReader;
  /** How rare the question's words are in the collection; asked only where there is something to read. */
  readonly statistics: () => Promise<CollectionStatistics | undefined>;
  /** One more search under the request's own scope, sources and filter. Throws like a retriever. */
  readonly search: (query: string) => Promise<readonly Evidence[]>;
  /** Says before the first claim that none is asserted to answer the question. Default: nobody is told. */
  readonly onUnsure?: () => void;
  /** Hands out a claim that passed its check; what follows is appended after it. */
  readonly release: (claim: VerifiedClaim) => void;
  /** Runs a step under a name for the answer's timings; throws when the request's time is over. */
  readonly timed: <T>(name: string, work: () => T | Promise<T>) => Promise<T>;
}

export interface Composition {
  /** What was read: listed as the answer's sources. */
  readonly context: Context;
  /** Claims that did not pass the check. */
  readonly dropped: number;
  readonly coverage: number;
  readonly confidence: number;
  /** The claims are what comes closest, and are not asserted to answer. */
  readonly isUnsure?: true;
  /** Why nothing was released, where the composer knows. */
  readonly abstainReason?: string;
  /** What became of the claims that a model proposed; absent where it proposed none. */
  readonly claims?: ClaimCounts;
  /** What a model read that was shown summaries first. */
  readonly hydration?: Hydration;
  /** A model proposed what was released, or found that nothing answers. */
  readonly isByModel?: true;
  readonly degraded: readonly Degradation[];
}

export interface Composer {
  /** A model writes: it is asked once for a whole question, however many parts that has. */
  readonly isByModel?: true;
  compose(request: ComposeRequest, ports: ComposePorts): Promise<Composition>;
}

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
  return releaseDraft({ context, draft }, ports, judging);
}

/** Verifies what was composed and releases what holds. What a judge leaves undecided is the caller's to tell. */
export async function releaseDraft(
  { context, draft }: { readonly context: Context; readonly draft: Draft },
  { sink, timed, ...ports }: ComposePorts,
  judging?: Judging,
): Promise<Composition> {
  sink({ type: 'status', stage: 'verifying' });
  const { claims, dropped } = await timed('verifyMs', () =>
    verifyDraft(draft, ports.readSpan, { signal: ports.deadline.signal }),
  );
  for (const { text, support, reasons } of dropped)
    sink({ type: 'verdict', claim: text, support, kept: false, reasons });
  sink({ type: 'status', stage: 'answering' });
  const { coverage, confidence } = draft;
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
