// Searching and asking for one scope, each as a traced request (traced.ts): what streams, what is saved and what is returned come from the
// one log of the request.

import type { Composer } from '../answer/composer.ts';
import type { ConflictJudge } from '../answer/conflicts/judge-pairs.ts';
import { type Answer, type AskRequest, answerSchema, type Intent, type MessageRequest } from '../core/answer.ts';
import type { AnalysisRequest } from '../core/answers/analysis-request.ts';
import type { RequestBudget } from '../core/budget.ts';
import type { RequestContext } from '../core/context.ts';
import { toFootnoteError } from '../core/errors.ts';
import type { FootnoteEvent, RequestKind } from '../core/events.ts';
import { underKey } from '../core/keyed/effects.ts';
import type { RecalledMemory } from '../core/memory.ts';
import { type Mode, type SearchRequest, type SearchResponse, searchOptionsOf } from '../core/search.ts';
import type { RequestMemory } from '../memory/facts/for-requests.ts';
import type { Sessions } from '../memory/sessions.ts';
import { withRecorder } from '../trace/recorder.ts';
import { runAnalysis } from './analyse/analyse.ts';
import type { AnswerCache } from './answer-cache/answer-cache.ts';
import { answeredBefore } from './answer-cache/give-again.ts';
import { createArchiveInAnswers } from './archive-chat/in-answers.ts';
import { type SaidTurn, turnsOf } from './intent/conversation.ts';
import type { IntentDepths } from './intent/depths.ts';
import type { IntentClassifier } from './intent/intent-by-model.ts';
import type { Planner } from './plan/planner.ts';
import { questionIn } from './question-in.ts';
import type { AskedOfPorts, RequestPorts } from './request-ports.ts';
import type { RevisePortsOfTurn } from './revise-turn.ts';
import { standingPorts } from './standing-ports.ts';
import type { TalkPorts } from './steps/greet.ts';
import { createRemembering } from './steps/remember.ts';
import { type ConversationPorts, sessionUrlBeside } from './talk/from-conversation.ts';
import { toldTurns } from './talk/told-turns.ts';
import type { OrchestratedPorts } from './tools/orchestrate.ts';
import { createMemoryTool, type MemoryTool } from './tools/recall-memory.ts';
import { keepShown } from './tracing/keep.ts';
import {
  createTracing,
  type RequestCall,
  type Run,
  type TracedCall,
  type TraceKeeping,
  type TracingOptions,
} from './tracing/traced.ts';
import { budgetedSearch } from './turn/budgeted-search.ts';
import { createSearchGatherer, type Gatherer } from './turn/gatherer.ts';

import { servedModels } from './turn/served-models.ts';
import { spentOn } from './turn/spent-on.ts';
import { runTurn } from './turn.ts';
import { unanswered } from './unanswered.ts';

export type { RequestCall } from './tracing/traced.ts';

/** What a program asked for itself: `title`, `tags`. */
export type Housekeeping = Omit<Extract<FootnoteEvent, { type: 'housekeeping' }>, 'type'>;

/** What is kept of requests. */
export interface RequestRecord {
  readonly answers: { save(answer: Answer, at: string): Promise<unknown> };
  readonly traces: TraceKeeping;
}

export interface RunnerOptions extends TracingOptions {
  readonly record: RequestRecord;
  readonly openPorts: (context: RequestContext, asked: AskedOfPorts) => Promise<RequestPorts>;
  /** Who writes the answer to questions of an intent; passages of the documents where there is none. */
  readonly composerFor?: (intent: Intent, budget: RequestBudget, isStrict?: boolean) => Composer | undefined;
  /** Who says of sentences that rules cannot decide whether they contradict a claim; rules alone where there is none. */
  readonly conflictJudgeFor?: ((budget: RequestBudget) => ConflictJudge | undefined) | undefined;
  /** Who says what kind of request a question is where patterns only guess; patterns alone where there is none. */
  readonly classifierFor?: (budget: RequestBudget) => IntentClassifier | undefined;
  /** Who says how much a question asks, and takes it apart; none: every question is asked as a whole. */
  readonly plannerFor?: ((budget: RequestBudget) => Planner | undefined) | undefined;
  /** Who finds evidence in the place of one search; none: one search does. */
  readonly gathererFor?: ((budget: RequestBudget, ports: OrchestratedPorts) => Gatherer | undefined) | undefined;
  /** Who looks at a draft before it is released; none: claims stream as they are checked. */
  readonly reviseFor?: (
    budget: RequestBudget,
    ports: OrchestratedPorts & { readonly staysHere: boolean },
  ) => RevisePortsOfTurn & TalkPorts;
  readonly sessions: Sessions;
  /** Answers that are given again; absent: every question is searched. */
  readonly answerCache?: AnswerCache | undefined;
  /** Long-term memory of a user; absent: nothing is recalled or remembered. */
  readonly memoryOf?: (user: string | undefined) => RequestMemory;
  readonly defaultMode: Mode;
  readonly contextTokens: number;
  /** The same of a model that writes. Default: as many. */
  readonly modelContextTokens?: number;
  /** How deep questions of each intent are read; absent: all alike. */
  readonly depths?: IntentDepths;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
}

const defaultTopK = 5;
/** Turns of a session that a question about it is answered from. */
const longestConversation = 100;

/** What is asked, besides what the request says. */
interface Asked extends Run {
  /** The message as its user wrote it. */
  readonly content: string;
  /** What was said before it, oldest first. */
  readonly earlier?: readonly SaidTurn[];
  /** The session in which it was said; what came with the question itself cannot be cited. */
  readonly session?: Pick<ConversationPorts, 'earlier' | 'wholeConversation'>;
  /** Told which question is searched in its place. */
  readonly onResolved?: (question: string) => void;
  readonly onUsed: (memories: readonly RecalledMemory[]) => void;
  readonly sessionId?: string;
  readonly turnId?: string;
}

const wishesOf = ({ wishes = '' }: Pick<AskRequest, 'wishes'>) => (wishes.trim() === '' ? {} : { wishes });

const saidIn = (content: string, earlier: readonly SaidTurn[] = []): readonly string[] => [
  content,
  ...earlier.map((turn) => turn.content),
];

/** Long-term memory as one turn uses it, each look recorded, and the tool that a model has for it where the question is open. */
function memoryIn(
  kept: RequestMemory | undefined,
  context: RequestContext,
  isOpen: boolean,
): { readonly memory?: RequestMemory; readonly recalling?: MemoryTool } {
  if (!kept) return {};
  const { recall, answersTo, read } = kept;
  const looks = withRecorder('memories', { recall, answersTo, read }, context);
  const memory: RequestMemory = { ...kept, ...looks };
  return { memory, ...(isOpen && { recalling: createMemoryTool(memory, context) }) };
}

/** Runs the requests of one scope. */
export function createRunner(options: RunnerOptions) {
  const { record, openPorts, sessions, spanUrl } = options;
  const run = createTracing(options);

  /** What is read is no business of a model where it stays here. */
  const conflictJudgeOf = ({ staysHere }: RequestPorts, budget: RequestBudget): ConflictJudge | undefined =>
    staysHere ? undefined : options.conflictJudgeFor?.(budget);

  const traced = async <T extends Answer | SearchResponse>(
    kind: RequestKind,
    body: unknown,
    call: TracedCall,
    work: (run: Run) => Promise<T>,
  ): Promise<T> => {
    const { result, lost } = await run({ kind, body, call, told: (value) => ({ result: value }) }, work);
    return lost.length === 0 ? result : { ...result, degraded: [...result.degraded, ...lost] };
  };

  async function answer(
    request: AskRequest | MessageRequest,
    { context, keeping, content, onResolved, onUsed, earlier, session, ...place }: Asked,
  ): Promise<Answer> {
    const { budget } = context;
    const classify = options.classifierFor?.(budget);
    const { sources, filter, workspace } = request;
    const ports = standingPorts(
      await openPorts(context, { sources, filter, workspace, said: saidIn(content, earlier) }),
    );
    const { retriever, staysHere, further } = ports;
    // Whoever says where to look is answered from there alone.
    const isOpen = !staysHere && request.sources === undefined && request.filter === undefined;
    const past = ports.past && isOpen ? createArchiveInAnswers(ports.past, context) : undefined;
    const searching = createSearchGatherer(retriever, options.depths?.hits);
    const plain = past?.beside(searching) ?? searching;
    const readSpan = past?.readSpan(ports.readSpan) ?? ports.readSpan;
    const { memory, recalling } = memoryIn(options.memoryOf?.(request.user), context, isOpen);
    const look = { sources, filter, contextTokens: options.contextTokens };
    const question = await questionIn({ content, earlier, onResolved }, { ...ports, memory, look }, context);
    const looked = { plain, retriever, further, beside: [past, recalling].filter((one) => one !== undefined) };
    const result = await runTurn(
      {
        ...searchOptionsOf(request),
        ...place,
        content,
        question,
        mode: request.mode ?? options.defaultMode,
        degraded: ports.degraded ?? [],
        ...(earlier && earlier.length > 0 && { conversation: toldTurns(earlier) }),
        ...wishesOf(request),
      },
      {
        gatherer: (staysHere ? undefined : options.gathererFor?.(budget, looked)) ?? plain,
        partGatherer: plain,
        further,
        readSpan,
        passageScorer: ports.passageScorer,
        contextTokens: options.contextTokens,
        modelContextTokens: options.modelContextTokens,
        contextTokensOf: options.depths?.contextTokens,
        ...(classify && { classify }),
        planner: options.plannerFor?.(budget),
        ...options.reviseFor?.(budget, { plain, retriever, further, staysHere }),
        composerFor: (intent) => (staysHere ? undefined : options.composerFor?.(intent, budget, request.strict)),
        conflictJudge: conflictJudgeOf(ports, budget),
        spanUrl,
        past,
        ...session,
        sessionUrl: sessionUrlBeside(spanUrl),
        ...(memory && { memory, onUsed, recalledByModel: recalling?.recalled }),
      },
      context,
    );
    keepShown(keeping, ports, result.citations);
    return answerSchema.parse(result);
  }

  return {
    search(request: SearchRequest, call: RequestCall = {}): Promise<SearchResponse> {
      return traced('search', request, call, async ({ context, keeping }) => {
        const { traceId, sink, budget, clock } = context;
        const from = clock.elapsedMs();
        const mode = request.mode ?? options.defaultMode;
        const { query, explain, topK = defaultTopK, sources, filter } = request;
        const ports = await openPorts(context, { sources, filter, said: [query] });
        const { retriever } = ports;
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
        keepShown(keeping, ports, response.results);
        sink({
          type: 'searched',
          results: found.evidence.map(({ chunkId, documentId, score }) => ({ chunkId, documentId, score })),
        });
        return response;
      });
    },

    ask(request: AskRequest, call: RequestCall = {}): Promise<Answer> {
      return traced('ask', request, call, async (run) => {
        const { context } = run;
        const { question: content, history = [] } = request;
        const kept = await answeredBefore(options.answerCache, request, context);
        if (kept) {
          run.keeping.add('answer', record.answers.save(kept, context.clock.now()));
          return kept;
        }
        const written = createRemembering(options.memoryOf?.(request.user), content);
        const earlier = history.length === 0 ? undefined : turnsOf(history);
        const result = await answer(request, { ...run, content, ...(earlier && { earlier }), onUsed: written.onUsed });
        const at = context.clock.now();
        run.keeping.add('answer', record.answers.save(result, at));
        const cached = options.answerCache?.put(request, result, at);
        if (cached) run.keeping.add('answer', cached);
        written.after(run.keeping, { answerId: result.id });
        return result;
      });
    },

    /** Leaves the trace of a prompt that is no question: which task it set, and none of its words. */
    async housekeep(task: Housekeeping, call: RequestCall = {}): Promise<void> {
      const told = () => ({ outcome: 'answered' as const });
      await run({ kind: 'housekeeping', body: task, call, told }, async ({ context }) => {
        context.sink({ type: 'housekeeping', ...task });
      });
    },

    analyse(request: AnalysisRequest, call: RequestCall = {}): Promise<Answer> {
      return traced('analysis', request, call, async ({ context, keeping }) => {
        const { subject, sources, filter } = request;
        const ports = standingPorts(await openPorts(context, { sources, filter, said: [subject] }));
        const { retriever, staysHere } = ports;
        const composerFor = (intent: Intent) => (staysHere ? undefined : options.composerFor?.(intent, context.budget));
        const conflictJudge = conflictJudgeOf(ports, context.budget);
        const gatherer = createSearchGatherer(retriever);
        const result = answerSchema.parse(
          await runAnalysis(request, { ...options, ...ports, gatherer, composerFor, conflictJudge }, context),
        );
        keepShown(keeping, ports, result.citations);
        keeping.add('answer', record.answers.save(result, context.clock.now()));
        return result;
      });
    },

    send(sessionId: string, request: MessageRequest, call: RequestCall = {}): Promise<Answer> {
      return traced('message', request, { ...call, sessionId }, async (run) => {
        const { clock, ids } = run.context;
        const from = clock.elapsedMs();
        const since = await sessions.deletionMark();
        const recorded = withRecorder('sessions', sessions, run.context);
        const earlier = await recorded.recent(sessionId);
        // The last turns are all of a conversation that is not longer.
        const isLong = (earlier.at(-1)?.ordinal ?? 0) > longestConversation;
        const wholeConversation = (of: 'first' | 'last') =>
          isLong && of === 'first'
            ? recorded.turns(sessionId, longestConversation, of)
            : recorded.turns(sessionId, longestConversation);
        let resolved = request.content;
        const onResolved = (question: string): void => {
          resolved = question;
        };
        const turnId = ids.next('trn');
        const written = createRemembering(options.memoryOf?.(request.user), request.content);
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
          const { onUsed } = written;
          const said = { content: request.content, earlier, session: { earlier, wholeConversation } };
          result = await answer(request, { ...run, ...said, onResolved, onUsed, sessionId, turnId });
        } catch (thrown) {
          // Whoever comes back to the session finds what was said in it.
          if (call.signal?.aborted) {
            const { traceId, budget } = run.context;
            const mode = request.mode ?? options.defaultMode;
            const asked = { question: resolved, mode, sessionId, turnId, degraded: [] };
            const [spent, totalMs] = [await spentOn(budget), clock.elapsedMs() - from];
            // Asked again under its key, it is answered.
            await underKey(undefined, () => keep(unanswered(asked, { id: ids.next('ans'), traceId, spent, totalMs })));
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
