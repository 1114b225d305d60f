// Everything non-deterministic passes through a port, and the recorder wraps any port: each call becomes a `call` event
// with its arguments, result, latency or error, so that one event log is the stream, the trace and the replay. Invariants: `recordCall` is
// the only place where a call becomes an event, each becomes one, and it is recorded as it was: its JSON is made in the moment, once.
import type { CallContext } from '../core/context.ts';
import type { EventSink, LoggedEvent, PortCall } from '../core/events.ts';
import type { Clock } from '../core/ids.ts';
import { keepJson, keptJson } from '../core/kept-json.ts';
import { recordStream, type StreamRecord, toRecordedError } from './record-stream.ts';
import { untaped } from './tape.ts';

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

/**
 * The text of `toTraceJson`, made at once, so that nothing that changes the value later changes the trace; undefined for what JSON cannot
 * name. Everything that was found for a request passes here: what is plain already is not copied, what carries its JSON is not read.
 */
export function toTraceText(value: unknown): string | undefined {
  const kept = keptJson(value);
  if (kept !== undefined) return kept;
  if (Array.isArray(value) && keptJson(value[0]) !== undefined)
    return `[${value.map((item) => toTraceText(item) ?? 'null').join(',')}]`;
  return JSON.stringify(isPlain(value, 0) ? value : toTraceJson(value));
}

/** Whether `JSON.stringify` makes of a value what `toTraceJson` does. */
function isPlain(item: unknown, depth: number): boolean {
  if (typeof item === 'number') return Number.isFinite(item);
  if (typeof item !== 'object' || item === null) return typeof item !== 'bigint';
  if (depth > 24) return false;
  if (Array.isArray(item)) return item.every((element) => isPlain(element, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(item);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in item) return false;
  for (const key in item) if (!isPlain((item as Readonly<Record<string, unknown>>)[key], depth + 1)) return false;
  return true;
}

interface RecordedCall extends Pick<PortCall, 'port' | 'method' | 'error' | 'latencyMs'> {
  readonly request: string;
  readonly response?: string | undefined;
}

/** A call whose request and response are kept as the text of their JSON, and read from it when somebody looks. */
function toPortCall({ port, method, request, response, error, latencyMs }: RecordedCall): PortCall {
  // Every request makes dozens: nothing is defined afterwards, and facts are printed when the trace is saved.
  const call: PortCall =
    response === undefined
      ? {
          port,
          method,
          get request(): unknown {
            return JSON.parse(request);
          },
          latencyMs,
        }
      : {
          port,
          method,
          get request(): unknown {
            return JSON.parse(request);
          },
          get response(): unknown {
            return JSON.parse(response);
          },
          latencyMs,
        };
  if (error) Object.assign(call, { error });
  return keepJson(call, () => {
    const facts = JSON.stringify({ port, method, ...(error && { error }), latencyMs }).slice(1);
    const said = response === undefined ? '' : `"response":${response},`;
    return `{"request":${request},${said}${facts}`;
  });
}

/** Where calls are recorded, and by which clock they are timed. */
export type Recording = Pick<CallContext, 'sink' | 'clock'>;

export interface CallOutcome {
  readonly response?: unknown;
  readonly error?: PortCall['error'] | undefined;
  /** Default: since the call was begun. */
  readonly latencyMs?: number;
}

/** Begins a call; what is handed back ends it and makes it an event, the first time that it is called. */
export function recordCall(
  { port, method, request }: Pick<PortCall, 'port' | 'method' | 'request'>,
  { sink, clock }: Recording,
): (outcome: CallOutcome) => void {
  const timer = untaped(clock);
  const startedAt = timer.elapsedMs();
  const sent = toTraceText(request) ?? 'null';
  let isOpen = true;
  return ({ response, error, latencyMs = timer.elapsedMs() - startedAt }) => {
    if (!isOpen) return;
    isOpen = false;
    const call = { port, method, request: sent, response: toTraceText(response), ...(error && { error }), latencyMs };
    sink({ type: 'call', call: toPortCall(call) });
  };
}

/** Wraps every method of a port so that each call is recorded. Properties are passed through. */
export function withRecorder<Port extends object>(name: string, port: Port, recording: Recording): Port {
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function' || typeof property !== 'string') return member;
      return (...args: unknown[]): unknown => {
        const sent = args.filter((argument) => !(argument instanceof AbortSignal));
        const end = recordCall({ port: name, method: property, request: sent }, recording);
        const fail = (thrown: unknown): never => {
          end({ error: toRecordedError(thrown) });
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
          const tell = ({ parts, wasLeft, error, latencyMs }: StreamRecord<unknown>): void =>
            end({ response: { parts, wasLeft }, error, latencyMs });
          return recordStream(result, tell, { clock: untaped(recording.clock), signal });
        }
        if (!(result instanceof Promise)) {
          end({ response: result });
          return result;
        }
        return result.then((value: unknown) => {
          end({ response: value });
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
