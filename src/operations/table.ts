// The table of operations: all that can be asked of Footnote, by the names of the calls of its facade. Routes, their policy, their lanes, OpenAPI
// and the client of a server are made from it.
import type { Footnote } from '../footnote/facade.ts';
import { anthropic } from './anthropic.ts';
import { audit } from './audit.ts';
import { conversations } from './conversations.ts';
import { documents } from './documents.ts';
import { memories } from './memories.ts';
import { openai } from './openai.ts';
import { responses } from './openai-responses.ts';
import { type Caller, type Operation, type OperationsOf, paramNames } from './operation.ts';
import { analyse, answers, ask, feedback, recommend, search } from './questions.ts';
import { access, keys, server } from './server.ts';
import { servers } from './servers.ts';
import { sessions } from './sessions.ts';
import { ingestions, sources } from './sources.ts';
import { stores } from './stores.ts';
import { evals, traces, usage } from './traces.ts';
import { uiChat } from './ui-chat.ts';
import { vectorStores } from './vector-stores.ts';

/** In the order of the documentation. */
export const calls = {
  documents,
  sources,
  ingestions,
  stores,
  search,
  ask,
  analyse,
  answers,
  feedback,
  recommend,
  sessions,
  memories,
  conversations,
  usage,
  traces,
  evals,
  audit,
  servers,
} as const satisfies OperationsOf<Footnote>;

/** One with the call that it is named after; none for those of the server itself. */
export interface NamedOperation {
  readonly operation: Operation;
  readonly call?: readonly [name: string] | readonly [group: string, name: string];
}

const isOperation = (entry: object): entry is Operation => 'route' in entry;

export const operations: readonly NamedOperation[] = [
  ...Object.entries(calls).flatMap(([group, entry]): NamedOperation[] =>
    isOperation(entry)
      ? [{ operation: entry, call: [group] }]
      : Object.entries(entry).map(([name, operation]) => ({ operation, call: [group, name] })),
  ),
  ...[server, access, keys, openai, responses, vectorStores, uiChat, anthropic].flatMap((group) =>
    Object.values(group).map((operation) => ({ operation })),
  ),
];

interface Given {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Does what was asked for `caller`; the reply fits the schema of the operation. */
export async function runOperation(
  { operation, call: named = [''] }: NamedOperation,
  caller: Caller,
  given: Given,
): Promise<unknown> {
  const { route, run, called, query, body, shown, within } = operation;
  const [group, name] = named;
  if (run) return run(caller, given as never);
  const part = caller.footnote[group as Exclude<keyof Footnote, 'uploads'>];
  const call = (name === undefined ? part : part[name as never]) as (...given: unknown[]) => Promise<unknown>;
  const params = given.params as Readonly<Record<string, string>>;
  const reply = await call.call(
    part,
    ...[
      ...paramNames(route).map((param) => params[param]),
      ...(body ? [given.body] : []),
      ...(query ? [given.query] : []),
      ...(called ? [caller.call] : []),
    ],
  );
  const told = shown ? shown(reply as never, caller) : reply;
  return within === undefined ? told : { [within]: told };
}
