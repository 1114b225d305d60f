// An operation is declared once: what is asked, by whom, and what comes back. Doors make themselves from it. Its name in the table is that of
// a call of the facade, whose arguments are those of the path, then the body, then the query, then (`called`) the signal of the caller.

import { z } from 'zod';
import type { DeepReadonly } from '../core/metadata.ts';
import type { Role, Scope } from '../core/scope.ts';
import { nameSchema } from '../core/values/name.ts';
import type { CallOptions, Footnote } from '../footnote/facade.ts';

/** `open`: no key is asked for. Otherwise the lowest role that may call. */
export type Access = Role | 'open';
export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
/** Requests of one lane wait for each other alone. */
export const lanes = ['questions', 'documents', 'reads'] as const;
export type Lane = (typeof lanes)[number];

/** Who calls, as an operation sees them. */
export interface Caller {
  readonly footnote: Footnote;
  readonly scope: Scope;
  readonly call: Required<Pick<CallOptions, 'signal' | 'onWaiting'>>;
  /** What the caller may see of a message; undefined for all of it. */
  readonly conceal: ((detail: string) => string) | undefined;
}

type Schema = z.ZodType | undefined;
type OutputOf<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

type NamesOf<R extends string> = R extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesOf<More>
    : Rest
  : never;

/** What was asked, as its schemas let it through. */
export interface Asked<R extends string, Query extends Schema, Body extends Schema> {
  readonly params: { readonly [Name in NamesOf<R>]: string };
  readonly query: OutputOf<Query>;
  readonly body: OutputOf<Body>;
}

interface Declared<Query extends Schema, Body extends Schema> {
  /** Default: by the names in the path. */
  readonly params?: z.ZodType;
  readonly query?: Query;
  readonly body?: Body;
  /** A request without a body asks the same as one with an empty object. */
  readonly mayBeEmpty?: true;
  /** The largest body, bytes, where it is not that of other requests. */
  readonly bodyLimit?: (limits: { readonly bodyBytes: number; readonly documentBytes: number }) => number;
  /** `documents`: a form with the fields of the body and files. `upload`: a form alone, with one. `export`: one file, as a form or as it is. */
  readonly files?: 'documents' | 'upload' | 'export';
  /** Without a reply there is nothing to say (204). */
  readonly reply?: z.ZodType;
  readonly status?: 201 | 202;
  /** Replies of other media types or statuses, as OpenAPI describes them; in the place of `reply`. */
  readonly replies?: Readonly<Record<number, unknown>>;
  /** The reply is an answer, or its events where the caller wants them. */
  readonly answers?: true;
  /** What goes on is told until it ends: nobody asks for its head alone. */
  readonly watched?: true;
  /** Default: `reads` below /v1, none elsewhere. */
  readonly lane?: Lane | 'none';
  /** Answers that streamed before are not given again: they may hold what is gone. */
  readonly forgets?: true;
  /** Asked again it does the same, and its reply tells what may be deleted meanwhile: none is kept under an Idempotency-Key. */
  readonly unkept?: true;
}

export interface Operation<
  Given extends readonly unknown[] = readonly unknown[],
  Reply = never,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
> extends Declared<Query, Body> {
  readonly route: Route;
  readonly role: Access;
  /** The chapter of the documentation. */
  readonly tag: string;
  readonly summary: string;
  /** The call of the facade takes the signal of the caller, behind all else. */
  readonly called?: true;
  /** The field of the reply that holds what the call gives. */
  readonly within?: string;
  readonly shown?: (reply: never, caller: Caller) => unknown;
  readonly headers?: (reply: never, asked: never) => Readonly<Record<string, string>>;
  /** In the place of the call by its name. Absent from a `peculiar` one: the door serves it itself. */
  readonly run?: (caller: Caller, asked: never) => Promise<unknown>;
  readonly statusOf?: (reply: never) => number;
  /** Types alone: what the call is given, and what it may give. */
  readonly types?: { readonly given: Given; readonly takes: (reply: Reply) => void };
}

type ParamsOf<R extends string> = R extends `${string}:${infer Rest}` ? [string, ...ParamsOf<Rest>] : [];
type Argument<S extends Schema> = S extends z.ZodType ? [z.output<S>] : [];
type WithinOf<Reply extends Schema, Within> = Reply extends z.ZodType
  ? DeepReadonly<Within extends keyof z.output<Reply> ? z.output<Reply>[Within] : z.output<Reply>>
  : unknown;

/** The operations of a chapter of the documentation that callers of a role may ask for. */
export const operationsFor = (role: Access, tag: string) => ({
  /** One that is the call of the facade of its name: the table checks its arguments and what it gives. */
  call<
    const R extends Route,
    Query extends Schema = undefined,
    Body extends Schema = undefined,
    Reply extends Schema = undefined,
    Within extends string | undefined = undefined,
    Got = never,
  >(
    route: R,
    summary: string,
    declared: Declared<Query, Body> & {
      readonly reply?: Reply;
      readonly within?: Within;
      readonly called?: true;
      /** What the caller may see of what the call gives. */
      readonly shown?: (reply: Got, caller: Caller) => WithinOf<Reply, Within>;
      readonly headers?: (reply: OutputOf<Reply>, asked: Asked<R, Query, Body>) => Readonly<Record<string, string>>;
    } = {},
  ): Operation<
    [...ParamsOf<R>, ...Argument<Body>, ...Argument<Query>],
    [Got] extends [never] ? WithinOf<Reply, Within> : Got,
    Query,
    Body
  > {
    return { role, tag, route, summary, ...declared } as never;
  },
  /** One whose call is another than its name says, or that a door serves itself. */
  peculiar<
    const R extends Route,
    Query extends Schema = undefined,
    Body extends Schema = undefined,
    Reply extends Schema = undefined,
  >(
    route: R,
    summary: string,
    declared: Declared<Query, Body> & {
      readonly reply?: Reply;
      readonly headers?: (reply: OutputOf<Reply>, asked: Asked<R, Query, Body>) => Readonly<Record<string, string>>;
      readonly statusOf?: (reply: OutputOf<Reply>) => number;
      readonly run?: (caller: Caller, asked: Asked<R, Query, Body>) => Promise<WithinOf<Reply, undefined>>;
    } = {},
  ): Operation<never, unknown, Query, Body> {
    return { role, tag, route, summary, ...declared } as never;
  },
});

type Fits<Call> = Call extends (...given: infer Given) => Promise<infer Reply> ? Operation<Given, Reply> : never;

/** A table whose operations are the calls that they are named after, and others that are peculiar. */
export type OperationsOf<Calls> = {
  readonly [Name in keyof Calls]?: Calls[Name] extends (...given: never) => unknown
    ? Fits<Calls[Name]>
    : { readonly [Call in keyof Calls[Name]]?: Fits<Calls[Name][Call]> };
};

const id = z.string().min(1).max(1024);
const paramSchemas: Readonly<Record<string, z.ZodType>> = { id, file_id: id };

/** The names in a path, in their order. */
export const paramNames = (route: Route): string[] => [...route.matchAll(/:(\w+)/gu)].map(([, name = '']) => name);

export function paramsOf({ route, params }: Operation): z.ZodType | undefined {
  const names = paramNames(route);
  if (params || names.length === 0) return params;
  return z.strictObject(Object.fromEntries(names.map((name) => [name, paramSchemas[name] ?? nameSchema])));
}
