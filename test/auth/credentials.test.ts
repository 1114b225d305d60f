import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(await credentials.list()).toEqual([key]);
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
});
