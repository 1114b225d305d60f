// The facade of one scope in this process: what a door may call, over the record, the stores and the pipeline. Each group of calls has its
// part in handle/.
import type { Answer } from '../core/answer.ts';
import type { Turn } from '../core/conversation.ts';
import { madeBefore } from '../core/keyed/effects.ts';
import type { Footnote } from './facade.ts';
import { createAnswersPart } from './handle/answers.ts';
import { createConversationsPart } from './handle/conversations.ts';
import { createDocumentsPart } from './handle/documents.ts';
import { createEvalsPart } from './handle/evals.ts';
import { createFeedbackPart } from './handle/feedback.ts';
import { found } from './handle/found.ts';
import { createIngestionsPart } from './handle/ingestions.ts';
import type { HandleOptions } from './handle/options.ts';
import { createRecommend } from './handle/recommend.ts';
import { createSourcesPart } from './handle/sources.ts';
import { createStoreNamed } from './handle/store-named.ts';
import { createStoresPart } from './handle/stores.ts';
import { createTracesPart } from './handle/traces.ts';
import { createUploadsPart } from './handle/uploads.ts';
import { linkedFrom } from './record/links.ts';
import { toldOfAnswer } from './record/without-memories.ts';

/** Among them a message is whose reply was cut off. */
const lastTurns = 100;
const isOf =
  (id: string) =>
  ({ answer }: Turn): boolean =>
    answer.id === id;

export function createHandle(options: HandleOptions): Footnote {
  const { record, stores, sessions, requests, demand } = options;
  const storeNamed = createStoreNamed(stores);
  const told = async (turn: Turn): Promise<Turn> => ({
    ...turn,
    answer: linkedFrom(options.addressOf(), await toldOfAnswer(turn.answer, record)),
  });

  const turnsPage: Footnote['sessions']['page'] = async (id, request) => {
    const { data, ...rest } = await found('session', id, record.sessions.page(id, { limit: 100, ...request }));
    return { data: await Promise.all(data.map(told)), ...rest };
  };

  const search: Footnote['search'] = (request, call) => demand.serve(() => requests.search(request, call));

  const documents = createDocumentsPart(options, storeNamed);
  const answers = createAnswersPart(options);

  /** Answers, unless that was done for an earlier request under the same key. */
  async function once(work: () => Promise<Answer>, sessionId?: string): Promise<Answer> {
    const id = madeBefore('answer');
    if (id === undefined) return demand.serve(work);
    const isKept = sessionId === undefined || (await record.answers.get(id)) !== undefined;
    const turn = isKept ? undefined : (await record.sessions.turns(sessionId, lastTurns)).find(isOf(id));
    if (turn) await record.answers.save(turn.answer, turn.createdAt);
    return answers.get(id);
  }

  return {
    documents,
    sources: createSourcesPart(options),
    uploads: createUploadsPart(options),
    ingestions: createIngestionsPart(options, documents.add),
    stores: createStoresPart(options, storeNamed),
    search,
    ask: (request, call) => once(() => requests.ask(request, call)),
    analyse: (request, call) => once(() => requests.analyse(request, call)),
    sessions: {
      create(session) {
        const made = madeBefore('session');
        return made === undefined ? sessions.create(session) : sessions.get(made);
      },
      get: (id) => sessions.get(id),
      list: (request) => record.sessions.list(request),
      update: (id, change) => found('session', id, record.sessions.update(id, change)),
      delete: (id) => sessions.delete(id),
      page: turnsPage,
      turns: async (id, limit = 100) => (await turnsPage(id, { limit })).data,
      send: (sessionId, request, call) => once(() => requests.send(sessionId, request, call), sessionId),
    },
    memories: options.memories,
    conversations: createConversationsPart(options.conversations),
    usage: options.usage,
    feedback: createFeedbackPart(options),
    recommend: createRecommend(record, search),
    traces: createTracesPart(options),
    answers,
    evals: createEvalsPart(options),
    audit: options.audit,
    servers: { list: () => options.servers.list() },
  };
}
