// Everything non-deterministic passes through a port, and the recorder wraps any port: each call becomes a `call` event
// with its arguments, result, latency or error, so that one event log is the stream, the trace and the replay. Invariants: `recordCall` is
// the only place where a call becomes an event, each becomes one, and it is recorded as it was: values are copied in the moment, and printed
// when the trace is saved.
import type { CallContext } from '../core/context.ts';
import type { EventSink, LoggedEvent, PortCall } from '../core/events.ts';
import type { Clock } from '../core/ids.ts';
import { isKept, printJson } from '../core/traces/kept-json.ts';
import { recordStream, type StreamRecord, toRecordedError } from './record-stream.ts';
import { untaped } from './tape.ts';

/** JSON of a value as a trace keeps it: signals and functions left out, bytes by length, vectors whole as base64. Total. */
export function toTraceJson(value: unknown): unknown {
  /** The objects that the value at hand stands in: few, so that looking through them costs less than a set. */
  const within: object[] = [];
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
    if (within.includes(item)) return '[circular]';
    within.push(item);
    const result = Array.isArray(item)
      ? item.map((element) => visit(element, depth + 1) ?? null)
      : visitFields(item as Readonly<Record<string, unknown>>, depth);
    within.pop();
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

/** The text of `toTraceJson`; undefined for what JSON cannot name. */
export const toTraceText = (value: unknown): string | undefined => printJson(toRecorded(value));

/**
 * `toTraceJson` for a log that is printed by `printJson`: what vouches for its JSON is not even copied. Everything that was found for a request
 * passes here while somebody waits.
 */
function toRecorded(value: unknown): unknown {
  if (isKept(value)) return value;
  if (Array.isArray(value) && isKept(value[0]))
    return value.map((item: unknown) => (isKept(item) ? item : (toTraceJson(item) ?? null)));
  return toTraceJson(value);
}

/** Where calls are recorded, and by which clock they are timed. */
export type Recording = Pick<CallContext, 'sink' | 'clock'>;

export interface CallOutcome {
  readonly response?: unknown;
  readonly error?: PortCall['error'] | undefined;
  /** Default: since the call was begun. */
  readonly latencyMs?: number;
  /** By the clock of the recording. Default: now. */
  readonly endedMs?: number | undefined;
}

/** When calls ended: what they gave is copied behind that, and a machine that others use holds a process up anywhere. */
const ends = new WeakMap<PortCall, number>();

/** Begins a call; what is handed back ends it and makes it an event, the first time that it is called. */
export function recordCall(
  { port, method, request }: Pick<PortCall, 'port' | 'method' | 'request'>,
  { sink, clock }: Recording,
): (outcome: CallOutcome) => void {
  const timer = untaped(clock);
  const startedAt = timer.elapsedMs();
  const sent = toRecorded(request) ?? null;
  let isOpen = true;
  return ({ response, error, endedMs = timer.elapsedMs(), latencyMs = endedMs - startedAt }) => {
    if (!isOpen) return;
    isOpen = false;
    const said = response === undefined ? undefined : toRecorded(response);
    const call: PortCall = {
      request: sent,
      ...(said !== undefined && { response: said }),
      port,
      method,
      ...(error && { error }),
      latencyMs,
    };
    ends.set(call, endedMs);
    sink({ type: 'call', call });
  };
}

/** Wraps every method of a port so that each call is recorded. Properties are passed through. */
export function withRecorder<Port extends object>(name: string, port: Port, recording: Recording): Port {
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function' || typeof property !== 'string') return member;
      return recorded({ port: name, method: property, work: (args) => Reflect.apply(member, target, args) }, recording);
    },
  });
}

interface RecordedWork<Arguments extends unknown[], Result> extends Pick<PortCall, 'port' | 'method'> {
  readonly work: (args: Arguments) => Result;
}

/** A function whose every call is recorded. */
export function recorded<Arguments extends unknown[], Result>(
  { port, method, work }: RecordedWork<Arguments, Result>,
  recording: Recording,
): (...args: Arguments) => Result {
  return (...args) => {
    const end = recordCall({ port, method, request: args.filter(isNoSignal) }, recording);
    const fail = (thrown: unknown): never => {
      end({ error: toRecordedError(thrown) });
      throw thrown;
    };
    let result: Result;
    try {
      result = work(args);
    } catch (thrown) {
      return fail(thrown);
    }
    if (isStream(result)) {
      const signal = args.find((argument) => argument instanceof AbortSignal);
      const tell = ({ parts, wasLeft, error, latencyMs, endedMs }: StreamRecord<unknown>): void =>
        end({ response: { parts, wasLeft }, error, latencyMs, endedMs });
      return recordStream(result, tell, { clock: untaped(recording.clock), signal }) as Result;
    }
    if (!(result instanceof Promise)) {
      end({ response: result });
      return result;
    }
    return result.then((value: unknown) => {
      end({ response: value });
      return value;
    }, fail) as Result;
  };
}

const isNoSignal = (argument: unknown): boolean => !(argument instanceof AbortSignal);

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
      const endedMs = event.type === 'call' ? ends.get(event.call) : undefined;
      const logged = { seq: events.length + 1, atMs: Math.max(0, (endedMs ?? clock.elapsedMs()) - startedAt), event };
      events.push(logged);
      follow?.(logged);
    },
  };
}
