// The ports of a request as its trace plays them: stores, the record, models, the budget. Invariant: none of them opens a socket, reads a
// file or writes anything; what they give is what the trace says they gave.

import type { AnswerCache } from '../../agent/answer-cache/answer-cache.ts';
import type { ArchiveChatPorts } from '../../agent/archive-chat/archive-chat.ts';
import { namedFiles } from '../../agent/tracing/without-texts.ts';
import type { SpanReader, VerifiedSpan } from '../../answer/claims/draft.ts';
import { intents } from '../../core/answer.ts';
import type { RequestBudget } from '../../core/budget.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { ArchiveChats } from '../../memory/archive/archive.ts';
import { noMeaning } from '../../memory/facts/fitted/meaning.ts';
import type { RequestMemory } from '../../memory/facts/for-requests.ts';
import { readMessage } from '../../memory/facts/statements/statements.ts';
import type { Sessions } from '../../memory/sessions.ts';
import type { EmbedOptions } from '../../models/embedding/model.ts';
import type { FixedModel, ReadySemantics, Semantics } from '../../models/embedding/semantics.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import type { GenerateRequest, GenerateResult } from '../../models/language/generation.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';
import { createModelBudget } from '../../models/money/model-budget.ts';
import type { RerankModel } from '../../models/rerank/rerank-model.ts';
import type { RoleModels } from '../../models/roles.ts';
import type { WebAccess } from '../../retrieval/web/web-leg.ts';
import type { EmbeddedStore } from '../../stores/embedded/port.ts';
import { memoryUrlAt } from '../keeping/memories.ts';
import type { FeedbackPort } from '../requests/request-ports.ts';
import type { RequestSemantics } from '../requests/request-semantics.ts';
import type { ModelFact, ModelFacts } from '../roles/model-facts.ts';
import type { OpenWorkspace, Workspace } from '../sources/workspace.ts';
import type { RequestWeb } from '../web/request-web.ts';
import type { PortFacts, StoreFacts } from './environment.ts';
import type { Player } from './player.ts';
import { type PlayedCall, toThrown } from './recorded-calls.ts';

/** A value as the port gave it: vectors have their bits again. */
function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revive);
  const { float32, ...others } = value as { readonly float32?: unknown };
  if (typeof float32 === 'string' && Object.keys(others).length === 0) {
    const bytes = Buffer.from(float32, 'base64');
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  }
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, revive(field)]));
}

function outcomeOf({ response, error }: PlayedCall): unknown {
  if (error) throw toThrown(error);
  return revive(response);
}

const isSignal = (argument: unknown): argument is AbortSignal => argument instanceof AbortSignal;

const sentOf = (args: readonly unknown[]): readonly unknown[] => args.filter((argument) => !isSignal(argument));

/** A port whose every method plays; `facts` are its properties. */
function playedPort<Port extends object>(
  player: Player,
  name: string,
  facts: Partial<Port> & { readonly methods?: readonly string[] } = {},
): Port {
  const { methods, ...properties } = facts;
  const play =
    (method: string) =>
    async (...args: unknown[]): Promise<unknown> =>
      outcomeOf(await player.ask({ port: name, method, request: sentOf(args), signal: args.find(isSignal) }));
  const own = Object.fromEntries((methods ?? []).map((method) => [method, play(method)]));
  const port = { ...properties, ...own } as unknown as Port;
  if (methods) return port;
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property);
      return member !== undefined || typeof property !== 'string' || property === 'then' ? member : play(property);
    },
  });
}

type Calls = 'memoriesOf' | 'memoryById' | 'answerBasis' | 'commit' | 'prepare';

export function playedRecord(player: Player, scope: Scope): TenantRecord {
  const unplayed = (): never => {
    throw new FootnoteError(
      'internal',
      'A replay reads its trace and nothing else: this port has no record to read from.',
    );
  };
  const closed = new Proxy({}, { get: unplayed });
  return {
    scope,
    documents: playedPort(player, 'record.documents'),
    sources: playedPort(player, 'record.sources'),
    ...({
      sessions: closed,
      traces: closed,
      answers: closed,
      ingestions: closed,
      readings: closed,
      uploads: closed,
      idempotency: closed,
      spending: closed,
      feedback: closed,
      documentOpens: closed,
      evaluations: closed,
    } as unknown as Omit<TenantRecord, 'scope' | 'documents' | 'sources' | Calls>),
    memoriesOf: unplayed,
    memoryById: unplayed,
    answerBasis: unplayed,
    commit: unplayed,
    prepare: unplayed,
  };
}

/** The scores of passages as they were: no encoder is asked. */
export const playedPassageScorer = (
  player: Player,
  { passageScorer: id }: Pick<PortFacts, 'passageScorer'>,
): PassageScorer | undefined =>
  id === undefined
    ? undefined
    : playedPort<PassageScorer>(player, 'passage-scorer', { id, methods: ['score', 'match', 'leastMatch'] });

/** What people said of answers, as far as it was listened to. */
export const playedFeedback = (player: Player): FeedbackPort =>
  playedPort<FeedbackPort>(player, 'feedback', { methods: ['shares'] });

/** Answers that were given again then; none is kept. */
export const playedAnswers = (player: Player): AnswerCache => ({
  ...playedPort<Pick<AnswerCache, 'find'>>(player, 'answer-cache', { methods: ['find'] }),
  put: async () => undefined,
});

export const playedSpans =
  (player: Player): SpanReader =>
  async (reference) =>
    outcomeOf(await player.ask({ port: 'record.spans', method: 'readSpan', request: [reference] })) as
      | VerifiedSpan
      | undefined;

/** A store with the properties and methods that it had. */
export const playedStore = (player: Player, { name, capabilities, methods }: StoreFacts): EmbeddedStore =>
  playedPort<EmbeddedStore>(player, `store.${name}`, { name, capabilities, methods });

/** Pages are in the record that is played. */
export const playedWeb = (player: Player): RequestWeb => ({
  access: playedPort<WebAccess>(player, 'web', { methods: ['search', 'read'] }),
  over: (documents) => documents,
});

export function playedSemantics(
  player: Player,
  { isRemote, hasFixed }: Pick<PortFacts, 'isRemote' | 'hasFixed'>,
): RequestSemantics {
  const embed = async (texts: readonly string[], options: EmbedOptions): Promise<unknown> => {
    const { signal, budget: _, onUsage: __, ...sent } = options;
    return outcomeOf(await player.ask({ port: 'embedding', method: 'embed', request: [texts, sent], signal }));
  };
  return {
    ...(isRemote !== undefined && { isRemote }),
    ...(hasFixed && {
      async fixed() {
        const model = outcomeOf(await player.ask({ port: 'semantics', method: 'fixed', request: [] }));
        return { ...(model as FixedModel), embed } as unknown as FixedModel;
      },
    }),
    async current(signal) {
      const now = outcomeOf(await player.ask({ port: 'semantics', method: 'current', request: [], signal })) as Awaited<
        ReturnType<Semantics['current']>
      >;
      if (!now.ready) return now;
      return { ...now, model: { ...now.model, embed } as unknown as ReadySemantics['model'] };
    },
  };
}

function playedModel(player: Player, list: readonly ModelFact[]): LanguageModel | undefined {
  const [first] = list;
  if (!first) return undefined;
  const sent = ({ messages, ...parameters }: GenerateRequest): unknown => ({
    model: modelName(first),
    ...parameters,
    messages,
  });
  const model: LanguageModel = {
    ...first,
    ...(list.length > 1 && {
      after(name: string) {
        const rest = list.slice(list.findLastIndex((one) => modelName(one) === name) + 1);
        return rest.length > 0 && rest.length < list.length ? playedModel(player, rest) : undefined;
      },
    }),
    async generate(request, { deadline, signal = deadline.signal }) {
      return outcomeOf(await player.askModel(sent(request), signal)) as GenerateResult;
    },
    async *stream(request, { deadline, signal = deadline.signal }) {
      const played = await player.streamModel(sent(request), signal);
      try {
        for (const [place, text] of played.pieces.entries()) {
          await played.piece(place);
          yield { type: 'delta', text };
        }
        yield { type: 'end', result: outcomeOf(await played.end()) as GenerateResult };
      } finally {
        played.leave();
      }
    },
  };
  return model;
}

/** The models of every role under their names; each call is answered from the trace. */
export function playedModels(player: Player, { roles, intents: byIntent }: ModelFacts): RoleModels {
  const of = (lists: ModelFacts['roles'], name: string): LanguageModel | undefined =>
    playedModel(player, lists[name] ?? []);
  const answering = new Map(intents.map((intent) => [intent, of(byIntent, intent)]));
  return { of: (role) => of(roles, role), answering: (intent) => answering.get(intent) };
}

export function playedReranker(player: Player, facts: ModelFacts['reranker']): RerankModel | undefined {
  if (!facts || facts.method === 'language-model') return undefined;
  return {
    ...facts,
    async rerank(request, { deadline, signal = deadline.signal, budget: _, recorded: __, ...sent }) {
      const call = { port: 'reranker', method: 'rerank', request: [request, sent], signal };
      return outcomeOf(await player.ask(call)) as Awaited<ReturnType<RerankModel['rerank']>>;
    },
  };
}

const nothing = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };

/** Refuses what was refused, and says that that was taken which was taken. Nothing is spent. */
export function playedBudget(player: Player): RequestBudget {
  const told = <T>(method: string, args: readonly unknown[], otherwise: T): T => {
    const call = player.tell('budget', method, args);
    return call ? (outcomeOf(call) as T) : otherwise;
  };
  const unlimited = createModelBudget({}, { name: 'this replay' });
  return {
    ...unlimited,
    took: (role) => told('took', role === undefined ? [] : [role], nothing),
    servedRoles: () => told('servedRoles', [], []),
    takeToolCall: () => void told('takeToolCall', [], undefined),
    takeBytes: (sizes) => told('takeBytes', [sizes], sizes.length),
    bytesSpent() {
      const { code, message } = told('bytesSpent', [], { code: 'quota-exceeded', message: '' });
      return toThrown({ code, message });
    },
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** Files of the request as they were found; what is read of them by id is the record's, which plays it. */
export const playedWorkspace =
  (player: Player): OpenWorkspace =>
  async (files) => {
    const opened = await player.ask({ port: 'workspace', method: 'open', request: namedFiles(files) });
    const { degraded } = outcomeOf(opened) as Pick<Workspace, 'degraded'>;
    return { degraded, search: playedPort(player, 'workspace'), over: (documents) => documents };
  };

/** The archive of conversations as it was; nothing is added to a chat. */
export const playedArchive = (player: Player): Pick<ArchiveChatPorts, 'archive' | 'chats'> => ({
  archive: playedPort(player, 'archive'),
  chats: { ...playedPort<ArchiveChats>(player, 'chats', { methods: ['lastQuestion'] }), add: async () => undefined },
});

/** What was recalled of a user; nothing is counted or written. `isRead`: the trace has what was read of the message, which older ones have not. */
export function playedMemory(
  player: Player,
  { address, isRead }: { readonly address: string; readonly isRead: boolean },
): (user: string | undefined) => RequestMemory {
  const methods = ['recall', 'answersTo', 'read'];
  const { recall, answersTo, read } = playedPort<RequestMemory>(player, 'memories', { methods });
  // Read for the answer, and again where it was written down: the trace has it once.
  let once: ReturnType<RequestMemory['read']> | undefined;
  return () => ({
    recall,
    answersTo,
    read: isRead ? (message) => (once ??= read(message)) : (message) => readMessage(message, noMeaning),
    countUse: async () => undefined,
    write: async () => undefined,
    urlOf: memoryUrlAt(() => address),
  });
}

/** The session as it was when the message came; nothing is appended. */
export function playedSessions(player: Player, append: Sessions['append']): Sessions {
  const none = async (): Promise<never> => {
    throw new FootnoteError(
      'internal',
      'A replay reads its trace and nothing else: this port has no record to read from.',
    );
  };
  return {
    create: none,
    get: none,
    delete: none,
    turns: async (...request) =>
      outcomeOf(await player.ask({ port: 'sessions', method: 'turns', request })) as Awaited<
        ReturnType<Sessions['turns']>
      >,
    recent: async (id) =>
      outcomeOf(await player.ask({ port: 'sessions', method: 'recent', request: [id] })) as Awaited<
        ReturnType<Sessions['recent']>
      >,
    deletionMark: async () => '0',
    append,
  };
}
