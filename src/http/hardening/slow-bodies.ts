// A body may take as long as it keeps coming: a time for the whole would be one for its size. Invariants: cut is only who sends less than the least rate, and
// never for what waits for us; looks are counted, not time, as a busy event loop is no client's fault.
import type { IncomingMessage, Server } from 'node:http';

export interface SlowBodyLimits {
  readonly lookMs: number;
  /** In which a body may come at any pace. */
  readonly freeLooks: number;
  /** What has to come between any two after those, bytes. */
  readonly leastBytes: number;
}

/** 64 KiB a second, from the sixth minute on. */
const usual: SlowBodyLimits = { lookMs: 60_000, freeLooks: 5, leastBytes: 60 * 64 * 1024 };

/** Cuts senders of bodies that come too slowly, as the server does whose headers do not come (408). One timer for all. */
export function limitSlowBodies(server: Server, { lookMs, freeLooks, leastBytes }: SlowBodyLimits = usual): void {
  const bodies = new Map<IncomingMessage, { looks: number; bytes: number }>();
  server.prependListener('request', (request) => {
    if (!('transfer-encoding' in request.headers) && !(Number(request.headers['content-length'] ?? 0) > 0)) return;
    bodies.set(request, { looks: 0, bytes: request.socket.bytesRead });
    const gone = (): void => void bodies.delete(request);
    request.once('end', gone).once('close', gone);
  });
  const watch = setInterval(() => {
    for (const [request, seen] of bodies) {
      const { socket } = request;
      const came = socket.bytesRead - seen.bytes;
      seen.bytes += came;
      seen.looks += 1;
      if (seen.looks <= freeLooks || came >= leastBytes || request.readableLength > 0) continue;
      bodies.delete(request);
      const error = Object.assign(new Error('The body comes too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (!server.emit('clientError', error, socket)) socket.destroy();
    }
  }, lookMs).unref();
  server.once('close', () => clearInterval(watch));
}
