// API keys over HTTP, for admins: make, rotate, list, revoke. A secret leaves once, in the reply that made it, and is kept nowhere.
// An admin sees and makes keys of their own tenant only; the owner of the data folder those of every tenant.
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../auth/credentials.ts';
import { FootnoteError } from '../../core/errors.ts';
import { madeBefore } from '../../core/keyed/effects.ts';
import { localScope, type Scope } from '../../core/scope.ts';
import type { Actor } from '../../footnote/audit/audit.ts';
import { keys as operations } from '../../operations/server.ts';
import type { Door, HttpKeys } from '../wire/http-types.ts';
import { keyRevoked } from '../wire/revoked-streams.ts';
import { streamOwner } from '../wire/sse.ts';
import type { Exchange } from '../wire/stream-reply.ts';
import { askedOf, type OwnRoutes } from './routes.ts';

export function keyRoutes(door: Door): OwnRoutes {
  const keys = (): HttpKeys => {
    if (!door.system.keys) throw new FootnoteError('unsupported', 'This server does not administer keys.');
    return door.system.keys;
  };

  const actorOf = (request: FastifyRequest): Actor => ({ scope: scopeOf(request), ...door.viaOf(request) });

  return [
    [
      operations.create,
      async ({ request, reply }) => {
        const { body } = askedOf(operations.create, request);
        const { tenant } = scopeOf(request);
        const wanted = body.tenant ?? tenant;
        if (!maySee(request, wanted))
          throw new FootnoteError('forbidden', `body.tenant: this key makes keys of the tenant ${tenant} only.`);
        const before = await madeOf(request, keys());
        if (before) return sendMade(before, reply);
        return sendSecret(await keys().create({ ...body, tenant: wanted }, actorOf(request)), { request, reply });
      },
    ],
    [
      operations.rotate,
      async ({ request, reply }) => {
        const { params, body } = askedOf(operations.rotate, request);
        const before = await madeOf(request, keys());
        if (before) return sendMade(before, reply);
        const isVisible = (await visible(request, keys())).some(({ id }) => id === params.id);
        const rotated = isVisible ? await keys().rotate(params.id, body.overlapSeconds, actorOf(request)) : undefined;
        if (!rotated) throw noActiveKey();
        return sendSecret(rotated, { request, reply });
      },
    ],
    [operations.list, async ({ request }) => ({ data: await visible(request, keys()) })],
    [
      operations.revoke,
      async ({ request, reply }) => {
        const { id } = askedOf(operations.revoke, request).params;
        const known = (await visible(request, keys())).find((key) => key.id === id && key.revokedAt === undefined);
        if (!known || !(await keys().revoke(id, actorOf(request)))) throw noActiveKey();
        door.streams.endOf(streamOwner(known.tenant, principalOf(id)), keyRevoked());
        return reply.code(204).send();
      },
    ],
  ];
}

const noActiveKey = (): FootnoteError => new FootnoteError('not-found', 'There is no active key with this id.');

/** What is kept for a repeated request never holds the secret. */
async function sendSecret(
  made: Awaited<ReturnType<HttpKeys['create']>>,
  { request, reply }: Exchange,
): Promise<unknown> {
  await request.claim?.finish(201, JSON.stringify({ key: made.key }));
  return reply.code(201).send(made);
}

/** What an earlier request under the same key made, whose reply was not given: its secret is known to nobody. */
async function madeOf(request: Scoped, keys: HttpKeys) {
  const id = madeBefore('key');
  return id === undefined ? undefined : (await visible(request, keys)).find((key) => key.id === id);
}
const sendMade = (key: object, reply: Exchange['reply']): unknown =>
  reply.header('content-type', 'application/json; charset=utf-8').serializer(JSON.stringify).code(201).send({ key });

type Scoped = Pick<FastifyRequest, 'scope'>;

function scopeOf(request: Scoped): Scope {
  if (!request.scope)
    throw new FootnoteError('unauthenticated', 'Send a valid API key as "Authorization: Bearer <key>".');
  return request.scope;
}

/** The owner at this machine sees every tenant. Ids of keys begin with `key:`, so none can pass for the owner. */
function maySee(request: Scoped, tenant: string): boolean {
  const scope = scopeOf(request);
  return scope.principal.id === localScope().principal.id || scope.tenant === tenant;
}

async function visible(request: Scoped, keys: HttpKeys): ReturnType<HttpKeys['list']> {
  return (await keys.list()).filter((key) => maySee(request, key.tenant));
}
