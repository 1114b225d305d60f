// The calls of the facade as requests to a server, made from the table of operations: arguments go into the path, the body and the query as the
// table says, and replies come back as what the call would have given.
import type { Answer } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { FootnoteEvent } from '../../core/events.ts';
import type { CallOptions, Footnote } from '../../footnote/facade.ts';
import { type Operation, paramNames } from '../../operations/operation.ts';
import { calls } from '../../operations/table.ts';
import { type RemoteCall, type RemoteHttp, toError } from './remote-http.ts';

type Calls = typeof calls;
/** A peculiar one says nothing of its arguments. */
type IsPlain<Entry> = Entry extends { readonly types?: { readonly given: infer Given } }
  ? [Given] extends [never]
    ? false
    : true
  : false;
/** The calls that follow the table; the others are made by hand. */
export type PlainCalls = {
  readonly [Group in keyof Calls]: Calls[Group] extends Operation
    ? Footnote[Group]
    : {
        readonly [Name in keyof Calls[Group] & keyof Footnote[Group] as IsPlain<Calls[Group][Name]> extends true
          ? Name
          : never]: Footnote[Group][Name];
      };
};

/** Takes events until the last one: what `last` says of it, if anything, is the result. */
export async function follow<Event extends { readonly type: string }, Result>(
  events: AsyncIterable<Event>,
  last: (event: Event) => Result | undefined,
  what = 'an answer',
): Promise<Result> {
  for await (const event of events) {
    const result = last(event);
    if (result !== undefined) return result;
    const { type, problem } = event as { type: string; problem?: { readonly status: number } };
    if (type === 'error') throw toError(problem, problem?.status ?? 500);
  }
  throw new FootnoteError('upstream-invalid', `The server ended the stream without ${what}. Try again.`);
}

async function send(http: RemoteHttp, operation: Operation, given: readonly unknown[]): Promise<unknown> {
  const rest = [...given];
  const params = paramNames(operation.route).map(() => String(rest.shift()));
  const body = operation.body && rest.shift();
  const query = (operation.query && rest.shift()) as object | undefined;
  const { signal, onEvent } = ((operation.called && rest.shift()) ?? {}) as CallOptions;
  const call: RemoteCall = { params, body, query, signal };
  if (operation.answers && onEvent)
    return follow(http.events<FootnoteEvent>(operation, call), (event): Answer | undefined => {
      onEvent(event);
      return event.type === 'done' ? event.answer : undefined;
    });
  const reply = await http.json<Readonly<Record<string, unknown>>>(operation, call);
  return operation.within === undefined ? reply : reply[operation.within];
}

export function createClient(http: RemoteHttp): PlainCalls {
  const toCall = (entry: object): unknown =>
    'route' in entry
      ? (...given: readonly unknown[]) => send(http, entry as Operation, given)
      : Object.fromEntries(Object.entries(entry).map(([name, one]) => [name, toCall(one as object)]));
  return toCall(calls) as PlainCalls;
}
