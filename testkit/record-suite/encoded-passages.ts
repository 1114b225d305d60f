// Vectors of passages in the record: what comes back is what was kept, or nothing; no more than a bound; and nothing of what was deleted. Run over each
// database by test/db.
import { expect, it } from 'vitest';
import type { EncodedPassageRepository } from '../../src/db/repositories/encoded-passages.ts';
import { createWrite } from '../record-fixture.ts';
import type { SuitePlace } from './place.ts';

export interface PassagesPlace {
  readonly place: SuitePlace & { reopen(): Promise<void> };
  /** Of the tenant `default`, no more than so many. */
  bounded(most: number): EncodedPassageRepository;
  passagesOf(tenant: string): EncodedPassageRepository;
  /** Of a statement: the vector with a byte changed. */
  readonly damaged: string;
}

const monday = '2026-11-23T10:00:00.000Z';
const tuesday = '2026-11-24T10:00:00.000Z';
const vectorOf = (value: number): Float32Array => Float32Array.of(value, 1 / 3, -value);
const vectorsOf = (...values: readonly number[]) => new Map(values.map((value) => [`k${value}`, vectorOf(value)]));
export function encodedPassageSuite({ place, bounded, passagesOf, damaged }: PassagesPlace): void {
  const ownOf = (tenant = 'default') => passagesOf(tenant);

  it('come back to the bit, after a restart too', async () => {
    await ownOf().keep(vectorsOf(1, 2), [], monday);
    await place.reopen();
    const { vectors } = await ownOf().read(['k2', 'k1', 'unknown']);
    expect(vectors).toEqual(vectorsOf(1, 2));
    expect((await ownOf().read([])).vectors.size).toBe(0);
  });

  it('are of one tenant', async () => {
    await ownOf().keep(vectorsOf(1), [], monday);
    expect((await ownOf('other').read(['k1'])).vectors.size).toBe(0);
  });

  it('say on which day they were used, and go in that order when there are too many', async () => {
    const few = bounded(4);
    await few.keep(vectorsOf(1, 2, 3, 4), [], monday);
    const { usedBefore } = await few.read(['k1', 'k2']);
    expect([usedBefore(monday), usedBefore(tuesday)]).toEqual([[], ['k1', 'k2']]);
    await few.keep(new Map(), usedBefore(tuesday), tuesday);
    await few.keep(vectorsOf(5), [], tuesday);
    const { vectors } = await few.read(['k1', 'k2', 'k3', 'k4', 'k5']);
    expect([...vectors.keys()].toSorted()).toEqual(['k2', 'k5']);
  });

  it('are none when a bit of them has changed', async () => {
    await ownOf().keep(vectorsOf(1, 2), [], monday);
    await place.run(`UPDATE encoded_passage SET vector = ${damaged} WHERE key = 'k1'`);
    expect([...(await ownOf().read(['k1', 'k2'])).vectors.keys()]).toEqual(['k2']);
    // One that stands under another key is none either.
    await place.run("UPDATE encoded_passage SET key = 'k3' WHERE key = 'k2'");
    expect((await ownOf().read(['k2', 'k3'])).vectors.size).toBe(0);
  });

  it('go with a session, whose messages may have brought files', async () => {
    await place.tenant.sessions.create({ id: 's', createdAt: new Date().toISOString() });
    await ownOf().keep(vectorsOf(1), [], monday);
    await place.tenant.sessions.delete('s');
    const noted = await place.erasures.noted('default');
    if (!noted) throw new Error('The deletion was not noted.');
    await place.erasures.sweep(noted, () => undefined);
    expect((await ownOf().read(['k1'])).vectors.size).toBe(0);
  });

  it('go with what was deleted, those of this tenant alone, and are not kept while requests may have read it', async () => {
    const write = createWrite('The reservoir holds water.', { id: 'd' });
    await place.tenant.commit([{ kind: 'put-document', write }]);
    await ownOf().keep(vectorsOf(1), [], monday);
    await ownOf('other').keep(vectorsOf(1), [], monday);
    await place.tenant.commit([{ kind: 'delete-document', id: 'd' }]);
    const noted = await place.erasures.noted('default');
    if (!noted) throw new Error('The deletion was not noted.');
    await place.erasures.sweep(noted, () => undefined);
    await ownOf().keep(vectorsOf(2), [], monday);
    expect((await ownOf().read(['k1', 'k2'])).vectors.size).toBe(0);
    expect((await ownOf('other').read(['k1'])).vectors.size).toBe(1);
  });
}
