// A wire between a record and its PostgreSQL that can be cut at the worst moments: before the server hears of a COMMIT, or after it obeyed and
// before anybody is told. It can also fall silent: it stays open, and nothing comes through; carry one way only; and be slow.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * `half-open`: the server hears everything, but that a connection was closed, and nobody hears the server. Connections that lost something are cut when it
 * is mended.
 */
export type Cut = 'before-commit' | 'after-commit' | 'everything' | 'silence' | 'half-open';

export interface PostgresProxy {
  readonly address: string;
  /** From now on, until `mend`; `times` cuts at most, behind so many commits that go through. */
  cut(how: Cut, times?: number, behind?: number): void;
  /** Once, at a request counted from now: the server does not hear of it, it obeyed and nobody is told, or everything falls silent until `mend`. */
  cutAt(request: number, how: 'before' | 'after' | 'silence'): void;
  /** From now on, until `mend`, all takes so much longer each way. */
  delay(ms: number): void;
  mend(): void;
  /** From now on it leads to another server, for new connections: those that are open are cut. */
  turnTo(address: string): void;
  /** How often it was cut. */
  cuts(): number;
  /** How often the record asked: statements of their own and texts of several. */
  asked(): number;
  /** Connections of the record that are open. */
  connections(): number;
  close(): Promise<void>;
}

/**
 * Counts the requests of a connection that are answered each: simple queries (Q) and ends of extended ones (S). The first message, which begins a
 * connection, has no type.
 */
function createCounter(count: () => void): (data: Buffer) => void {
  let left = Buffer.alloc(0);
  let typeBytes = 0;
  return (data) => {
    left = Buffer.concat([left, data]);
    while (left.length >= typeBytes + 4) {
      const end = typeBytes + left.readUInt32BE(typeBytes);
      if (left.length < end) return;
      if (typeBytes === 1 && 'QS'.includes(String.fromCharCode(left[0] ?? 0))) count();
      left = left.subarray(end);
      typeBytes = 1;
    }
  };
}

/** A simple query of this text, as the protocol has it. */
const commit = Buffer.from('COMMIT\0');

export async function openPostgresProxy(address: string): Promise<PostgresProxy> {
  let target = new URL(address);
  let how: Cut | undefined;
  let left = 0;
  let spared = 0;
  let made = 0;
  let open = 0;
  let asked = 0;
  let delayMs = 0;
  const deaf = new Set<() => void>();
  let planned: { readonly at: number; readonly how: 'before' | 'after' | 'silence' } | undefined;
  const sockets = new Set<Socket>();
  const take = (wanted: Cut): boolean => {
    if (how !== wanted || left === 0) return false;
    left -= 1;
    made += 1;
    return true;
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    let isToldNoMore = false;
    let line: Promise<void> | undefined;
    /** In its order also where the delay ends meanwhile. */
    function later(pass: () => void): void {
      if (delayMs === 0 && !line) {
        pass();
        return;
      }
      const dueMs = performance.now() + delayMs;
      const passed = (line ?? Promise.resolve()).then(async () => {
        await wait(Math.max(0, dueMs - performance.now()));
        pass();
        if (line === passed) line = undefined;
      });
      line = passed;
    }
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    if (take('everything')) end();
    open += 1;
    const count = createCounter(() => {
      asked += 1;
    });
    client.on('data', (data) => {
      count(data);
      if (planned && asked >= planned.at) {
        const cutNow = planned.how;
        planned = undefined;
        made += 1;
        if (cutNow === 'before') return end();
        if (cutNow === 'silence') how = 'silence';
        else isToldNoMore = true;
      }
      if (how === 'silence') return;
      if (data.includes(commit)) spared -= 1;
      if (data.includes(commit) && spared < 0) {
        if (take('before-commit')) return end();
        isToldNoMore = take('after-commit');
      }
      later(() => void upstream.write(data));
    });
    upstream.on('data', (data) => {
      if (how === 'half-open') deaf.add(end);
      if (how === 'silence' || how === 'half-open') return;
      if (isToldNoMore) end();
      else later(() => void client.write(data));
    });
    client.on('close', () => {
      open -= 1;
      if (how === 'half-open') deaf.add(end);
      else end();
    });
    upstream.on('close', end);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const own = new URL(address);
  own.port = String(typeof bound === 'object' && bound ? bound.port : 0);
  return {
    address: own.href,
    cut(wanted, times = Number.POSITIVE_INFINITY, behind = 0) {
      how = wanted;
      spared = behind;
      left = times;
      if (wanted === 'everything') for (const socket of sockets) socket.destroy();
    },
    cutAt(request, cutNow) {
      planned = { at: asked + request, how: cutNow };
    },
    delay(ms) {
      delayMs = ms;
    },
    mend() {
      how = undefined;
      planned = undefined;
      delayMs = 0;
      for (const end of deaf) end();
      deaf.clear();
    },
    turnTo(other) {
      target = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    cuts: () => made,
    asked: () => asked,
    connections: () => open,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
