// Searching and asking for one scope: every request gets one deadline and one event log, and the log is saved as its
// trace whether it ends well or not. What streams, what is saved and what is returned come from that one log.

import type { Composer } from '../answer/composer.ts';
import type { SpanReader } from '../answer/draft.ts';
import {
  type Answer,
  type AskRequest,
  answerSchema,
  type Intent,
  type MessageRequest,
  type WorkspaceFile,
} from '../core/answer.ts';
import type { RequestBudget } from '../core/budget.ts';
import type { RequestContext } from '../core/context.ts';
import { createDeadline } from '../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { type Environment, type EventSink, type LoggedEvent, logVersion } from '../core/events.ts';
import type { Clock, Ids } from '../core/ids.ts';
import type { RecalledMemory } from '../core/memory.ts';
import type { Scope } from '../core/scope.ts';
import {
  type Degradation,
  type Mode,
  type SearchRequest,
  type SearchResponse,
  searchOptionsOf,
} from '../core/search.ts';
import type { RequestMemory } from '../memory/facts/for-requests.ts';
import type { Sessions } from '../memory/sessions.ts';
import type { Retriever } from '../retrieval/retrieve.ts';
import { recordedBudget } from '../trace/recorded-budget.ts';
import { createEventLog, withRecorder } from '../trace/recorder.ts';
import { createTape, type Tape, untaped } from '../trace/tape.ts';
import type { FinishedRequest } from '../trace/telemetry/finished.ts';
import { resolveFollowUp } from './intent/follow-up.ts';
import { classifyIntent } from './intent/intent.ts';
import type { IntentClassifier } from './intent/intent-by-model.ts';
import { createKeeping, type Keeping } from './keep.ts';
import type { Planner } from './plan/planner.ts';
import { remember } from './steps/remember.ts';
import { toldOfCalls } from './told-of-calls.ts';
import type { OrchestratedPorts } from './tools/orchestrate.ts';
import type { FurtherSearch } from './tools/palette.ts';
import { budgetedSearch } from './turn/budgeted-search.ts';
import { createSearchGatherer, type Gatherer } from './turn/gatherer.ts';
import { servedModels } from './turn/served-models.ts';
import { spentOn } from './turn/spent-on.ts';
import { runTurn } from './turn.ts';
import { unanswered } from './unanswered.ts';
import { withoutTexts } from './without-texts.ts';

export interface RequestCall {
  readonly signal?: AbortSignal;
  readonly onEvent?: EventSink;
  /** Default: the server's; at most 10 minutes. */
  readonly timeoutMs?: number;
  /** Told when a question begins to wait for models or for the disk, and when it goes on: meanwhile the processor is free for others. */
  readonly onWaiting?: (isWaiting: boolean) => void;
}

/** What one request searches and reads, every call of it recorded. */
export interface RequestPorts {
  readonly retriever: Retriever;
  readonly readSpan: SpanReader;
  /** What is read is no business of a model that somebody else runs. */
  readonly staysHere: boolean;
  /** What else can be searched, such as the web. */
  readonly further?: readonly FurtherSearch[];
  /** Files of the request that could not be searched. */
  readonly degraded?: readonly Degradation[];
}

type Kind = 'ask' | 'message' | 'search';

type SaveTrace = (
  trace: {
    readonly id: string;
    readonly kind: Kind;
    readonly sessionId?: string;
    readonly startedAt: string;
    readonly totalMs: number;
    readonly eventCount: number;
  },
  events: readonly LoggedEvent[],
) => Promise<unknown>;

/** What is kept of requests. */
export interface RequestRecord {
  readonly answers: { save(answer: Answer, at: string): Promise<unknown> };
  readonly traces: {
    save: SaveTrace;
    /** As `save`, with the commit behind the reply and shared with others. */
    saveSoon: SaveTrace;
  };
}

export interface RunnerOptions {
  readonly scope: Scope;
  readonly record: RequestRecord;
  readonly openPorts: (
    context: RequestContext,
    sources: readonly string[] | undefined,
    workspace?: readonly WorkspaceFile[],
  ) => Promise<RequestPorts>;
  /** Who writes the answer to questions of an intent; sentences of the documents where there is none. */
  readonly composerFor?: (intent: Intent, budget: RequestBudget) => Composer | undefined;
  /** Who says what kind of request a question is where patterns only guess; patterns alone where there is none. */
  readonly classifierFor?: (budget: RequestBudget) => IntentClassifier | undefined;
  /** Who says how much a question asks, and takes it apart; none: every question is asked as a whole. */
  readonly plannerFor?: ((budget: RequestBudget) => Planner | undefined) | undefined;
  /** Who finds evidence in the place of one search; none: one search does. */
  readonly gathererFor?: ((budget: RequestBudget, ports: OrchestratedPorts) => Gatherer | undefined) | undefined;
  /** What models may take for one request: of every role, from one budget. */
  readonly openBudget: (sessionId: string | undefined) => Promise<RequestBudget>;
  readonly sessions: Sessions;
  /** Long-term memory of a user; absent: nothing is recalled or remembered. */
  readonly memoryOf?: (user: string | undefined) => RequestMemory;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where each request has its time and its ids from. Default: a new tape of the clock and the ids. */
  readonly openTape?: () => Tape;
  /** What was decided before the request, for its trace; absent where nobody replays it. */
  readonly environment?: () => Omit<Environment, 'timeoutMs'>;
  readonly defaultMode: Mode;
  readonly contextTokens: number;
  /** Time that a search or an answer may take unless the caller says otherwise. */
  readonly timeoutMs: number;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  /** Told of each request when it has ended, before its reply leaves. Total. */
  readonly onEnded?: (finished: FinishedRequest) => void;
}

const longestTimeoutMs = 600_000;
const defaultTopK = 5;

/** A request that is under way. */
interface Run {
  readonly context: RequestContext;
  /** Written before the request ends, together with its trace. */
  readonly keeping: Keeping;
}

/** What is asked, besides what the request says. */
interface Asked {
  readonly context: RequestContext;
  /** The message as its user wrote it. */
  readonly content: string;
  readonly onUsed: (memories: readonly RecalledMemory[]) => void;
  readonly sessionId?: string;
  readonly turnId?: string;
}

/** Runs the requests of one scope. */
export function createRunner(options: RunnerOptions) {
  const { scope, record, openPorts, sessions, spanUrl } = options;
  const openTape = options.openTape ?? (() => createTape(options));

  async function traced<T extends Answer | SearchResponse>(
    kind: Kind,
    body: unknown,
    call: RequestCall & { readonly sessionId?: string },
    work: (run: Run) => Promise<T>,
  ): Promise<T> {
    const tape = openTape();
    const { clock, ids } = tape;
    const traceId = ids.next('trc');
    const startedAt = clock.now();
    const from = clock.elapsedMs();
    const log = createEventLog({ ...clock, ...untaped(clock) }, (logged) => call.onEvent?.(logged.event));
    const timeoutMs = Math.min(call.timeoutMs ?? options.timeoutMs, longestTimeoutMs);
    const deadline = createDeadline(timeoutMs, call.signal, clock);
    log.sink({ type: 'request', kind, body: withoutTexts(body), at: startedAt, version: logVersion });
    if (options.environment) log.sink({ type: 'environment', ...options.environment(), timeoutMs });
    let budget: RequestBudget | undefined;
    const keeping = createKeeping();
    /** Asked for together, they share one commit. */
    const end = (): Promise<readonly Degradation[]> => {
      const totalMs = clock.elapsedMs() - from;
      log.sink({ type: 'tape', ...tape.written() });
      const trace = {
        id: traceId,
        kind,
        ...(call.sessionId !== undefined && { sessionId: call.sessionId }),
        startedAt,
        totalMs,
        eventCount: log.events.length,
      };
      // Others are worked on meanwhile, and what they leave behind may share the commit, too.
      call.onWaiting?.(true);
      // Of a search nothing else is kept: nobody should wait for a disk to be told what was found.
      const { save, saveSoon } = record.traces;
      keeping.add('trace', (kind === 'search' ? saveSoon : save)(trace, log.events));
      if (budget) keeping.add('spending', budget.close());
      return keeping.ended();
    };
    const tell = (outcome: Pick<FinishedRequest, 'result' | 'error'>): void =>
      options.onEnded?.({
        traceId,
        kind,
        ...(call.sessionId !== undefined && { sessionId: call.sessionId }),
        startedAt,
        totalMs: clock.elapsedMs() - from,
        events: log.events,
        ...outcome,
      });
    let result: T;
    try {
      budget = await options.openBudget(call.sessionId);
      if (call.onWaiting) budget = toldOfCalls(budget, call.onWaiting);
      const recording = { sink: log.sink, clock };
      const context = { traceId, scope, deadline, budget: recordedBudget(budget, recording), ...recording, ids };
      result = await work({ context, keeping });
    } catch (thrown) {
      // The clock may be ahead of the timer.
      const isOver = deadline.signal.aborted || deadline.remainingMs() === 0;
      const error = isOver && !call.signal?.aborted ? expired(thrown) : toFootnoteError(thrown);
      const { status, title } = error.rule;
      log.sink({
        type: 'error',
        problem: { type: 'about:blank', title, status, detail: error.message, code: error.code, requestId: traceId },
      });
      tell({ error });
      await end();
      throw error;
    }
    tell({ result });
    const lost = await end();
    if (lost.length === 0) return result;
    for (const degradation of lost) call.onEvent?.({ type: 'degraded', degradation });
    return { ...result, degraded: [...result.degraded, ...lost] };
  }

  /** What a request leaves in the long-term memory, once it is answered. */
  function remembering(user: string | undefined, message: string) {
    let used: readonly RecalledMemory[] = [];
    return {
      onUsed(memories: readonly RecalledMemory[]): void {
        used = memories;
      },
      after(keeping: Keeping, origin: Parameters<typeof remember>[2]): void {
        const memory = options.memoryOf?.(user);
        if (memory) keeping.add('memory', remember(memory, { message, used }, origin));
      },
    };
  }

  async function answer(
    question: string,
    request: AskRequest | MessageRequest,
    { context, content, onUsed, ...place }: Asked,
  ): Promise<Answer> {
    const degraded: Degradation[] = [];
    const { budget } = context;
    const classify = options.classifierFor?.(budget);
    const ports = await openPorts(context, request.sources, request.workspace);
    const { retriever, readSpan, staysHere, further } = ports;
    degraded.push(...(ports.degraded ?? []));
    const plain = createSearchGatherer(retriever);
    const kept = options.memoryOf?.(request.user);
    const memory = kept && {
      ...kept,
      ...withRecorder('memories', { recall: kept.recall, answersTo: kept.answersTo }, context),
    };
    const result = await runTurn(
      { ...searchOptionsOf(request), ...place, content, question, mode: request.mode ?? options.defaultMode, degraded },
      {
        gatherer: (staysHere ? undefined : options.gathererFor?.(budget, { plain, retriever, further })) ?? plain,
        partGatherer: plain,
        readSpan,
        contextTokens: options.contextTokens,
        ...(classify && { classify }),
        planner: options.plannerFor?.(budget),
        composerFor: (intent) => (staysHere ? undefined : options.composerFor?.(intent, budget)),
        spanUrl,
        ...(memory && { memory, onUsed }),
      },
      context,
    );
    return answerSchema.parse(result);
  }

  return {
    search(request: SearchRequest, call: RequestCall = {}): Promise<SearchResponse> {
      return traced('search', request, call, async ({ context }) => {
        const { traceId, sink, budget, clock } = context;
        const from = clock.elapsedMs();
        const mode = request.mode ?? options.defaultMode;
        const { retriever } = await openPorts(context, request.sources);
        const { query, explain, topK = defaultTopK } = request;
        const found = await budgetedSearch(
          retriever,
          { ...searchOptionsOf(request), query, mode, topK, explain },
          context,
        );
        const served = servedModels(budget);
        for (const degradation of served.degraded) sink({ type: 'degraded', degradation });
        const response: SearchResponse = {
          query,
          mode,
          results: [...found.evidence],
          routing: found.routing,
          degraded: [...found.degraded, ...served.degraded],
          ...(found.usedFallback && { usedFallback: true }),
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

    ask(request: AskRequest, call: RequestCall = {}): Promise<Answer> {
      return traced('ask', request, call, async (run) => {
        const { question: content } = request;
        const written = remembering(request.user, content);
        const result = await answer(content, request, { context: run.context, content, onUsed: written.onUsed });
        run.keeping.add('answer', record.answers.save(result, run.context.clock.now()));
        written.after(run.keeping, { answerId: result.id });
        return result;
      });
    },

    send(sessionId: string, request: MessageRequest, call: RequestCall = {}): Promise<Answer> {
      return traced('message', request, { ...call, sessionId }, async (run) => {
        const { clock, ids } = run.context;
        const from = clock.elapsedMs();
        const since = sessions.deletions();
        const earlier = await withRecorder('sessions', sessions, run.context).recent(sessionId);
        const { resolved, reason } =
          classifyIntent(request.content).intent === 'conversational'
            ? { resolved: request.content, reason: 'small talk: nothing to resolve' }
            : resolveFollowUp(request.content, earlier);
        run.context.sink({ type: 'follow-up', content: request.content, resolved, reason });
        const turnId = ids.next('trn');
        const written = remembering(request.user, request.content);
        const keep = async (result: Answer): Promise<Answer> => {
          const said = { id: turnId, sessionId, content: request.content, resolvedQuestion: resolved };
          const turn = sessions.append({ ...said, answer: result }, { since });
          run.keeping.add('turn', turn);
          run.keeping.add('answer', record.answers.save(result, run.context.clock.now()));
          await turn.catch((thrown: unknown) => {
            // The session was deleted meanwhile.
            if (toFootnoteError(thrown).code === 'not-found') throw thrown;
          });
          return result;
        };
        let result: Answer;
        try {
          const { context } = run;
          const { onUsed } = written;
          result = await answer(resolved, request, { context, content: request.content, onUsed, sessionId, turnId });
        } catch (thrown) {
          // Whoever comes back to the session finds what was said in it.
          if (call.signal?.aborted) {
            const { traceId, budget } = run.context;
            const mode = request.mode ?? options.defaultMode;
            const asked = { question: resolved, mode, sessionId, turnId, degraded: [] };
            const [spent, totalMs] = [await spentOn(budget), clock.elapsedMs() - from];
            await keep(unanswered(asked, { id: ids.next('ans'), traceId, spent, totalMs }));
          }
          throw thrown;
        }
        const kept = await keep(result);
        written.after(run.keeping, { sessionId, turnId, answerId: result.id });
        return kept;
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
