// A full disk: writes say so, reads go on, deleting makes room, and nothing is lost on the way.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { localScope } from '../../src/core/scope.ts';
import { ballastPath } from '../../src/db/erasure/ballast.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { createRandom } from '../../testkit/history.ts';
import { deleteAll } from '../../testkit/record-changes.ts';
import { createWrite } from '../../testkit/record-fixture.ts';
import { createAnswer } from '../../testkit/record-suite/answer-fixture.ts';
import { expectAgreement } from './agreement.ts';
import { mountSmallDisk } from './small-disk.ts';

const small = mountSmallDisk(48);
const disk = small?.folder ?? '';
afterAll(() => small?.remove());

const random = createRandom(7);
const textOf = (length: number): string =>
  Array.from({ length }, () => random.next().toString(36).slice(2, 9)).join(' ');
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

describe.skipIf(!small)('a full disk', () => {
  it('refuses writes as storage-full, goes on reading, lets documents be deleted, and recovers', async () => {
    const folder = join(disk, 'data');
    const record = openSqliteRecord({ folder });
    const tenant = record.forScope(localScope());
    const store = createEmbeddedStore({ database: record, scope: localScope() });
    const put = (id: string, words = 20_000): Promise<string> => {
      const write = createWrite(textOf(words), { id, uri: `${id}.md` });
      return codeOf(tenant.commit([{ kind: 'put-document', write }, store.entries.put([write])]));
    };
    expect(existsSync(ballastPath(folder))).toBe(true);

    // Fill it up: with documents, then to the last byte with a file of somebody else.
    const kept: string[] = [];
    let outcome = 'done';
    for (let number = 0; outcome === 'done'; number += 1) {
      outcome = await put(`d${number}`);
      if (outcome === 'done') kept.push(`d${number}`);
    }
    expect(outcome).toBe('storage-full');
    expect(kept.length).toBeGreaterThan(5);
    const filler = join(disk, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(48 * 1024 * 1024))).toThrow(/ENOSPC/);

    // Everything that was acknowledged can be read; nothing of the refused one is there.
    const readAll = async (): Promise<void> => {
      for (const id of kept) expect((await tenant.documents.text(id))?.length).toBeGreaterThan(1000);
      expect((await tenant.documents.count()).documents).toBe(kept.length);
    };
    await readAll();
    for (let number = 0; number < 3; number += 1) expect(await put(`refused ${number}`)).toBe('storage-full');
    // A small write may still find room in the journal; it is done or refused, nothing in between.
    const answer = createAnswer('a', textOf(50_000));
    const saved = await codeOf(tenant.answers.save(answer, '2026-01-01'));
    expect(['done', 'storage-full']).toContain(saved);
    expect(await tenant.answers.get('a')).toEqual(saved === 'done' ? answer : undefined);
    await readAll();

    // Deleting works, with the reserve, and makes room for writing.
    for (const id of kept.splice(0, 4)) {
      expect((await tenant.commit(deleteAll([id], store))).applied).toEqual([true, true]);
    }
    expect(existsSync(ballastPath(folder))).toBe(false);
    await readAll();
    expect(await put('small', 200)).toBe('done');
    kept.push('small');

    // Space again, without a restart.
    rmSync(filler);
    expect(await put('later', 2000)).toBe('done');
    kept.push('later');
    await readAll();
    expect(await record.check()).toEqual([]);
    await expectAgreement(record);
    await record.close();

    const again = openSqliteRecord({ folder });
    expect((await again.forScope(localScope()).documents.count()).documents).toBe(kept.length);
    expect(await again.check()).toEqual([]);
    await again.close();
  });

  it('is reported when the record cannot even be made', async () => {
    const folder = join(disk, 'another');
    const filler = join(disk, 'filler');
    mkdirSync(folder);
    expect(() => writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024))).toThrow(/ENOSPC/);
    expect(() => openSqliteRecord({ folder })).toThrow(expect.objectContaining({ code: 'storage-full' }));
    rmSync(filler);
    await openSqliteRecord({ folder }).close();
  });
});
