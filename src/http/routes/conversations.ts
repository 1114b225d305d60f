// The archive of conversations: bring exports in, add turns, list, remove, look from above, read a turn. An export may have gigabytes: it is
// taken as it comes and never held.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import type { ImportDetails } from '../../footnote/facade/conversations.ts';
import { isSet, pageQuerySchema } from '../../operations/contract/contract.ts';
import {
  addTurnsSchema,
  conversationListSchema,
  conversationParamsSchema,
  conversationSchema,
  importQuerySchema,
  importReportSchema,
  peekRequestSchema,
  peekSchema,
  readTurnListSchema,
  readTurnSchema,
  turnParamsSchema,
  turnQuerySchema,
} from '../../operations/contract/conversations.ts';
import { uploadFaultOf } from '../policy/problem.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { emptySchema, pageOf } from '../wire/paging.ts';

const tags = ['conversations'];

/** Largest export, bytes. */
const importBytes = 8 * 1024 * 1024 * 1024;
const lineTypes = ['application/x-ndjson', 'application/jsonl', 'application/octet-stream', 'application/zip'];

// oxlint-disable-next-line house/own-lines -- One route stands after another, each with its schema.
export function registerConversationRoutes(app: HttpApp, door: Door): void {
  void app.register(async (instance) => {
    const own = instance as unknown as HttpApp;
    own.addContentTypeParser(
      lineTypes,
      async (_request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => payload,
    );
    registerImport(own, door);
  });

  app.post(
    '/v1/conversations/:id/turns',
    {
      bodyLimit: door.limits.documentBytes,
      schema: {
        summary: 'Add messages to an archived conversation; it is made where it does not exist',
        tags,
        params: conversationParamsSchema,
        body: addTurnsSchema,
        response: { 200: importReportSchema },
      },
    },
    async (request) => door.footnoteOf(request).conversations.addTurns(request.params.id, request.body),
  );

  app.get(
    '/v1/conversations',
    {
      schema: {
        summary: 'Archived conversations, last brought in first',
        tags,
        querystring: pageQuerySchema,
        response: { 200: conversationListSchema },
      },
    },
    async (request) => door.footnoteOf(request).conversations.list(pageOf(request.query)),
  );

  app.get(
    '/v1/conversations/:id',
    {
      schema: {
        summary: 'An archived conversation',
        tags,
        params: conversationParamsSchema,
        response: { 200: conversationSchema },
      },
    },
    async (request) => door.footnoteOf(request).conversations.get(request.params.id),
  );

  app.get(
    '/v1/conversations/:id/turns',
    {
      schema: {
        summary: 'The turns of an archived conversation in order',
        tags,
        params: conversationParamsSchema,
        querystring: pageQuerySchema,
        response: { 200: readTurnListSchema },
      },
    },
    async (request) => door.footnoteOf(request).conversations.turns(request.params.id, pageOf(request.query)),
  );

  app.delete(
    '/v1/conversations/:id',
    {
      schema: {
        summary: 'Remove an archived conversation with its turns, and what was answered out of it',
        tags,
        params: conversationParamsSchema,
        response: { 204: emptySchema },
      },
    },
    async (request, reply) => {
      await door.footnoteOf(request).conversations.delete(request.params.id);
      door.forgetStreams(request);
      return reply.code(204).send();
    },
  );

  app.post(
    '/v1/conversations/peek',
    {
      schema: {
        summary: 'When something was spoken of: a histogram over all hits, and pieces of the best',
        tags,
        body: peekRequestSchema,
        response: { 200: peekSchema },
      },
    },
    async (request) => door.footnoteOf(request).conversations.peek(request.body),
  );

  app.get(
    '/v1/turns/:turn_id',
    {
      schema: {
        summary: 'An archived turn, whole or as its summary, with its neighbours where asked',
        tags,
        params: turnParamsSchema,
        querystring: turnQuerySchema,
        response: { 200: readTurnSchema },
      },
    },
    async (request) => door.footnoteOf(request).conversations.turn(request.params.turn_id, request.query),
  );
}

interface Sent {
  readonly content: AsyncIterable<Uint8Array>;
  /** Known at the end of the content. */
  readonly details: () => Partial<ImportDetails>;
}

function registerImport(app: HttpApp, door: Door): void {
  const sent = new WeakMap<object, Sent>();
  app.post(
    '/v1/conversations/import',
    {
      bodyLimit: importBytes,
      schema: {
        summary: 'Bring in an export of conversations: multipart/form-data with one file, or its bytes as the body',
        tags,
        querystring: importQuerySchema,
        response: { 200: importReportSchema },
      },
      preValidation: async (given) => {
        const request = given as FastifyRequest;
        const { content, details } = request.isMultipart()
          ? readForm(request)
          : { content: bodyOf(request.body), details: () => ({}) };
        const hashed = withHash(request, { content, details });
        sent.set(request, { content: hashed, details });
        request.readToEnd = async () => {
          for await (const _ of hashed);
        };
      },
    },
    async (request, reply) => {
      if (!request.isMultipart() && !isStream(request.body)) throw noFile();
      const { conversations } = door.footnoteOf(request as FastifyRequest);
      const { format, time_zone: timeZone, shared, redact, name } = request.query;
      const query: Partial<ImportDetails> = {
        ...(format !== undefined && format !== 'auto' && { format }),
        ...(timeZone !== undefined && { timeZone }),
        ...(name !== undefined && { name }),
        ...(shared !== undefined && { shared: isSet(shared) }),
        ...(redact !== undefined && { redact: isSet(redact) }),
      };
      const { content, details } = sent.get(request) as Sent;
      const report = await conversations.import(
        { content, details: () => ({ name: 'upload', ...details(), ...query }) },
        { signal: door.signalOf(reply as never) },
      );
      // What nobody wanted to read belongs to what was sent all the same.
      await request.readToEnd?.();
      return report;
    },
  );
}

/** The same content; at its end the request knows the hash of it and of what was said beside it. */
async function* withHash(request: FastifyRequest, { content, details }: Sent): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
  request.bodyHash = hash.update(`\u0000${JSON.stringify(details())}`).digest('hex');
}

const noFile = (): FootnoteError =>
  new FootnoteError(
    'invalid-request',
    'Send one export: a file in multipart/form-data, or its bytes as application/x-ndjson, application/zip or application/octet-stream.',
  );

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Says only when it is read that there is none: what else is wrong with a request is told first. */
async function* bodyOf(body: unknown): AsyncGenerator<Uint8Array> {
  if (!isStream(body)) throw noFile();
  yield* body;
}

/** The one file of a form as it comes, and the fields beside it, which are known at its end. */
function readForm(request: FastifyRequest) {
  const fields: Record<string, string> = {};
  let name: string | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const part of request.parts({ limits: { fileSize: importBytes, files: 2, fields: 20 } })) {
      if (part.type !== 'file') {
        fields[part.fieldname] = String(part.value);
        continue;
      }
      if (name !== undefined) throw new FootnoteError('invalid-request', 'Send one export at a time.');
      name =
        (part.filename ?? '')
          .split(/[\\/]/u)
          .at(-1)
          ?.replace(/\p{Cc}/gu, '')
          .slice(0, 255) || 'upload';
      for await (const piece of part.file) yield piece as Uint8Array;
      if (part.file.truncated) throw new FootnoteError('too-large', `${name} is larger than ${importBytes} bytes.`);
    }
    if (name === undefined) throw noFile();
  }
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      yield* read();
    } catch (thrown) {
      // Whoever writes the bytes cannot tell a broken form from a broken disk.
      throw uploadFaultOf(thrown) ?? thrown;
    }
  }
  const details = (): Partial<ImportDetails> => {
    const given = importQuerySchema.safeParse(fields);
    if (!given.success) {
      const [issue] = given.error.issues;
      throw new FootnoteError(
        'invalid-request',
        `body.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`,
      );
    }
    const { format, time_zone: timeZone, shared, redact } = given.data;
    return {
      name: given.data.name ?? name ?? 'upload',
      format: format === 'auto' ? undefined : format,
      timeZone,
      ...(shared !== undefined && { shared: isSet(shared) }),
      ...(redact !== undefined && { redact: isSet(redact) }),
    };
  };
  return { content: content(), details };
}
