import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/auth/credentials.ts';
import { recordForEachTest } from '../../testkit/record-fixture.ts';

const place = recordForEachTest();

describe('credentials', () => {
  it('stand for the tenant, role and groups that they were made with', async () => {
    const credentials = createCredentials(place.record.keys);
    expect(await credentials.required()).toBe(false);
    const { key, secret } = await credentials.create({ name: 'ci', role: 'writer', tenant: 'acme', groups: ['team'] });
    expect(secret).toMatch(/^fn_[A-Za-z0-9_-]{43}$/);
    expect(await credentials.authenticate(secret)).toEqual({
      tenant: 'acme',
      principal: { id: `key:${key.id}`, role: 'writer', groups: ['team'] },
    });
    expect(await credentials.required()).toBe(true);
    expect(await credentials.list()).toMatchObject([key]);
  });

  it('end with their revocation, also after a restart', async () => {
    const credentials = createCredentials(place.record.keys);
    const { key, secret } = await credentials.create({ name: 'old', role: 'reader' });
    expect(await credentials.revoke(key.id)).toBe(true);
    expect(await credentials.revoke(key.id)).toBe(false);
    expect(await credentials.authenticate(secret)).toBeUndefined();
    await place.reopen();
    expect(await createCredentials(place.record.keys).authenticate(secret)).toBeUndefined();
  });

  it('are required for ever once there was one: revoking the last locks, and the next opens again', async () => {
    const credentials = createCredentials(place.record.keys);
    expect([await credentials.required(), await credentials.locked()]).toEqual([false, false]);
    const made = [
      await credentials.create({ name: 'one', role: 'admin' }),
      await credentials.create({ name: 'two', role: 'reader', tenant: 'acme' }),
    ];
    for (const [at, { key }] of made.entries()) {
      await credentials.revoke(key.id);
      expect([await credentials.required(), await credentials.locked()]).toEqual([true, at === 1]);
    }
    await place.reopen();
    const after = createCredentials(place.record.keys);
    expect([await after.required(), await after.locked()]).toEqual([true, true]);
    await after.create({ name: 'three', role: 'reader' });
    expect([await after.required(), await after.locked()]).toEqual([true, false]);
  });

  it('are asked for no more once the owner opens, until the next is made; what was revoked stays on record', async () => {
    let credentials = createCredentials(place.record.keys);
    expect(await credentials.open()).toBe(0);
    const old = await credentials.create({ name: 'old', role: 'admin' });
    const last = await credentials.create({ name: 'last', role: 'reader' });
    await credentials.revoke(old.key.id);
    for (let round = 0; round < 2; round += 1) {
      const before = await credentials.list();
      expect(await credentials.open()).toBe(round === 0 ? 2 : 1);
      await place.reopen();
      credentials = createCredentials(place.record.keys);
      const after = credentials;
      expect([await after.required(), await after.locked(), await after.open()]).toEqual([false, false, 0]);
      for (const { secret } of [old, last]) expect(await after.authenticate(secret)).toBeUndefined();
      const now = await after.list();
      expect(now.map(({ id, name, role }) => ({ id, name, role }))).toEqual(
        before.map(({ id, name, role }) => ({ id, name, role })),
      );
      for (const { revokedAt } of now) expect(revokedAt).toBeDefined();
      expect(now.find(({ id }) => id === old.key.id)?.revokedAt).toBe(
        before.find(({ id }) => id === old.key.id)?.revokedAt,
      );
      // However the clock stands, and though the rows of before are many.
      await after.create({ name: 'next', role: 'reader' });
      expect([await after.required(), await after.locked()]).toEqual([true, false]);
    }
  });

  it('are matched whole: nothing near a secret opens anything', async () => {
    const credentials = createCredentials(place.record.keys);
    const { secret } = await credentials.create({ name: 'ci', role: 'admin' });
    const near = fc.oneof(
      fc.nat({ max: secret.length }).map((length) => secret.slice(0, length)),
      fc
        .tuple(fc.nat({ max: secret.length - 1 }), fc.constantFrom(...'abcXYZ019_-\u0000é'))
        .map(([at, letter]) => secret.slice(0, at) + letter + secret.slice(at + 1)),
      fc.string().map((tail) => secret + tail),
      fc.constantFrom(secret.toLowerCase(), secret.toUpperCase(), ` ${secret}`, `${secret}\n`, "fn_' OR 1=1 --"),
    );
    await fc.assert(
      fc.asyncProperty(near, async (candidate) => {
        fc.pre(candidate !== secret);
        expect(await credentials.authenticate(candidate)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
    expect(await credentials.authenticate(secret)).toBeDefined();
  });

  it('leave no secret in the data folder', async () => {
    const { secret } = await createCredentials(place.record.keys).create({ name: 'ci', role: 'admin' });
    for (const file of ['record.sqlite', 'record.sqlite-wal']) {
      const bytes = readFileSync(join(place.folder, file));
      expect(bytes.includes(secret.slice(3))).toBe(false);
      expect(bytes.includes(secret.slice(3, 15))).toBe(false);
    }
  });

  it('need a name and a tenant', async () => {
    const credentials = createCredentials(place.record.keys);
    await expect(credentials.create({ name: ' ', role: 'reader' })).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(credentials.create({ name: 'x', role: 'reader', tenant: '' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('end when their time comes, and then count as none that opens', async () => {
    let now = '2026-01-01T00:00:00.000Z';
    const clock = { now: () => now, elapsedMs: () => 0 };
    const credentials = createCredentials(place.record.keys, { clock });
    const { secret } = await credentials.create({
      name: 'guest',
      role: 'reader',
      expiresAt: '2026-01-02T01:00:00+01:00',
    });
    now = '2026-01-01T23:59:59.999Z';
    expect([await credentials.authenticate(secret), await credentials.locked()]).toEqual([expect.anything(), false]);
    now = '2026-01-02T00:00:00.000Z';
    expect([await credentials.authenticate(secret), await credentials.locked()]).toEqual([undefined, true]);
    await expect(credentials.create({ name: 'late', role: 'reader', expiresAt: now })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('have two secrets while one replaces the other, never three, and none once they are revoked', async () => {
    let now = '2026-01-01T00:00:00.000Z';
    const clock = { now: () => now, elapsedMs: () => 0 };
    let credentials = createCredentials(place.record.keys, { clock });
    const { key, secret } = await credentials.create({ name: 'ci', role: 'reader' });
    const secrets = [secret];
    const works = async () =>
      Promise.all(secrets.map(async (one) => (await credentials.authenticate(one)) !== undefined));
    const rotate = async (overlap?: number) => secrets.push((await credentials.rotate(key.id, overlap))?.secret ?? '');
    await rotate(60);
    expect(await works()).toEqual([true, true]);
    await place.reopen();
    credentials = createCredentials(place.record.keys, { clock });
    expect(await works()).toEqual([true, true]);
    now = '2026-01-01T00:01:00.000Z';
    expect(await works()).toEqual([false, true]);
    await rotate();
    await rotate();
    expect(await works()).toEqual([false, false, true, true]);
    expect(await credentials.revoke(key.id)).toBe(true);
    expect(await works()).toEqual([false, false, false, false]);
    expect(await credentials.rotate(key.id)).toBeUndefined();
  });

  it('keep their limits over a restart, and read nothing where those are damaged', async () => {
    const made = await createCredentials(place.record.keys).create({
      name: 'editor',
      role: 'writer',
      sources: ['handbook'],
      doors: ['mcp'],
    });
    await place.reopen();
    const limits = async () => (await createCredentials(place.record.keys).authenticate(made.secret))?.principal;
    expect(await limits()).toMatchObject({ sources: ['handbook'], doors: ['mcp'] });
    const { path } = place.record;
    await place.reopen(() => {
      const database = new DatabaseSync(path);
      database.exec(`UPDATE api_key SET grants = '{"sources":"handbook"'`);
      database.close();
    });
    expect(await limits()).toMatchObject({ sources: [], doors: [] });
  });

  it('say when they were used last, written once a minute at most', async () => {
    let now = '2026-01-01T00:00:00.000Z';
    const credentials = createCredentials(place.record.keys, { clock: { now: () => now, elapsedMs: () => 0 } });
    const { secret } = await credentials.create({ name: 'ci', role: 'reader' });
    const used = async () => {
      await credentials.authenticate(secret);
      // Writes are done in their order.
      await credentials.revoke('none');
      return (await credentials.list())[0]?.lastUsedAt;
    };
    expect((await credentials.list())[0]?.lastUsedAt).toBeUndefined();
    expect(await used()).toBe('2026-01-01T00:00:00.000Z');
    now = '2026-01-01T00:00:59.000Z';
    expect(await used()).toBe('2026-01-01T00:00:00.000Z');
    now = '2026-01-01T00:01:00.000Z';
    expect(await used()).toBe(now);
  });
});
