// The step of a turn that writes: a composer proposes claims, and each that passed its check is streamed at once, with its citations.
// Invariant: what was streamed stays; a claim is only ever appended.
import { type Composer, extractiveComposer } from '../../answer/composer.ts';
import type { SpanReader, VerifiedClaim } from '../../answer/draft.ts';
import { type RenderedAnswer, renderAnswer } from '../../answer/render.ts';
import type { Intent } from '../../core/answer.ts';
import type { EventSink } from '../../core/events.ts';
import { ownTurn } from '../../core/pieces.ts';
import type { Evidence } from '../../core/search.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Composed, Findings, Gathered, TurnContext } from '../turn/turn-state.ts';

export interface ComposeStepPorts {
  readonly gatherer: Gatherer;
  readonly readSpan: SpanReader;
  readonly contextTokens: number;
  /** Who writes the answer to questions of an intent; sentences of the documents where there is none. */
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
  rendered(): RenderedAnswer;
}

/** Streams each claim that is released, at once. */
export function createReleasing(
  findings: Pick<Findings, 'evidence'>,
  spanUrl: ComposeStepPorts['spanUrl'],
  sink: EventSink,
): Releasing {
  const claims: VerifiedClaim[] = [];
  const render = (): RenderedAnswer => renderAnswer({ claims, evidence: findings.evidence(), spanUrl });
  let rendered = render();
  return {
    claims,
    release(claim) {
      claims.push(claim);
      const shown = rendered.parts.length;
      // Marks and separators of a part depend on what stands before it alone: what was streamed stays.
      rendered = render();
      for (const part of rendered.parts.slice(shown)) {
        for (const citation of part.citations) sink({ type: 'citation', citation });
        sink({ type: 'delta', text: part.text });
      }
    },
    rendered: () => rendered,
  };
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
  const { gatherer, readSpan, contextTokens, spanUrl } = ports;
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
  const composer = ports.composerFor?.(intent) ?? extractiveComposer;
  const composition = await composer.compose(
    { question: request.question, evidence: findings.first, contextTokens },
    {
      readSpan,
      statistics: () => gatherer.statistics(state, context),
      search,
      release: releasing.release,
      timed,
      sink,
      deadline,
      clock,
    },
  );
  return { ...state, composition, rendered: releasing.rendered() };
}
