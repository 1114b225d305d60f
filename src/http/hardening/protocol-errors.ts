// Refuses with a problem what never becomes a request of the application: bytes that are no HTTP, CONNECT, an Expect that nobody can meet.
// The reply is written by hand, because there is no reply object, and never into the middle of one that is under way on the connection.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { FootnoteError } from '../../core/errors.ts';
import { problemMime, toFailure } from '../policy/problem.ts';
import { limitDropping, type UnreadBodyLimits, unreadBodyLimits } from './unread-body.ts';

/** Replies of a connection that are not complete. */
const openReplies = new WeakMap<Duplex, Set<ServerResponse>>();

/** Node.js would close a tunnel without a word, and refuse an expectation with an empty reply. */
export function refuseProtocolErrors(server: Server): void {
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', refuseExpectation);
  server.prependListener('request', (request, response) => {
    const open = openReplies.get(request.socket) ?? new Set();
    openReplies.set(request.socket, open.add(response));
    response.once('close', () => open.delete(response));
  });
}

/** What still comes on connections that were refused: each piece is an error of the parser again. */
const dropping = new WeakMap<Socket, () => void>();

/**
 * A connection whose bytes are no HTTP request, now or any more. What it still sends is dropped within `limits`: closing at once would
 * reset the connection, and the client would never see why (RFC 9112, section 9.6).
 */
export function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Socket,
  limits: UnreadBodyLimits = unreadBodyLimits,
): void {
  const drop = dropping.get(socket);
  if (drop && error.code !== 'ECONNRESET') {
    drop();
    return;
  }
  const isReplying = [...(openReplies.get(socket) ?? [])].some((reply) => reply.headersSent && !reply.writableEnded);
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isReplying) {
    socket.destroy();
    return;
  }
  const [status, title, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large', 'The headers are larger than 16 kB.'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'Request Timeout', 'The request was not complete in time.'] as const)
        : ([400, 'Bad Request', 'This is not a valid HTTP request.'] as const);
  dropping.set(socket, dropRest(socket, limits));
  socket.end(rawReply(status, title, detail));
}

/** Destroys the socket at a limit; to be called for every piece. The socket itself closes when its client does. */
function dropRest(socket: Socket, limits: UnreadBodyLimits): () => void {
  let seen = socket.bytesRead;
  const limit = limitDropping(limits, () => socket.destroy());
  socket.once('close', limit.end);
  return () => {
    limit.took(socket.bytesRead - seen);
    seen = socket.bytesRead;
  };
}

/** CONNECT: this is no proxy. */
function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => undefined);
  const reply = rawReply(405, 'Method Not Allowed', 'CONNECT is not possible here: this server is no proxy.');
  socket.end(reply, () => socket.destroy());
}

/** An Expect header that asks for more than `100-continue`. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = rawProblem(417, 'The header Expect may ask for 100-continue only. Leave it out.');
  const length = Buffer.byteLength(body);
  response.writeHead(417, { 'content-type': problemMime, 'content-length': length, connection: 'close' });
  response.end(body);
}

function rawReply(status: number, title: string, detail: string): string {
  const body = rawProblem(status, detail);
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${problemMime}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function rawProblem(status: number, detail: string): string {
  const requestId = `req_${randomBytes(9).toString('hex')}`;
  return JSON.stringify(toFailure(new FootnoteError('invalid-request', detail), requestId, { status }).problem);
}
