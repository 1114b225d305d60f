// API keys over HTTP, for admins: make, list, revoke. A secret leaves once, in the reply that made it, and is kept nowhere.
// An admin sees and makes keys of their own tenant only; the owner of the data folder those of every tenant.
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../auth/credentials.ts';
import { FootnoteError } from '../../core/errors.ts';
import { localScope, type Scope } from '../../core/scope.ts';
import { idParamsSchema } from '../../operations/contract/contract.ts';
import { createdKeySchema, keyListSchema, keyRequestSchema } from '../../operations/contract/keys.ts';
import type { Door, HttpApp, HttpKeys } from '../wire/http-types.ts';
import { emptySchema } from '../wire/paging.ts';
import { streamOwner } from '../wire/sse.ts';

const tags = ['keys'];

export function registerKeyRoutes(app: HttpApp, door: Door): void {
  const keys = (): HttpKeys => {
    if (!door.system.keys) throw new FootnoteError('unsupported', 'This server does not administer keys.');
    return door.system.keys;
  };

  app.post(
    '/admin/keys',
    {
      schema: {
        summary: 'Make an API key; its secret is shown this once',
        tags,
        body: keyRequestSchema,
        response: { 201: createdKeySchema },
      },
    },
    async (request, reply) => {
      const { tenant } = scopeOf(request);
      const wanted = request.body.tenant ?? tenant;
      if (!maySee(request, wanted))
        throw new FootnoteError('forbidden', `body.tenant: this key makes keys of the tenant ${tenant} only.`);
      const created = await keys().create({ ...request.body, tenant: wanted });
      // What is kept for a repeated request never holds the secret.
      await request.claim?.finish(201, JSON.stringify({ key: created.key }));
      return reply.code(201).send(created);
    },
  );

  app.get(
    '/admin/keys',
    { schema: { summary: 'API keys, without their secrets', tags, response: { 200: keyListSchema } } },
    async (request) => ({ data: await visible(request, keys()) }),
  );

  app.delete(
    '/admin/keys/:id',
    { schema: { summary: 'Revoke an API key', tags, params: idParamsSchema, response: { 204: emptySchema } } },
    async (request, reply) => {
      const { id } = request.params;
      const known = (await visible(request, keys())).find((key) => key.id === id && key.revokedAt === undefined);
      if (!known || !(await keys().revoke(id)))
        throw new FootnoteError('not-found', 'There is no active key with this id.');
      const revoked = new FootnoteError('unauthenticated', 'The key of this stream was revoked.');
      door.streams.endOf(streamOwner(known.tenant, principalOf(id)), revoked);
      return reply.code(204).send();
    },
  );
}

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
