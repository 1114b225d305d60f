// The archive of conversations as HTTP alone has it: an export may have gigabytes, so it is taken as it comes and never held; and chat over the
// archive is always a stream, whose looks at the archive and turns that are read only who asks for all events is told.

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import { defined } from '../../core/values/defined.ts';
import type { ImportDetails } from '../../footnote/facade/conversations.ts';
import { conversations, importQuerySchema } from '../../operations/conversations.ts';
import { uploadFaultOf } from '../policy/problem.ts';
import type { Door } from '../wire/http-types.ts';
import type { WireEvent } from '../wire/sse.ts';
import { streamReply } from '../wire/stream-reply.ts';
import { askedOf, type Handle, type OwnRoute, type OwnRoutes } from './routes.ts';

export function conversationRoutes(door: Door): OwnRoutes {
  return [
    [conversations.import, importRoute(door)],
    [conversations.chat, chatOver(door)],
  ];
}

const chatOver =
  (door: Door): Handle =>
  (exchange) => {
    const { request } = exchange;
    const { body, query } = askedOf(conversations.chat, request);
    return streamReply(door, exchange, async (stream) => {
      const answer = await door.footnoteOf(request).conversations.chat(body, {
        signal: stream.signal,
        onEvent(event) {
          if (query.events === 'all' || event.type === 'delta' || event.type === 'citation') stream.append(event);
        },
      });
      await request.claim?.release();
      return { type: 'done', ...answer } as WireEvent;
    });
  };

interface Sent {
  readonly content: AsyncIterable<Uint8Array>;
  /** Known at the end of the content. */
  readonly details: () => Partial<ImportDetails>;
}

function importRoute(door: Door): OwnRoute {
  const sent = new WeakMap<object, Sent>();
  const { importBytes } = door.limits;
  return {
    asTheyCome: ['application/x-ndjson', 'application/jsonl', 'application/octet-stream', 'application/zip'],
    async preValidation(request) {
      const { content, details } = request.isMultipart()
        ? readForm(request, importBytes)
        : { content: bodyOf(request.body), details: () => ({}) };
      const hashed = withHash(request, { content, details }, importBytes);
      sent.set(request, { content: hashed, details });
      request.readToEnd = async () => {
        for await (const _ of hashed);
      };
    },
    async handle({ request, reply }) {
      if (!request.isMultipart() && !isStream(request.body)) throw noFile();
      const { name, ...query } = askedOf(conversations.import, request).query;
      const { content, details } = sent.get(request) as Sent;
      const given = { ...toDetails(query), ...(name !== undefined && { name }) };
      const report = await door
        .footnoteOf(request)
        .conversations.import(
          { content, details: () => ({ name: 'upload', ...details(), ...given }) },
          { signal: door.signalOf(reply) },
        );
      // What nobody wanted to read belongs to what was sent all the same.
      await request.readToEnd?.();
      return report;
    },
  };
}

type Given = Omit<typeof importQuerySchema._zod.output, 'name'>;

/** What was said of an export, by the names of the facade. */
const toDetails = ({ format, time_zone: timeZone, shared, redact }: Given): Partial<ImportDetails> =>
  defined({ ...(format !== undefined && format !== 'auto' && { format }), timeZone, shared, redact });

/** The same content, which nobody else measures; at its end the request knows the hash of it and of what was said beside it. */
async function* withHash(
  request: FastifyRequest,
  { content, details }: Sent,
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new FootnoteError('too-large', `The export is larger than ${mostBytes} bytes.`);
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
function readForm(request: FastifyRequest, importBytes: number) {
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
    const { name: called, ...rest } = given.data;
    return { name: called ?? name ?? 'upload', ...toDetails(rest) };
  };
  return { content: content(), details };
}
