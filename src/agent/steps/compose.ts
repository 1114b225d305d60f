// The step of a turn that writes: a composer proposes claims, and each that passed its check is streamed at once, with its citations.
// Invariant: what was streamed stays; a claim is only ever appended.

import type { Context, VerifiedClaim } from '../../answer/claims/draft.ts';
import { statementOf } from '../../answer/claims/statement.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Composition } from '../../answer/composition.ts';
import { passageComposer } from '../../answer/passages/passage-composer.ts';
import {
  type RenderableAgreement,
  type RenderableConflict,
  type RenderedAnswer,
  renderAnswer,
} from '../../answer/render.ts';
import type { Intent } from '../../core/answer.ts';
import type { EventSink } from '../../core/events.ts';
import type { Degradation, Evidence } from '../../core/search.ts';
import { ownTurn } from '../../core/waiting/pieces.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import { streamParts } from '../turn/stream-parts.ts';
import type { Composed, Findings, Gathered, TurnContext } from '../turn/turn-state.ts';
import { type DisagreementPorts, readAgreements, readConflicts, readJudgedConflicts } from './disagreements.ts';

export interface ComposeStepPorts extends DisagreementPorts {
  readonly gatherer: Gatherer;
  /** Looks first for each part of a question that was taken apart. Default: `gatherer`, who looks for what is missing then. */
  readonly partGatherer?: Gatherer;
  /** How near passages are to a question in meaning; absent: nobody can say. */
  readonly passageScorer?: PassageScorer | undefined;
  readonly contextTokens: number;
  /** The same of a model that writes. Default: as many. */
  readonly modelContextTokens?: number | undefined;
  /** Who writes the answer to questions of an intent; passages of the documents where there is none. */
  readonly composerFor?: (intent: Intent) => Composer | undefined;
  /** Makes the address that opens a span highlighted. */
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
}

/** Streams are told of the first look alone; the calls of every look are in the trace. */
export const quietly =
  (sink: EventSink): EventSink =>
  (event) => {
    if (event.type !== 'routing' && event.type !== 'retrieval' && event.type !== 'reranking') sink(event);
  };

/** Claims as they are released, and the answer that they make so far. */
export interface Releasing {
  readonly claims: readonly VerifiedClaim[];
  release(claim: VerifiedClaim): void;
  /** Before the first claim, where a sentence leads to passages: those that were chosen. */
  showPassages(passages: readonly VerifiedClaim[]): void;
  /** Claims that nothing confirms: they stand in no text. */
  reword(claims: readonly VerifiedClaim[]): void;
  /** Before the first claim: what follows is what comes closest. */
  openAsClosest(): void;
  /** Says behind all claims who says the same and what stands against them; no claim is released any more. Once more: with further conflicts at the end. */
  conclude(conflicts: readonly RenderableConflict[], agreements?: readonly RenderableAgreement[]): void;
  rendered(): RenderedAnswer;
}

/** Streams each claim that is released, at once. */
export function createReleasing(
  findings: Pick<Findings, 'evidence'>,
  spanUrl: ComposeStepPorts['spanUrl'],
  sink: EventSink,
): Releasing {
  const claims: VerifiedClaim[] = [];
  let closestPassages = false;
  let conflicts: readonly RenderableConflict[] = [];
  let agreements: readonly RenderableAgreement[] = [];
  let passages: readonly VerifiedClaim[] | undefined;
  let reworded: readonly VerifiedClaim[] = [];
  const render = (): RenderedAnswer =>
    renderAnswer({
      claims,
      conflicts,
      agreements,
      closestPassages,
      evidence: findings.evidence(),
      spanUrl,
      ...(passages && { passages }),
      ...(reworded.length > 0 && { reworded }),
    });
  let rendered = render();
  const show = (): void => {
    const shown = rendered.parts.length;
    // Marks and separators of a part depend on what stands before it alone: what was streamed stays.
    rendered = render();
    streamParts(rendered.parts.slice(shown), sink);
  };
  return {
    claims,
    release(claim) {
      claims.push(claim);
      show();
    },
    showPassages(chosen) {
      passages = chosen;
    },
    reword(claims) {
      reworded = claims;
      show();
    },
    openAsClosest() {
      closestPassages = claims.length === 0;
    },
    conclude(found, agreeing = []) {
      conflicts = found;
      agreements = agreeing;
      show();
    },
    rendered: () => rendered,
  };
}

/**
 * Looks for what the evidence says against what was released, by rules and then by a model; gives what could not be judged. What was shown is
 * the answer, also where there is no time for it.
 */
export async function conclude(
  releasing: Releasing,
  findings: Pick<Findings, 'evidence'>,
  {
    ports,
    context: { deadline, clock, sink, timed },
  }: {
    readonly ports: DisagreementPorts;
    readonly context: TurnContext;
  },
): Promise<readonly Degradation[]> {
  const claims = releasing.claims.map(statementOf);
  const isOver = (): boolean => deadline.isOver();
  if (claims.length === 0 || isOver()) return [];
  // What only comes closest is not asserted, so nobody agrees with it.
  const mayAgree = !releasing.rendered().closestPassages;
  const { conflicts, agreements } = await timed('conflictsMs', async () => {
    const own = { ...ports, deadline };
    const conflicts = await readConflicts(claims, findings.evidence(), own);
    return { conflicts, agreements: mayAgree ? await readAgreements(claims, findings.evidence(), own) : [] };
  });
  releasing.conclude(conflicts, agreements);
  if (!ports.conflictJudge || isOver()) return [];
  const judged = await timed('conflictJudgeMs', () =>
    readJudgedConflicts(claims, findings.evidence(), { ...ports, ruled: conflicts, deadline, clock, sink }),
  );
  // What a model finds stands behind what rules found, which has not waited for it.
  if (judged.conflicts.length > 0) releasing.conclude([...conflicts, ...judged.conflicts], agreements);
  return judged.degraded;
}

export interface ComposeOptions {
  /** Where claims are released to. Default: a new answer. */
  readonly releasing?: Releasing;
}

export async function compose(
  state: Gathered,
  ports: ComposeStepPorts & ComposeOptions,
  context: TurnContext,
): Promise<Composed> {
  const { gatherer, readSpan, passageScorer, contextTokens, spanUrl } = ports;
  const { request, intent, findings } = state;
  const { sink, deadline, clock, timed } = context;
  const search = async (query: string): Promise<readonly Evidence[]> => {
    deadline.check();
    const more = await gatherer.gatherMore(query, state, { ...context, sink: quietly(sink) });
    findings.add(more);
    return more.evidence;
  };

  sink({ type: 'status', stage: 'reading' });
  await ownTurn();
  const releasing = ports.releasing ?? createReleasing(findings, spanUrl, sink);
  const composer = ports.composerFor?.(intent) ?? passageComposer;
  const composition = await composer.compose(
    {
      question: request.question,
      evidence: findings.first,
      contextTokens,
      modelContextTokens: Math.max(contextTokens, ports.modelContextTokens ?? 0),
      ...(request.conversation && { conversation: { turns: request.conversation, mode: request.mode } }),
      ...(request.wishes !== undefined && { wishes: request.wishes }),
    },
    {
      readSpan,
      passageScorer,
      statistics: () => gatherer.statistics(state, context),
      search,
      release: releasing.release,
      onUnsure: releasing.openAsClosest,
      onPassages: releasing.showPassages,
      timed,
      sink,
      deadline,
      clock,
    },
  );
  tellUnread(composition.context, sink);
  if (composition.reworded) releasing.reword(composition.reworded);
  const unjudged = ports.releasing ? [] : await conclude(releasing, findings, { ports, context });
  return { ...state, composition: withUnjudged(composition, unjudged), rendered: releasing.rendered() };
}

/** The composition, and what could not be judged of what stands against it. */
export const withUnjudged = (composition: Composition, unjudged: readonly Degradation[]): Composition =>
  unjudged.length === 0 ? composition : { ...composition, degraded: [...composition.degraded, ...unjudged] };

/** What was found and not read stands in the trace with its reason. */
export function tellUnread({ dropped }: Pick<Context, 'dropped'>, sink: EventSink): void {
  if (dropped.length === 0) return;
  const byReason = Map.groupBy(dropped, ({ reason }) => reason);
  const passages = [...byReason].map(([reason, some]) => ({ reason, chunkIds: some.map(({ chunkId }) => chunkId) }));
  sink({ type: 'left-out', stage: 'reading', passages });
}
