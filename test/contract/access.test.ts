// Who calls: what each key is told of itself and of the server, over the real system. Invariant: no key is told of another, of another tenant, or of what only admins
// may ask for.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createHttpApp } from '../../src/http/app.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
const appWith = (options: object = {}): HttpApp =>
  createHttpApp({
    system: opened,
    authenticate: (secret) => opened.keys.authenticate(secret),
    hasKeys: () => opened.keys.required(),
    idempotency: opened.idempotency,
    version: 'test',
    ownerToken: 'owner-secret',
    ...options,
  });
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-access-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  app = appWith();
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

describe('who calls', () => {
  it('is the owner while no key exists', async () => {
    expect((await app.inject('/v1/me')).json()).toEqual({
      tenant: 'default',
      role: 'admin',
      owner: true,
      features: { models: [], webSearch: false, metrics: false, keys: true },
    });
  });

  it('is told its own key, its limits and what it may ask for', async () => {
    const grants = { sources: ['towers'], doors: ['api' as const], limits: { dailyRequests: 90 } };
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const reader = await opened.keys.create({ name: 'screen', role: 'reader', expiresAt, ...grants });
    const admin = await opened.keys.create({ name: 'elsewhere', role: 'admin', tenant: 'other' });
    expect((await app.inject({ url: '/v1/me', headers: bearer(reader.secret) })).json()).toEqual({
      tenant: 'default',
      role: 'reader',
      key: { id: reader.key.id, name: 'screen', expiresAt },
      ...grants,
      features: { models: [], webSearch: false },
    });
    const web = appWith({ searchesWeb: true });
    const told = await web.inject({ url: '/v1/me', headers: bearer(admin.secret) });
    await web.close();
    expect(told.json()).toEqual({
      tenant: 'other',
      role: 'admin',
      key: { id: admin.key.id, name: 'elsewhere' },
      features: { models: [], webSearch: true, metrics: false, keys: true },
    });
  });

  it('needs a key once there is one, and the door that the key is for', async () => {
    expect((await app.inject('/v1/me')).statusCode).toBe(401);
    const { secret } = await opened.keys.create({ name: 'chat', role: 'reader', doors: ['openai'] });
    expect((await app.inject({ url: '/v1/me', headers: bearer(secret) })).statusCode).toBe(403);
  });
});
