// Searching and asking for one scope: every request gets one deadline and one event log, and the log is saved as its
// trace whether it ends well or not. What streams, what is saved and what is returned come from that one log.

import { resolveFollowUp } from '../agent/follow-up.ts';
import { classifyIntent } from '../agent/intent.ts';
import type { IntentClassifier } from '../agent/intent-by-model.ts';
import { runTurn } from '../agent/turn.ts';
import { unanswered } from '../agent/unanswered.ts';
import type { Composer } from '../answer/composer.ts';
import { type Answer, type AskRequest, answerSchema, type Intent, type MessageRequest } from '../core/answer.ts';
import type { RequestBudget } from '../core/budget.ts';
import { createDeadline } from '../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { EventSink } from '../core/events.ts';
import type { Clock, Ids } from '../core/ids.ts';
import type { Degradation, Mode, SearchRequest, SearchResponse } from '../core/search.ts';
import type { TenantRecord } from '../db/record.ts';
import type { Sessions } from '../memory/sessions.ts';
import type { Semantics } from '../models/embedding/semantics.ts';
import { createExpander, type ExpansionName } from '../retrieval/expand.ts';
import type { FusionSettings } from '../retrieval/fuse.ts';
import type { Reranking } from '../retrieval/rerank.ts';
import { createRetriever } from '../retrieval/retrieve.ts';
import type { EmbeddedStore } from '../stores/embedded/port.ts';
import { createEventLog, withRecorder } from '../trace/recorder.ts';
import { asksForBundled, bundledSource, findSetAside, withoutSetAside } from './bundled.ts';
import { chargedSemantics } from './charged-semantics.ts';
import type { CallOptions } from './facade.ts';
import { createKeeping, type Keeping } from './record/keep.ts';
import { createSpanReader } from './record/span-reader.ts';
import { servedModels } from './roles/served-models.ts';
import { spentOn } from './spent-on.ts';
import { toldOfCalls } from './told-of-calls.ts';

export interface QuestionOptions {
  readonly record: TenantRecord;
  readonly embedded: EmbeddedStore;
  readonly semantics: Semantics;
  /** Longest wait of a search for a provider's embedding model. */
  readonly embeddingTimeoutMs?: number;
  readonly fusion: FusionSettings;
  readonly expansion: readonly ExpansionName[];
  /** Orders the best evidence anew; without it the order of the search stands. */
  readonly reranking?: Reranking;
  /** Who writes the answer to questions of an intent; sentences of the documents where there is none. */
  readonly composerFor?: (intent: Intent, budget: RequestBudget) => Composer | undefined;
  /** Who says what kind of request a question is where patterns only guess; patterns alone where there is none. */
  readonly classifierFor?: (budget: RequestBudget) => IntentClassifier | undefined;
  /** What models may take for one request: of every role, from one budget. */
  readonly openBudget: (sessionId: string | undefined) => Promise<RequestBudget>;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly defaultMode: Mode;
  readonly contextTokens: number;
  /** Time that a search or an answer may take unless the caller says otherwise. */
  readonly timeoutMs: number;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
}

const longestTimeoutMs = 600_000;
const defaultTopK = 5;

type Kind = 'ask' | 'message' | 'search';

/** What every leg of one request is given. */
interface Run {
  readonly traceId: string;
  readonly sink: EventSink;
  readonly deadline: ReturnType<typeof createDeadline>;
  readonly budget: RequestBudget;
  /** Written before the request ends, together with its trace. */
  readonly keeping: Keeping;
}

export function createQuestions(options: QuestionOptions) {
  const { record, embedded, sessions, clock, ids, spanUrl } = options;

  async function traced<T extends { readonly degraded: readonly Degradation[] }>(
    kind: Kind,
    body: unknown,
    call: CallOptions & { readonly sessionId?: string },
    work: (run: Run) => Promise<T>,
  ): Promise<T> {
    const traceId = ids.next('trc');
    const startedAt = clock.now();
    const from = clock.elapsedMs();
    const log = createEventLog(clock, (logged) => call.onEvent?.(logged.event));
    const deadline = createDeadline(Math.min(call.timeoutMs ?? options.timeoutMs, longestTimeoutMs), call.signal);
    log.sink({ type: 'request', kind, body, at: startedAt });
    let budget: RequestBudget | undefined;
    const keeping = createKeeping();
    /** Asked for together, they share one commit. */
    const end = (): Promise<readonly Degradation[]> => {
      const trace = {
        id: traceId,
        kind,
        ...(call.sessionId !== undefined && { sessionId: call.sessionId }),
        startedAt,
        totalMs: clock.elapsedMs() - from,
        eventCount: log.events.length,
      };
      // Others are worked on meanwhile, and what they leave behind may share the commit, too.
      call.onWaiting?.(true);
      keeping.add('trace', record.traces.save(trace, log.events));
      if (budget) keeping.add('spending', budget.close());
      return keeping.ended();
    };
    let result: T;
    try {
      budget = await options.openBudget(call.sessionId);
      if (call.onWaiting) budget = toldOfCalls(budget, call.onWaiting);
      result = await work({ traceId, sink: log.sink, deadline, budget, keeping });
    } catch (thrown) {
      const error = deadline.signal.aborted && !call.signal?.aborted ? expired(thrown) : toFootnoteError(thrown);
      const { status, title } = error.rule;
      log.sink({
        type: 'error',
        problem: { type: 'about:blank', title, status, detail: error.message, code: error.code, requestId: traceId },
      });
      await end();
      throw error;
    }
    const lost = await end();
    if (lost.length === 0) return result;
    for (const degradation of lost) call.onEvent?.({ type: 'degraded', degradation });
    return { ...result, degraded: [...result.degraded, ...lost] };
  }

  /** The ports of one request, each wrapped so that what they were asked and what they said is in the log. */
  async function portsFor({ sink, budget, deadline }: Run, sources: readonly string[] | undefined) {
    const recorded: TenantRecord = {
      ...record,
      documents: withRecorder('record.documents', record.documents, sink),
      sources: withRecorder('record.sources', record.sources, sink),
    };
    // The reader is wrapped as a whole: it reads whole texts, of which only the spans matter.
    const { readSpan } = withRecorder('record.spans', { readSpan: createSpanReader(record) }, sink);
    const { fusion, expansion, embeddingTimeoutMs } = options;
    const aside = await findSetAside(record);
    // Asked for alone they are found and quoted; what they say is still nobody else's business.
    const staysHere = aside !== undefined && asksForBundled(sources);
    const isAside = aside !== undefined && !staysHere;
    const reranking = staysHere ? undefined : options.reranking;
    const store = withRecorder('store.embedded', isAside ? withoutSetAside(embedded, aside) : embedded, sink);
    const retriever = createRetriever({
      record: recorded,
      embedded: store,
      semantics: chargedSemantics(withRecorder('semantics', options.semantics, sink), budget),
      fusion,
      ...(embeddingTimeoutMs !== undefined && { embeddingTimeoutMs }),
      ...(expansion.length > 0 && {
        expander: createExpander({ store, documents: recorded.documents, expansion }),
      }),
      ...(reranking && {
        reranking: { ...reranking, model: withRecorder('reranker', reranking.model, sink), budget },
      }),
      ...(isAside && { setAside: bundledSource }),
      deadline,
      spanUrl,
    });
    return { readSpan, retriever, staysHere };
  }

  async function answer(
    question: string,
    request: AskRequest | MessageRequest,
    run: Run & { readonly sessionId?: string; readonly turnId?: string },
  ): Promise<Answer> {
    const degraded: Degradation[] = [];
    if (request.workspace && request.workspace.length > 0)
      degraded.push({
        component: 'workspace',
        code: 'unsupported',
        detail: 'Workspace files are not searched by this version.',
        effect: 'The answer rests on the recorded documents only.',
      });
    const classify = options.classifierFor?.(run.budget);
    const { staysHere, ...ports } = await portsFor(run, request.sources);
    const result = await runTurn(
      {
        question,
        mode: request.mode ?? options.defaultMode,
        ...(request.sources && { sources: request.sources }),
        ...(request.topK !== undefined && { topK: request.topK }),
        ...(request.minScore !== undefined && { minScore: request.minScore }),
        ...(request.filter && { filter: request.filter }),
        traceId: run.traceId,
        ...(run.sessionId !== undefined && { sessionId: run.sessionId }),
        ...(run.turnId !== undefined && { turnId: run.turnId }),
        degraded,
      },
      {
        ...ports,
        ids,
        contextTokens: options.contextTokens,
        ...(classify && { classify }),
        composerFor: (intent) => (staysHere ? undefined : options.composerFor?.(intent, run.budget)),
        spent: () => spentOn(run.budget),
        served: () => servedModels(run.budget),
        spanUrl,
      },
      { sink: run.sink, deadline: run.deadline },
    );
    return answerSchema.parse(result);
  }

  return {
    search(request: SearchRequest, call: CallOptions = {}): Promise<SearchResponse> {
      return traced('search', request, call, async (run) => {
        const { traceId, sink, deadline } = run;
        const from = clock.elapsedMs();
        const mode = request.mode ?? options.defaultMode;
        const { retriever } = await portsFor(run, request.sources);
        const found = await retriever.retrieve(
          {
            query: request.query,
            mode,
            topK: request.topK ?? defaultTopK,
            ...(request.sources && { sources: request.sources }),
            ...(request.minScore !== undefined && { minScore: request.minScore }),
            ...(request.filter && { filter: request.filter }),
            ...(request.explain && { explain: true }),
          },
          { sink, signal: deadline.signal },
        );
        const served = servedModels(run.budget);
        for (const degradation of served.degraded) sink({ type: 'degraded', degradation });
        const response: SearchResponse = {
          query: request.query,
          mode,
          results: [...found.evidence],
          routing: found.routing,
          degraded: [...found.degraded, ...served.degraded],
          ...(served.models.length > 0 && { models: [...served.models] }),
          ...(found.legs && { legs: found.legs }),
          latencyMs: clock.elapsedMs() - from,
          traceId,
        };
        sink({
          type: 'searched',
          results: found.evidence.map(({ chunkId, documentId, score }) => ({ chunkId, documentId, score })),
        });
        return response;
      });
    },

    ask(request: AskRequest, call: CallOptions = {}): Promise<Answer> {
      return traced('ask', request, call, async (run) => {
        const result = await answer(request.question, request, run);
        run.keeping.add('answer', record.answers.save(result, clock.now()));
        return result;
      });
    },

    send(sessionId: string, request: MessageRequest, call: CallOptions = {}): Promise<Answer> {
      return traced('message', request, { ...call, sessionId }, async (run) => {
        const from = clock.elapsedMs();
        const since = sessions.deletions();
        const earlier = await withRecorder('sessions', sessions, run.sink).recent(sessionId);
        const { resolved, reason } =
          classifyIntent(request.content).intent === 'conversational'
            ? { resolved: request.content, reason: 'small talk: nothing to resolve' }
            : resolveFollowUp(request.content, earlier);
        run.sink({ type: 'follow-up', content: request.content, resolved, reason });
        const turnId = ids.next('trn');
        const keep = async (result: Answer): Promise<Answer> => {
          const said = { id: turnId, sessionId, content: request.content, resolvedQuestion: resolved };
          const turn = sessions.append({ ...said, answer: result }, { since });
          run.keeping.add('turn', turn);
          run.keeping.add('answer', record.answers.save(result, clock.now()));
          await turn.catch((thrown: unknown) => {
            // The session was deleted meanwhile.
            if (toFootnoteError(thrown).code === 'not-found') throw thrown;
          });
          return result;
        };
        let result: Answer;
        try {
          result = await answer(resolved, request, { ...run, sessionId, turnId });
        } catch (thrown) {
          // Whoever comes back to the session finds what was said in it.
          if (call.signal?.aborted) {
            const { traceId, budget } = run;
            const mode = request.mode ?? options.defaultMode;
            const asked = { question: resolved, mode, traceId, sessionId, turnId, degraded: [] };
            const [spent, totalMs] = [await spentOn(budget), clock.elapsedMs() - from];
            await keep(unanswered(asked, { id: ids.next('ans'), spent, totalMs }));
          }
          throw thrown;
        }
        return keep(result);
      });
    },
  };
}

function expired(thrown: unknown): FootnoteError {
  return new FootnoteError(
    'deadline-exceeded',
    'The time allowed for this request ran out. Ask again, or allow more time.',
    {
      cause: thrown,
    },
  );
}
