// Everything non-deterministic passes through a port, and the recorder wraps any port: each call becomes a `call` event
// with its arguments, result, latency or error, so that one event log is the stream, the trace and the replay.
import { toFootnoteError } from '../core/errors.ts';
import type { EventSink, LoggedEvent } from '../core/events.ts';
import type { Clock } from '../core/ids.ts';
import { recordStream, type StreamRecord } from './record-stream.ts';

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
      : visitFields(item as Readonly<Record<string, unknown>>, depth);
    seen.delete(item);
    return result;
  };
  // Every request passes here with all that was found for it: no arrays of entries on the way.
  function visitFields(item: Readonly<Record<string, unknown>>, depth: number): object {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(item)) {
      const field = visit(item[key], depth + 1);
      if (field === undefined) continue;
      // Assigned, this one key would be the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: field, enumerable: true });
      else copy[key] = field;
    }
    return copy;
  }
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
        if (isStream(result)) {
          const signal = args.find((argument) => argument instanceof AbortSignal);
          const tell = ({ parts, wasLeft, error, latencyMs }: StreamRecord<unknown>): void => {
            const response = toTraceJson({ parts, wasLeft });
            sink({
              type: 'call',
              call: { port: name, method: property, request, response, ...(error && { error }), latencyMs },
            });
          };
          return recordStream(result, tell, signal);
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

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

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
