// Everything non-deterministic passes through a port, and the recorder wraps any port: each call becomes a `call` event
// with its arguments, result, latency or error, so that one event log is the stream, the trace and the replay.
import { toFootnoteError } from '../core/errors.ts';
import type { EventSink, LoggedEvent } from '../core/events.ts';
import type { Clock } from '../core/ids.ts';

/** JSON of a value as a trace keeps it: signals and functions left out, bytes by length, vectors whole as base64. Total. */
export function toTraceJson(value: unknown): unknown {
  const seen = new WeakSet<object>();
  const visit = (item: unknown, depth: number): unknown => {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item;
    if (typeof item === 'number') return Number.isFinite(item) ? item : String(item);
    if (typeof item === 'bigint') return item.toString();
    if (typeof item !== 'object') return undefined;
    if (item instanceof AbortSignal) return undefined;
    if (item instanceof Uint8Array) return { bytes: item.byteLength };
    // Little-endian, so that a replay has every bit: as numbers they would take ten times as long and as much room.
    if (item instanceof Float32Array)
      return { float32: Buffer.from(item.buffer, item.byteOffset, item.byteLength).toString('base64') };
    if (depth > 24) return '[too deep]';
    if (seen.has(item)) return '[circular]';
    seen.add(item);
    const result = Array.isArray(item)
      ? item.map((element) => visit(element, depth + 1) ?? null)
      : Object.fromEntries(
          Object.entries(item)
            .map(([key, element]) => [key, visit(element, depth + 1)] as const)
            .filter(([, element]) => element !== undefined),
        );
    seen.delete(item);
    return result;
  };
  return visit(value, 0);
}

/** Wraps every method of a port so that each call is reported to the sink. Properties are passed through. */
export function withRecorder<Port extends object>(name: string, port: Port, sink: EventSink): Port {
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function' || typeof property !== 'string') return member;
      return (...args: unknown[]): unknown => {
        const startedAt = performance.now();
        const request = toTraceJson(args.filter((argument) => !(argument instanceof AbortSignal)));
        const report = (outcome: { response: unknown } | { error: { code: string; message: string } }): void => {
          sink({
            type: 'call',
            call: { port: name, method: property, request, ...outcome, latencyMs: performance.now() - startedAt },
          });
        };
        const fail = (thrown: unknown): never => {
          const error = toFootnoteError(thrown);
          report({ error: { code: error.code, message: error.message } });
          throw thrown;
        };
        let result: unknown;
        try {
          result = Reflect.apply(member, target, args);
        } catch (thrown) {
          return fail(thrown);
        }
        if (!(result instanceof Promise)) {
          report({ response: toTraceJson(result) });
          return result;
        }
        return result.then((value: unknown) => {
          report({ response: toTraceJson(value) });
          return value;
        }, fail);
      };
    },
  });
}

export interface EventLog {
  readonly sink: EventSink;
  readonly events: readonly LoggedEvent[];
}

/** The numbered log of one request. `follow` sees each event as it is logged. */
export function createEventLog(clock: Clock, follow?: (logged: LoggedEvent) => void): EventLog {
  const startedAt = clock.elapsedMs();
  const events: LoggedEvent[] = [];
  return {
    events,
    sink(event) {
      const logged = { seq: events.length + 1, atMs: Math.max(0, clock.elapsedMs() - startedAt), event };
      events.push(logged);
      follow?.(logged);
    },
  };
}
