// Responses as OpenAI's clients read them, whole or as events, kept and gone on from. Invariants: a response is kept before its end is told, under the id that
// the end names; every field is there, null where it is empty; whoever goes away or cancels ends the work.
import type { FastifyRequest } from 'fastify';
import type { Citation } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import { beginning, type FootnoteEvent, type Problem } from '../../core/events.ts';
import type { Scope } from '../../core/scope.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { type ResponseObject, type ResponseRequest, responses } from '../../operations/openai-responses.ts';
import { lenient } from '../foreign/chat-request.ts';
import type { TextStyle } from '../foreign/foreign-text.ts';
import { filePrefix } from '../foreign/models.ts';
import { answerIn, openTelling, type Told, usageOf } from '../foreign/telling.ts';
import { askedOf, type OwnRoutes } from '../routes/routes.ts';
import type { Door, IdempotencyPort } from '../wire/http-types.ts';
import { dataLine, type EventStream, problemIn, type WireEvent } from '../wire/sse.ts';
import { type Exchange, streamReply } from '../wire/stream-reply.ts';
import { attributesOf, fileNameOf } from './file-facts.ts';
import { type InputMessage, keptResponses, missingResponse } from './kept-responses.ts';
import {
  type Annotation,
  annotationsOf,
  createResponseLog,
  eventsOf,
  itemOf,
  type OutputItem,
  outputText,
  type Piece,
  type ResponseEvent,
} from './response-events.ts';
import { createRunning } from './running.ts';

const now = (): number => Math.floor(Date.now() / 1000);

/** What comes back as it was asked. */
const echoed = 'instructions max_output_tokens previous_response_id temperature top_p user'.split(' ');

/** The response while nothing of it is there. */
function begunAs(id: string, body: ResponseRequest): ResponseObject {
  const tools = body.tools?.map((tool) =>
    tool.type === 'function' ? { parameters: null, strict: null, ...tool } : tool,
  );
  const { model, metadata = {}, parallel_tool_calls = true, tool_choice = 'auto', store = true } = body;
  const none = { completed_at: null, error: null, incomplete_details: null, max_tool_calls: null, usage: null };
  return {
    ...{ id, object: 'response', created_at: now(), status: 'in_progress', model, output: [], store, ...none },
    ...(Object.fromEntries(echoed.map((name) => [name, body[name as keyof ResponseRequest] ?? null])) as {
      previous_response_id: string | null;
    }),
    ...{
      metadata,
      parallel_tool_calls,
      tool_choice,
      tools: tools ?? [],
      text: { ...body.text, format: { type: 'text' } },
    },
    reasoning: { effort: null, summary: null, ...body.reasoning },
    ...{ background: false, service_tier: 'default', top_logprobs: 0, truncation: 'disabled' },
  };
}

/** What was found, as results of a search: what the answer quotes. */
async function resultsOf({ documents }: Pick<Footnote, 'documents'>, citations: readonly Citation[]) {
  return Promise.all(
    citations.map(async (cited) => {
      // What is cited may be no document.
      const { metadata } = await documents.get(cited.documentId).catch(() => ({ metadata: {} }));
      return {
        ...{ file_id: filePrefix + cited.documentId, filename: fileNameOf(cited), text: cited.quote },
        score: Math.min(1, Math.max(0, cited.score)),
        attributes: attributesOf(metadata),
      };
    }),
  );
}

function endedAs(
  begun: ResponseObject,
  told: Told,
  { calls, annotations }: { readonly calls: readonly OutputItem[]; readonly annotations: readonly Annotation[] },
): ResponseObject {
  const { content, finishReason, of } = told;
  const isCut = finishReason === 'length';
  const status = isCut ? 'incomplete' : 'completed';
  const { prompt_tokens, completion_tokens, total_tokens } = usageOf(of?.answer.usage);
  const message = { id: itemOf(begun.id, 'msg'), type: 'message' as const, role: 'assistant', status };
  return {
    ...{ ...begun, status, completed_at: now(), incomplete_details: isCut ? { reason: 'max_output_tokens' } : null },
    output: [...calls, { ...message, content: [outputText(content, annotations)] }],
    usage: {
      ...{ input_tokens: prompt_tokens, input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 } },
      ...{ output_tokens: completion_tokens, output_tokens_details: { reasoning_tokens: 0 }, total_tokens },
    },
    ...(of && { footnote: answerIn(of) }),
  };
}

const failedAs = (
  begun: ResponseObject,
  { code, detail: message }: Pick<Problem, 'code' | 'detail'>,
): ResponseObject => ({
  ...begun,
  status: code === 'cancelled' ? 'cancelled' : 'failed',
  error: {
    code: code === 'rate-limited' || code === 'quota-exceeded' ? 'rate_limit_exceeded' : 'server_error',
    message,
  },
});

const frameOf = (_id: string, event: WireEvent): string => `event: ${event.type}\n${dataLine(event)}`;

interface Running {
  readonly begun: ResponseObject;
  readonly stream: EventStream;
  cancel(): void;
}

export function responseRoutes(
  door: Door,
  usual: TextStyle,
  idempotency: (scope: Scope) => IdempotencyPort,
): OwnRoutes {
  const running = createRunning<Running>();
  const keptOf = ({ scope }: FastifyRequest) => {
    if (!scope) throw new FootnoteError('internal', 'An open route asked for a scope.');
    return keptResponses(idempotency(scope));
  };
  async function create(exchange: Exchange): Promise<unknown> {
    const { request, reply } = exchange;
    const { body } = askedOf(responses.create, request);
    const [footnote, kept] = [door.footnoteOf(request), keptOf(request)];
    const id = `resp_${request.id.slice('req_'.length)}`;
    const input = await kept.messagesOf(id, body.input);
    const begun = begunAs(id, body);
    const isFiled = body.tools?.some(({ type }) => type === 'file_search') === true;
    const tell = await openTelling(
      footnote,
      {
        ...body,
        field: 'input',
        messages: [
          ...(await kept.saidBefore(body.previous_response_id)),
          ...(body.instructions === undefined ? [] : [{ role: 'system' as const, content: body.instructions }]),
          ...input,
        ],
        maxTokens: body.max_output_tokens,
        // That it searches is all that can be demanded of it.
        values: {
          ...body,
          ...(isFiled && body.tool_choice === 'required' && { tool_choice: 'auto' }),
          'text.format': body.text?.format,
        },
      },
      usual,
    );
    const showsResults = body.include?.includes('file_search_call.results') === true;
    const searches = isFiled || showsResults;
    const call = door.callOf(request, reply);

    const answer = async (
      log: ReturnType<typeof createResponseLog>,
      more: Partial<typeof call> = {},
    ): Promise<ResponseEvent> => {
      const pieces: Piece[] = [];
      const annotations: Annotation[] = [];
      const held: (() => void)[] = [];
      const searched = (results: readonly object[] | null): OutputItem => ({
        id: itemOf(id, 'fs'),
        type: 'file_search_call',
        status: 'completed',
        queries: [questionIn(input)],
        results,
      });
      const keep = (told: Told, results: readonly object[] | null, again = false) => {
        const calls = searches ? [searched(results)] : [];
        const response = endedAs(begun, told, { calls, annotations });
        const store = begun.store ? kept.keep({ response, input, pieces }, again) : Promise.resolve(false);
        // Whoever does not wait for it, since the answer failed meanwhile, tells of that.
        store.catch(() => undefined);
        return { response, store, of: told.of?.answer.degraded.length };
      };
      let keeping: ReturnType<typeof keep> | undefined;
      const told = await tell({
        ...call,
        ...more,
        onAnswered(answered) {
          // Before anyone can delete the answer, who then deletes this as well.
          keeping = keep(answered, null);
        },
        onEvent: ({ type }: FootnoteEvent) => beginning.has(type) && log.begin(),
        onText(text, marks) {
          const own = annotationsOf(marks, isFiled);
          pieces.push([text.length, own.length]);
          annotations.push(...own);
          const show = (): void => log.piece(text, own);
          // Results stand before the text, and are known with its last quote.
          if (showsResults) return void held.push(show);
          log.found(searches ? searched(null) : undefined);
          show();
        },
      });
      const results = showsResults ? await resultsOf(footnote, told.of?.answer.citations ?? []) : null;
      // What could not be kept of the answer is told with it.
      if (showsResults || keeping?.of !== told.of?.answer.degraded.length || !keeping)
        keeping = keep(told, results, await keeping?.store.catch(() => false));
      log.found(searches ? searched(results) : undefined);
      for (const show of held) show();
      return log.end({ ...keeping.response, store: await keeping.store });
    };

    if (body.stream !== true) {
      const last = await answer(createResponseLog(begun, searches, () => undefined));
      return (last as ResponseEvent & { response: ResponseObject }).response;
    }
    let log: ReturnType<typeof createResponseLog> | undefined;
    const frame = (_: string, event: WireEvent): string => {
      const problem = problemIn(event);
      return frameOf(_, problem && log ? log.fail(failedAs(begun, problem)) : event);
    };
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new FootnoteError('cancelled', 'The response was cancelled.'));
    const serve = (stream: EventStream): Promise<ResponseEvent> =>
      running.during(request, [id, { begun, stream, cancel }], async () => {
        log = createResponseLog(begun, searches, (event) => stream.append(event));
        const last = await answer(log, { signal: AbortSignal.any([stream.signal, controller.signal]) });
        // What streams is not kept under a key: asked again, it is answered again.
        await request.claim?.release();
        return last;
      });
    return streamReply(door, exchange, serve, frame);
  }

  async function get(exchange: Exchange): Promise<unknown> {
    const { request, reply } = exchange;
    const {
      params: { id },
      query,
    } = askedOf(responses.get, request);
    const from = query.starting_after === undefined ? 0 : query.starting_after + 1;
    const live = running.find(request, id);
    if (live)
      return query.stream === true
        ? door.streams.send(reply, live.stream, Math.min(from, live.stream.length))
        : live.begun;
    const kept = await keptOf(request).get(id);
    if (query.stream !== true) return kept.response;
    const events = eventsOf(kept);
    const last = events.at(-1) as ResponseEvent;
    return streamReply(
      door,
      exchange,
      async (stream) => {
        for (const event of events.slice(from, -1)) stream.append(event);
        return last;
      },
      frameOf,
    );
  }

  return [
    [responses.create, { ...lenient, handle: create }],
    [responses.get, get],
    [
      responses.delete,
      async ({ request }) => {
        const { id } = askedOf(responses.delete, request).params;
        const kept = keptOf(request);
        await kept.erase(await kept.get(id), door.footnoteOf(request));
        door.forgetStreams(request);
        return { id, object: 'response', deleted: true };
      },
    ],
    [
      responses.cancel,
      async ({ request }) => {
        const { id } = askedOf(responses.cancel, request).params;
        const live = running.find(request, id);
        live?.cancel();
        return live ? { ...live.begun, status: 'cancelled' } : (await keptOf(request).get(id)).response;
      },
    ],
    [
      responses.items,
      async ({ request }) => {
        const {
          params: { id },
          query: { limit, order, after },
        } = askedOf(responses.items, request);
        const kept = keptOf(request);
        const input = await kept.inputOf((await kept.get(id)).input);
        const all = order === 'asc' ? input : input.toReversed();
        const first = after === undefined ? 0 : all.findIndex((one) => one.id === after) + 1;
        if (after !== undefined && first === 0) throw missingResponse(after, 'after', 'item_not_found');
        const data = all.slice(first, first + limit).map(({ of: _, ...one }) => one);
        const [first_id, last_id] = [data[0]?.id ?? '', data.at(-1)?.id ?? ''];
        return { object: 'list', data, first_id, last_id, has_more: first + limit < all.length };
      },
    ],
  ];
}

const questionIn = (input: readonly InputMessage[]): string => {
  const [part] = input.findLast(({ role }) => role === 'user')?.content ?? [];
  return typeof part === 'object' ? (part.text ?? '') : '';
};
