// The routes, made from the table of operations: each takes what its operation takes and replies what its operation gives. What only HTTP has
// (files, pages, streams) stands in the files beside this one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Answer, answerSchema } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import { streamEventSchema } from '../../core/events.ts';
import { underKey } from '../../core/keyed/effects.ts';
import { type Asked, type Caller, type Operation, paramsOf } from '../../operations/operation.ts';
import { type NamedOperation, operations, runOperation } from '../../operations/table.ts';
import { wantsEventStream } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { type Exchange, streamAnswer } from '../wire/stream-reply.ts';
import { readUpload } from '../wire/upload.ts';

/** Serves in the place of what the table does; `next` does that. */
export type Handle = (exchange: Exchange, next: () => Promise<unknown>) => unknown;
/** What serves a route itself, and what else the route needs. */
export interface OwnRoute {
  readonly handle: Handle;
  readonly preValidation?: (request: FastifyRequest) => Promise<void>;
  /** Media types whose bodies are handed over as they come. */
  readonly asTheyCome?: readonly string[];
}
export type OwnRoutes = readonly (readonly [operation: Operation, serves: Handle | OwnRoute])[];

export function callerOf(door: Door, { request, reply }: Exchange): Caller {
  const { scope } = request;
  if (!scope) throw new FootnoteError('internal', 'An open route asked for a scope.');
  const call = door.callOf(request, reply);
  return { footnote: door.footnoteOf(request), scope, call, conceal: door.concealFrom(request) };
}

/** What a request asked, as the schemas of its operation let it through. */
export const askedOf = <Query extends z.ZodType | undefined, Body extends z.ZodType | undefined>(
  _operation: { readonly query?: Query; readonly body?: Body },
  request: FastifyRequest,
) => request as unknown as Asked<'/:id' | '/:name' | '/:store' | '/:file_id' | '/:batch_id', Query, Body>;

const answerReplies = {
  200: {
    description: 'The answer, or its events as they happen (server-sent; the last is `done` or `error`)',
    content: {
      'application/json': { schema: answerSchema },
      'text/event-stream': { schema: streamEventSchema },
    },
  },
};
const nothing = { 204: z.undefined().describe('Done; there is nothing to say.') };

function repliesOf({ answers, replies, reply, status }: Operation) {
  if (answers) return answerReplies;
  return replies ?? (reply ? { [status ?? 200]: reply } : nothing);
}

function schemaOf(operation: Operation) {
  const { role, tag, summary, query, body } = operation;
  const params = paramsOf(operation);
  return {
    summary,
    tags: [tag],
    ...(role === 'open' && { security: [] }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: repliesOf(operation),
  };
}

export function registerRoutes(app: HttpApp, door: Door, peculiar: OwnRoutes): void {
  const byOperation = new Map(peculiar);
  for (const named of operations) {
    const given = byOperation.get(named.operation);
    const own = typeof given === 'function' ? { handle: given } : given;
    const { asTheyCome } = own ?? {};
    if (!asTheyCome) registerRoute(app, { named, door, own });
    else
      void app.register(async (instance) => {
        instance.addContentTypeParser([...asTheyCome], async (_request: FastifyRequest, body: unknown) => body);
        registerRoute(instance as unknown as HttpApp, { named, door, own });
      });
  }
}

interface Served {
  readonly named: NamedOperation;
  readonly door: Door;
  readonly own: OwnRoute | undefined;
}

function registerRoute(app: HttpApp, { named, door, own }: Served): void {
  const { operation } = named;
  const { route, mayBeEmpty, bodyLimit, watched, files, unkept } = operation;
  const [method = '', url = ''] = route.split(' ');
  app.route({
    method,
    url,
    schema: schemaOf(operation),
    ...(bodyLimit && { bodyLimit: bodyLimit(door.limits) }),
    ...(watched && { exposeHeadRoute: false }),
    ...(unkept && { config: { unkept } }),
    async preValidation(given) {
      const request = given as FastifyRequest;
      if (mayBeEmpty) request.body ??= {};
      if (files !== undefined && files !== 'export' && request.isMultipart()) await readUpload(request, door.limits);
      await own?.preValidation?.(request);
    },
    async handler(given, sent) {
      const exchange = { request: given as FastifyRequest, reply: sent as unknown as FastifyReply };
      const next = (): Promise<unknown> => serve(named, door, exchange);
      // Other questions leave nothing behind that anybody would find twice.
      const isMadeOnce = operation.answers === true || operation.lane !== 'questions';
      const request = isMadeOnce ? exchange.request.claim?.request : undefined;
      return underKey(request, () => (own ? own.handle(exchange, next) : next())) as never;
    },
  });
}

/** Does what the table says and replies it. */
async function serve(named: NamedOperation, door: Door, exchange: Exchange): Promise<unknown> {
  const { request, reply } = exchange;
  const { answers, forgets, headers, status, statusOf, reply: schema } = named.operation;
  const caller = callerOf(door, exchange);
  if (answers && wantsEventStream(request))
    return streamAnswer(door, exchange, async (call) => {
      const followed = { ...caller, call: { ...caller.call, ...call } };
      return (await runOperation(named, followed, request)) as Answer;
    });
  const value = await runOperation(named, caller, request);
  if (forgets) door.forgetStreams(request);
  if (!schema) return reply.code(204).send();
  if (headers) void reply.headers(headers(value as never, request as never));
  const code = statusOf?.(value as never) ?? status;
  if (code !== undefined) void reply.code(code);
  return value;
}
