// Runs of reading a source as HTTP alone has them: followed live, those that write and those that only look.
import type { FastifyRequest } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import { concealed, concealedFiles, ingestions, lookedAt, sources } from '../../operations/sources.ts';
import { toProblem } from '../policy/problem.ts';
import { wantsEventStream } from '../wire/content-negotiation.ts';
import type { Door } from '../wire/http-types.ts';
import { type EventStream, streamOwner, type WireEvent } from '../wire/sse.ts';
import type { Exchange } from '../wire/stream-reply.ts';
import { givenIn } from './documents.ts';
import { askedOf, callerOf, type OwnRoutes } from './routes.ts';

/** A run tells of every file; a client needs no more than this. */
const tellEveryMs = 200;

export function ingestionRoutes(door: Door): OwnRoutes {
  return [
    [
      ingestions.start,
      async ({ request, reply }) => {
        const asked = askedOf(ingestions.start, request);
        const { said, files } = givenIn(request, asked);
        const run = await door.footnoteOf(request).ingestions.start(said, files);
        return reply
          .code(202)
          .header('location', `/v1/ingestions/${encodeURIComponent(run.id)}`)
          .send(run);
      },
    ],
    [
      ingestions.get,
      async (exchange, next) => {
        const { request } = exchange;
        if (!wantsEventStream(request)) return next();
        const { id } = askedOf(ingestions.get, request).params;
        await door.footnoteOf(request).ingestions.get(id);
        return watch(door, exchange, id);
      },
    ],
    [
      sources.preview,
      async (exchange) => {
        const { request, reply } = exchange;
        const caller = callerOf(door, exchange);
        const source = lookedAt(caller, askedOf(sources.preview, request).body);
        const { sources: calls } = caller.footnote;
        if (!wantsEventStream(request))
          return concealedFiles(await calls.preview(source, { signal: door.signalOf(reply) }), caller);
        // Ends when the client goes: a look that nobody waits for is of no use.
        const stream = openStream(door, request);
        let toldAt = Number.NEGATIVE_INFINITY;
        void endWith(
          stream,
          async () => {
            const preview = await calls.preview(source, {
              signal: stream.signal,
              onProgress(ingestion) {
                if (performance.now() - toldAt < tellEveryMs) return;
                toldAt = performance.now();
                stream.append({ type: 'progress', ingestion: concealed(ingestion, caller) } as WireEvent);
              },
            });
            return { type: 'done', preview: concealedFiles(preview, caller) } as WireEvent;
          },
          (thrown) => toProblem(thrown, request.id, caller),
        );
        return door.streams.send(reply, stream);
      },
    ],
  ];
}

async function endWith(
  stream: EventStream,
  serve: () => Promise<WireEvent>,
  toTold: (thrown: unknown) => unknown,
): Promise<void> {
  try {
    stream.end(await serve());
  } catch (thrown) {
    stream.end({ type: 'error', problem: toTold(thrown) } as WireEvent);
  }
}

/** Ends with the key of the request; nobody comes back to it, as it is of no other request. */
const openStream = (door: Door, { scope, id }: FastifyRequest): EventStream =>
  door.streams.open({ owner: streamOwner(scope?.tenant, scope?.principal.id), requestHash: id, requestId: id });

// A client that comes back needs no log: the first event is always the present state.
function watch(door: Door, exchange: Exchange, id: string): unknown {
  const { request, reply } = exchange;
  const caller = callerOf(door, exchange);
  const stream = openStream(door, request);
  const forward = async (): Promise<WireEvent> => {
    let last: unknown;
    for await (const given of caller.footnote.ingestions.watch(id, stream.signal)) {
      const ingestion = concealed(given, caller);
      last = ingestion;
      if (given.state === 'running') stream.append({ type: 'progress', ingestion } as WireEvent);
    }
    if (last === undefined) throw new FootnoteError('not-found', 'There is no ingestion with this id.');
    return { type: 'done', ingestion: last } as WireEvent;
  };
  void endWith(stream, forward, (thrown) => toProblem(thrown, request.id, caller));
  return door.streams.send(reply, stream);
}
