// The types between Fastify and the schemas: a request is what its schema yields, a reply is anything readable as what its
// schema prints. Also what the door hangs on a request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import type { z } from 'zod';
import type { Meter } from '../../auth/meter.ts';
import type { GivenFile } from '../../core/documents/add-document.ts';
import type { KeyedRequest, Made } from '../../core/keyed/effects.ts';
import type { DeepReadonly } from '../../core/metadata.ts';
import type { Scope } from '../../core/scope.ts';
import type { AuditedKeys, Via } from '../../footnote/audit/audit.ts';
import type { CallOptions, Footnote, Health } from '../../footnote/facade.ts';
import type { OpenedFootnote } from '../../footnote/opened.ts';
import type { Lane } from '../../operations/operation.ts';
import type { Place } from '../hardening/admission.ts';
import type { HeldBody } from '../hardening/held-bodies.ts';
import type { EventStreams } from './sse.ts';

export interface ZodTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: this['schema'] extends z.ZodType ? DeepReadonly<z.output<this['schema']>> : unknown;
}

export type HttpApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypes>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No reply of the route is kept under an Idempotency-Key. */
    unkept?: true;
  }
  interface FastifyRequest {
    /** Who asks; undefined only on open routes. */
    scope: Scope | undefined;
    /** SHA-256 of the body's bytes, once it was read. */
    bodyHash: string | undefined;
    /** Of a body that is taken as it comes: reads it to its end, so that its hash is known. */
    readToEnd: (() => Promise<void>) | undefined;
    /** The files of a multipart upload. */
    uploads: readonly GivenFile[] | undefined;
    /** Its place in the queue of its like; undefined where it needs none. */
    place: Place | undefined;
    /** Its body among those that are in memory; undefined where it is short. */
    heldBody: HeldBody | undefined;
    /** Set while this request holds an Idempotency-Key. */
    claim: IdempotencyClaim | undefined;
  }
}

/** A claimed Idempotency-Key: exactly one of the two ends it. */
export interface IdempotencyClaim {
  /** Set by what streams, and ends it when the stream has ended. */
  isStreamed?: boolean;
  finish(status: number, body: string): Promise<void>;
  release(): Promise<void>;
  /** By which what is made is noted with the key. */
  readonly request: KeyedRequest;
}

export interface KeptReply {
  readonly requestHash: string;
  readonly status: number;
  readonly body: string;
}

/** The port; the record's idempotency repository of one scope fits it. `running`: the first request has not ended; `made`: it was cut off, and made this. */
export interface IdempotencyPort {
  begin(
    route: string,
    key: string,
    requestHash: string,
  ): Promise<'new' | 'running' | KeptReply | { readonly made: Made }>;
  finish(route: string, key: string, response: KeptReply): Promise<void>;
  /** Puts another reply in the place of a good one that was kept; nothing where that was erased or forgotten meanwhile. */
  replace(route: string, key: string, response: KeptReply): Promise<void>;
  /** Ends a claim whose request failed; what it made is known to the next one. */
  release(route: string, key: string): Promise<void>;
  /** What `finish` kept; undefined where nothing was, or not any more. */
  read(route: string, key: string): Promise<KeptReply | undefined>;
  /** Forgets it, and the replies of another route that hold a text. */
  forget(route: string, key: string, replies: { readonly route: string; readonly holding: string }): Promise<void>;
}

/** The part of credentials that the door administers. */
export type HttpKeys = Pick<AuditedKeys, 'create' | 'rotate' | 'list' | 'revoke'>;

/** The system as a door sees it: one facade per scope. */
export interface HttpSystem {
  forScope(scope: Scope, via?: Via): Footnote;
  health(): Promise<Health>;
  /** Absent: keys are not administered over HTTP. */
  readonly keys?: HttpKeys;
  /** Absent: keys have no limits. */
  readonly meter?: Pick<Meter, 'request'>;
  /** Present where other servers work on the same record. */
  readonly others?: OpenedFootnote['others'];
  /** Which steps a model does. */
  readonly languageModels?: { readonly roles: Readonly<Record<string, { readonly models: readonly unknown[] }>> };
  /** Absent: nothing is counted. */
  readonly telemetry?: { text(): Promise<string> };
}

export interface HttpLimits {
  /** Largest JSON body of most routes, bytes. */
  readonly bodyBytes: number;
  /** Largest JSON body that carries documents, bytes. */
  readonly documentBytes: number;
  /** Largest uploaded file, bytes. */
  readonly fileBytes: number;
  /** All files of one upload together, bytes. */
  readonly uploadBytes: number;
  readonly filesPerUpload: number;
  /** Largest export of conversations, bytes, however it is sent. */
  readonly importBytes: number;
  /** Bodies that are in memory at once, bytes; beyond that one that is being read is refused. */
  readonly heldBytes: number;
}

/** What every route file gets. */
export interface Door {
  readonly system: HttpSystem;
  readonly streams: EventStreams;
  /** After something was deleted: answers that streamed before are not given again. */
  forgetStreams(request: FastifyRequest): void;
  readonly limits: HttpLimits;
  readonly version: string;
  /** How the request came in, for the audit log. */
  viaOf(request: FastifyRequest): Via;
  /** The facade of the caller. */
  footnoteOf(request: FastifyRequest): Footnote;
  /** Aborts when the client has gone away before the reply was complete. */
  signalOf(reply: FastifyReply): AbortSignal;
  /** What a question of this request is called with: its client's signal, and its place told of waiting for models. */
  callOf(request: FastifyRequest, reply: FastifyReply): Required<Pick<CallOptions, 'signal' | 'onWaiting'>>;
  /** True once the server has begun to stop. */
  isDraining(): boolean;
  /** What the caller may see of a message; undefined for all of it. */
  concealFrom(request: FastifyRequest): ((detail: string) => string) | undefined;
  /** Does the work of a request that asks for several things when it is its turn among those of the lane. */
  inTurn<T>(
    request: FastifyRequest,
    asked: { readonly lane: Lane; readonly signal: AbortSignal },
    work: (call: CallOptions) => Promise<T>,
  ): Promise<T>;
  /** What a failure tells the caller of a request; what is ours to look into is logged. */
  tellFailure(request: FastifyRequest, error: unknown): string;
}
