// The HTTP door as one application that can be called without a socket: limits, guard, problems, then the routes. Nothing
// reaches a route unvalidated, and nothing leaves one that does not fit the contract.

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import fastifyHelmet from '@fastify/helmet';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { FootnoteError } from '../core/errors.ts';
import type { Problem } from '../core/events.ts';
import { sha256 } from '../core/ids.ts';
import { parseJsonBody } from '../core/json/json-body.ts';
import { type DoorName, localScope, type Scope } from '../core/scope.ts';
import { importBytes } from '../operations/conversations.ts';
import { type Lane, lanes } from '../operations/operation.ts';
import { anthropicRoutes } from './anthropic/messages.ts';
import { isInVain, mirroredBy, toMirroredError, versionHint } from './foreign/errors.ts';
import type { TextStyle } from './foreign/foreign-text.ts';
import { type AdmissionSettings, createAdmission, type Place } from './hardening/admission.ts';
import { createCors } from './hardening/cors.ts';
import { createGuard, type GuardOptions } from './hardening/guard.ts';
import { createHeldBodies } from './hardening/held-bodies.ts';
import { limitIdleSockets } from './hardening/idle-sockets.ts';
import { createLogins } from './hardening/logins.ts';
import { allowedMethods, createRouteBook, MethodNotAllowed, type RouteBook } from './hardening/methods.ts';
import { refuseConnection, refuseProtocolErrors } from './hardening/protocol-errors.ts';
import { inReplyPieces } from './hardening/reply-pieces.ts';
import { limitSlowBodies } from './hardening/slow-bodies.ts';
import { watchConnections } from './hardening/stalled-reader.ts';
import { dropUnreadBody } from './hardening/unread-body.ts';
import { claimIdempotency, settleIdempotency } from './idempotency.ts';
import { openaiRoutes } from './openai/routes.ts';
import { vectorStoreRoutes } from './openai/stores/routes.ts';
import { asksForKey, createPages, prefixOf, withoutPrefix } from './page.ts';
import { limitHeaders, waitOf } from './policy/limit-headers.ts';
import { accessOf, laneOf } from './policy/policy.ts';
import { problemMime, toFailure } from './policy/problem.ts';
import { accessRoutes } from './routes/access.ts';
import { answerRoutes } from './routes/answers.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { documentRoutes } from './routes/documents.ts';
import { ingestionRoutes } from './routes/ingestions.ts';
import { keyRoutes } from './routes/keys.ts';
import { mcpPath, registerMcp } from './routes/mcp.ts';
import { challengeOf, type ProtectedResource, registerProtectedResource } from './routes/protected-resource.ts';
import { registerRoutes } from './routes/routes.ts';
import { serverRoutes } from './routes/server.ts';
import { withoutServerPaths } from './server-paths.ts';
import { asksForEvents, isResumed } from './wire/content-negotiation.ts';
import type { Door, HttpApp, HttpLimits, HttpSystem, IdempotencyPort } from './wire/http-types.ts';
import { importRoutes, registerOpenApi, uploadRoutes } from './wire/openapi.ts';
import { watchRevoked } from './wire/revoked-streams.ts';
import { createEventStreams, type StreamSettings, streamDefaults } from './wire/sse.ts';

export interface HttpLogLine {
  readonly requestId: string;
  readonly method: string;
  /** The route, not the path: paths can hold ids of documents. */
  readonly route: string;
  readonly status: number;
  readonly latencyMs: number;
  /** Present when something failed that the operator should look into. */
  readonly error?: unknown;
}

export interface HttpAppOptions extends Omit<GuardOptions, 'isDraining' | 'doorOf' | 'isAllowedOrigin' | 'loginOf'> {
  readonly system: HttpSystem;
  idempotency(scope: Scope): IdempotencyPort;
  readonly version: string;
  /** Origins besides our own whose pages may call. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  readonly stream?: Partial<StreamSettings>;
  /** How many requests are worked on and wait, of each lane. */
  readonly admission?: Partial<AdmissionSettings>;
  /** Text for clients of other protocols that ask for none. Default: `marks`. */
  readonly chatText?: TextStyle;
  /** Folders of this machine that keys are not told of, such as that of the data. */
  readonly serverPaths?: readonly string[];
  /** Whether answers may rest on pages that a search of the web finds. */
  readonly searchesWeb?: boolean;
  /** Where tokens for MCP come from. */
  readonly protectedResource?: ProtectedResource | undefined;
  log?(line: HttpLogLine): void;
}

const defaultLimits: HttpLimits = {
  bodyBytes: 1024 * 1024,
  documentBytes: 64 * 1024 * 1024,
  fileBytes: 100 * 1024 * 1024,
  uploadBytes: 256 * 1024 * 1024,
  filesPerUpload: 100,
  importBytes,
  heldBytes: 512 * 1024 * 1024,
};

const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The application, ready for `inject` or for `startHttpServer`. Closing it ends open streams first. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const limits = { ...defaultLimits, ...options.limits };
  const logCut = (reply: FastifyReply, error: FootnoteError): void => {
    const { id: requestId, method, routeOptions } = reply.request;
    const route = routeOptions.url ?? '(none)';
    options.log?.({ requestId, method, route, status: reply.statusCode, latencyMs: reply.elapsedTime, error });
  };
  const streams = createEventStreams({ onCut: logCut, ...options.stream });
  const failures = new WeakMap<FastifyRequest, unknown>();
  const draining = new AbortController();
  const prefix = prefixOf(options.publicUrl);
  const pages = createPages(prefix);

  const app: HttpApp = Fastify({
    genReqId: () => `req_${randomBytes(9).toString('hex')}`,
    bodyLimit: limits.bodyBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    keepAliveTimeout: 5_000,
    http: {
      headersTimeout: 20_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      void refuse(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply);
    },
    clientErrorHandler: refuseConnection,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url, prefix),
  });
  refuseProtocolErrors(app.server);
  const { stallMs = streamDefaults.stallMs } = options.stream ?? {};
  /** What each connection asked for last. */
  const lastReplies = new WeakMap<Socket, FastifyReply>();
  watchConnections(app.server, stallMs, (socket) => {
    const reply = lastReplies.get(socket);
    const reason = `The client took nothing of the reply for ${stallMs} ms and was cut off.`;
    if (reply) logCut(reply, new FootnoteError('cancelled', reason));
    socket.destroy();
  });
  limitIdleSockets(app.server);
  limitSlowBodies(app.server);
  app.setValidatorCompiler(validatorCompiler as never);
  app.setSerializerCompiler(serializerCompiler as never);
  app.decorateRequest('scope', undefined);
  app.decorateRequest('bodyHash', undefined);
  app.decorateRequest('readToEnd', undefined);
  app.decorateRequest('uploads', undefined);
  app.decorateRequest('claim', undefined);
  app.decorateRequest('place', undefined);
  app.decorateRequest('heldBody', undefined);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.bodyHash = sha256(body);
    return parseJsonBody(body);
  });

  /** Keys do not see where on the machine anything lies; who owns the folder does. */
  function concealFrom(request: FastifyRequest): ((detail: string) => string) | undefined {
    if (request.scope?.principal.id === localScope().principal.id) return undefined;
    return (detail) => withoutServerPaths(detail, options.serverPaths);
  }

  /** The failure as the caller is told it; what is ours to look into is logged with the request. */
  function problemOf(error: unknown, request: FastifyRequest): Problem {
    const { url = '', schema } = request.routeOptions;
    const { problem, unexpected } = toFailure(error, request.id, {
      status: error instanceof MethodNotAllowed ? 405 : undefined,
      schemas: schema,
      takesFiles: uploadRoutes.includes(url),
      conceal: concealFrom(request),
    });
    if (unexpected !== undefined) failures.set(request, unexpected);
    return problem;
  }

  function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = problemOf(error, request);
    if (problem.status === 401) void reply.header('www-authenticate', challengeOf(request, options.protectedResource));
    const waitSeconds = waitOf(error) ?? (problem.status === 503 || problem.code === 'rate-limited' ? 5 : undefined);
    if (waitSeconds !== undefined) void reply.header('retry-after', String(waitSeconds));
    const by = mirroredBy(request.url);
    // Clients that wait at all wait for a minute at most.
    if (by && (isInVain(problem.code, error) || (waitSeconds ?? 0) > 60)) void reply.header('x-should-retry', 'false');
    // As text, so that no response schema can stand in the way of a problem.
    void reply
      .code(problem.status)
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('content-type', by ? 'application/json; charset=utf-8' : problemMime)
      .send(JSON.stringify(by ? toMirroredError(by, problem, error) : problem));
  }
  /** A refusal that the client can read: only then the connection may close. */
  async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await dropUnreadBody(request.raw);
    if (asksForKey(error, request)) return pages.sendKeyPage(reply.header('x-request-id', request.id));
    sendProblem(error, request, reply);
    return reply;
  }
  app.setErrorHandler(refuse);

  const book: RouteBook = createRouteBook();
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      if (accessOf(method, route.url) === undefined)
        throw new Error(`The route ${method} ${route.url} has no row in the policy table.`);
      book.add(method, route.url);
    }
  });
  app.setNotFoundHandler((request, reply) => {
    const hint = versionHint(request.url);
    if (hint) return refuse(new FootnoteError('not-found', hint), request, reply);
    const methods = allowedMethods(book, request.url);
    if (methods.length === 0)
      return refuse(new FootnoteError('not-found', 'No such route. GET /openapi.json lists them.'), request, reply);
    void reply.header('allow', methods.join(', '));
    return refuse(new MethodNotAllowed(request.method, methods), request, reply);
  });
  const cors = createCors(options.allowedOrigins);
  const logins = createLogins(options.publicUrl, options.system.others);
  const isDraining = (): boolean => draining.signal.aborted;
  const guarded = { isDraining, doorOf, isAllowedOrigin: cors.isAllowed, loginOf: logins.secretOf };
  const guard = createGuard({ ...options, ...guarded });
  async function countRequest({ scope, url }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { limits = [], refusal } = (scope && (await options.system.meter?.request(scope.principal))) ?? {};
    void reply.headers(limitHeaders(limits, mirroredBy(url) === 'openai'));
    if (refusal) throw refusal;
  }
  app.addHook('onRequest', async (request, reply) => {
    lastReplies.set(request.raw.socket, reply);
    void reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    if (mirroredBy(request.url) === 'anthropic') void reply.header('request-id', request.id);
    if (cors.begin(request, reply)) return reply.code(204).send();
    await guard(request);
    await countRequest(request, reply);
    await enter(request, reply);
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw new FootnoteError('unsupported-media', `Bodies encoded as ${encoding} are not read. Send it as it is.`);
    return undefined;
  });
  app.addHook('preParsing', createHeldBodies(limits.heldBytes, clientSignal).watch);
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart() && ![...uploadRoutes, ...importRoutes].includes(request.routeOptions.url ?? ''))
      throw new FootnoteError('unsupported-media', 'This call takes no files. Send the body as application/json.');
  });
  app.addHook('preHandler', async (request, reply) => {
    await request.place?.begin(clientSignal(reply));
    // Calls of MCP change nothing, and a stream of JSON-RPC is kept for nobody.
    const { url, config } = request.routeOptions;
    if (['GET', 'HEAD'].includes(request.method) || url === mcpPath || config.unkept || isResumed(request)) return;
    const kept = await claimIdempotency(request, options.idempotency, draining.signal);
    if (!kept) return undefined;
    void reply.header('idempotency-replayed', 'true');
    return replay(kept, request, reply);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    await settleIdempotency(request, reply, payload);
    cors.end(reply);
    const location = reply.getHeader('location');
    if (prefix !== '' && String(location ?? '').startsWith('/')) void reply.header('location', `${prefix}${location}`);
    // What only has to be sent holds up nobody; a stream ends when its work does.
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) request.place?.leave();
    return inReplyPieces(payload) ?? payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    request.place?.leave();
    request.heldBody?.leave();
    const error = failures.get(request);
    options.log?.({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? '(none)',
      status: reply.statusCode,
      latencyMs: reply.elapsedTime,
      ...(error === undefined ? {} : { error }),
    });
  });
  app.addHook('preClose', watchRevoked(streams, options.system.others));
  app.addHook('preClose', async () => {
    draining.abort();
    streams.closeAll();
  });

  const admissions = new Map(lanes.map((lane) => [lane, createAdmission(options.admission)]));
  const placeFor = ({ scope }: FastifyRequest, lane: Lane): Place | undefined =>
    scope && admissions.get(lane)?.enter({ tenant: scope.tenant, principal: scope.principal.id });
  /** Takes a place before the body is read. Documents wait here, so that their bodies are not held meanwhile; the others before they begin. */
  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url } = request.routeOptions;
    const lane = request.is404 || url === undefined || !request.scope ? undefined : laneOf(request.method, url);
    if (lane === undefined || isResumed(request)) return;
    const place = placeFor(request, lane);
    request.place = place;
    clientSignal(reply).addEventListener('abort', () => place?.leave(), { once: true });
    if (lane === 'documents') await place?.begin(clientSignal(reply));
  }

  const viaOf = ({ id: requestId, method, routeOptions: { url } }: FastifyRequest) => ({
    via: `${method} ${url}`,
    requestId,
  });
  const door: Door = {
    viaOf,
    system: options.system,
    streams,
    limits,
    version: options.version,
    footnoteOf(request) {
      if (!request.scope) throw new FootnoteError('internal', 'An open route asked for a scope.');
      return options.system.forScope(request.scope, viaOf(request));
    },
    forgetStreams(request) {
      const tenant = `${request.scope?.tenant}\u0000`;
      streams.forgetEnded((owner) => owner.startsWith(tenant));
    },
    signalOf: clientSignal,
    callOf: (request, reply) => ({
      signal: clientSignal(reply),
      onWaiting: (isWaiting) => request.place?.pause(isWaiting),
    }),
    isDraining,
    concealFrom,
    async inTurn(request, { lane, signal }, work) {
      const place = placeFor(request, lane);
      try {
        await place?.begin(signal);
        return await work({ signal, onWaiting: (isWaiting) => place?.pause(isWaiting) });
      } finally {
        place?.leave();
      }
    },
    tellFailure: (request, error) => problemOf(error, request).detail,
  };

  void app.register(fastifyHelmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('content-security-policy', apiPolicy);
  });
  void app.register(fastifyMultipart, { limits: { fileSize: limits.fileBytes } });
  registerOpenApi(app, options.version);
  // After the plugins are loaded, so that OpenAPI sees every route.
  void app.register(async (instance) => {
    const routes = instance as unknown as HttpApp;
    registerRoutes(routes, door, [
      ...documentRoutes(door),
      ...ingestionRoutes(door),
      ...answerRoutes(door),
      ...conversationRoutes(door),
      ...serverRoutes(routes, door),
      ...accessRoutes(door, options, logins),
      ...keyRoutes(door),
      ...openaiRoutes(door, options.idempotency, options.chatText),
      ...vectorStoreRoutes(door),
      ...anthropicRoutes(door, options.chatText),
    ]);
    pages.register(routes);
    registerMcp(routes, door, options);
    registerProtectedResource(routes, options.protectedResource);
  });
  return app;

  function replay(kept: { status: number; body: string }, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    void reply.code(kept.status);
    if (kept.body === '') return reply.send();
    // What was erased meanwhile, told in the form of the route.
    if (kept.status >= 400) throw new FootnoteError('not-found', (JSON.parse(kept.body) as Problem).detail);
    if (!asksForEvents(request)) return reply.header('content-type', 'application/json; charset=utf-8').send(kept.body);
    const stream = streams.open({ owner: '', requestHash: '', requestId: request.id });
    stream.end({ type: 'done', answer: JSON.parse(kept.body) as unknown } as { type: string });
    return streams.send(reply, stream);
  }
}

const doorOf = (url: string): DoorName => mirroredBy(url) ?? (url.startsWith(mcpPath) ? 'mcp' : 'api');

const signals = new WeakMap<FastifyReply, AbortSignal>();

/** Aborts when the connection closed before the reply was complete. */
function clientSignal(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply);
  if (known) return known;
  const controller = new AbortController();
  const gone = (): void => {
    if (!reply.raw.writableFinished) controller.abort(new FootnoteError('cancelled', 'The client went away.'));
  };
  if (reply.raw.destroyed) gone();
  else reply.raw.once('close', gone);
  signals.set(reply, controller.signal);
  return controller.signal;
}
