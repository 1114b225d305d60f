// Bytes to a socket of this machine and HTTP replies back, as RFC 9112 frames them: for requests that no HTTP client sends.
import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface Exchange {
  readonly replies: readonly RawReply[];
  /** How it ended: all replies came, the server closed first, nothing came in time, or the client left as it wanted. */
  readonly end: 'replied' | 'closed' | 'late' | 'left';
  /** Bytes that are no whole reply. */
  readonly rest: Buffer;
}

export interface ExchangeOptions {
  /** The methods of the requests sent, in order: a reply to HEAD has no body. */
  readonly methods: readonly string[];
  readonly patienceMs: number;
  /** Closes the sending side after the bytes: a request that says it is longer never ends otherwise. */
  readonly halfClose?: boolean;
  /** Goes away at once after the bytes, or with the first of the reply. */
  readonly leave?: 'at-once' | 'at-reply';
}

export function exchange(
  port: number,
  bytes: Buffer,
  { methods, patienceMs, halfClose = false, leave }: ExchangeOptions,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let settled = false;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const finish = (end: Exchange['end'] | 'over'): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      socket.destroy();
      const { replies, rest } = readReplies(Buffer.concat(pieces), { methods, ended: end === 'over' });
      resolve({ replies, rest, end: end === 'over' ? (replies.length > 0 ? 'replied' : 'closed') : end });
    };
    const timer = setTimeout(() => finish('late'), patienceMs);
    socket.on('connect', () => {
      if (leave === 'at-once') socket.write(bytes, () => finish('left'));
      else if (halfClose) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on('data', (piece) => {
      pieces.push(piece);
      if (leave === 'at-reply') finish('left');
      else if (readReplies(Buffer.concat(pieces), { methods, ended: false }).replies.length >= methods.length)
        finish('replied');
    });
    socket.on('end', () => finish('over'));
    socket.on('close', () => finish('over'));
    // A server may refuse and close while a long body is still being written.
    socket.on('error', () => undefined);
  });
}

/** The whole replies at the start of `bytes`; interim ones (1xx) are skipped. `ended`: nothing more comes. */
export function readReplies(
  bytes: Buffer,
  { methods, ended }: { readonly methods: readonly string[]; readonly ended: boolean },
): { readonly replies: readonly RawReply[]; readonly rest: Buffer } {
  const replies: RawReply[] = [];
  let rest = bytes;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return { replies, rest };
    const [first = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/u.exec(first)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) return { replies, rest };
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const after = rest.subarray(headEnd + 4);
    if (status < 200 && status !== 101) {
      rest = after;
      continue;
    }
    const isBare = methods[replies.length] === 'HEAD' || status === 204 || status === 304;
    const body = isBare ? { body: Buffer.alloc(0), rest: after } : readBody(after, headers, ended);
    if (body === undefined) return { replies, rest };
    replies.push({ status, headers, body: body.body });
    ({ rest } = body);
  }
}

function readBody(
  bytes: Buffer,
  headers: ReadonlyMap<string, string>,
  ended: boolean,
): { readonly body: Buffer; readonly rest: Buffer } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes);
  const given = headers.get('content-length');
  if (given === undefined) return ended ? { body: bytes, rest: Buffer.alloc(0) } : undefined;
  const length = Number(given);
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

function readChunks(bytes: Buffer): { readonly body: Buffer; readonly rest: Buffer } | undefined {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const begin = lineEnd + 2;
    if (Number.isNaN(size) || bytes.length < begin + size + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(pieces), rest: bytes.subarray(begin + 2) };
    pieces.push(bytes.subarray(begin, begin + size));
    at = begin + size + 2;
  }
}
