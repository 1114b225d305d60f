// Runs the checks of the store port against an adapter, then against the same adapter broken in known ways: a check that
// passes on a broken store proves nothing.
import { afterEach, describe, expect, it } from 'vitest';
import { brokenStores, isFor, storeChecks } from '../../src/stores/conformance/conformance.ts';
import type { OpenHarness, StoreHarness } from '../../src/stores/conformance/harness.ts';

export function describeStore(name: string, open: OpenHarness): void {
  describe(`store ${name}`, () => {
    let harness: StoreHarness | undefined;
    afterEach(async () => {
      await harness?.close();
      harness = undefined;
    });

    for (const check of storeChecks) {
      it(check.name, async (test) => {
        harness = await open();
        if (!isFor(check, harness)) test.skip(`The store lacks what this needs: ${check.needs}.`);
        await check.run(harness);
      });
    }

    for (const broken of brokenStores) {
      it(`a store that ${broken.name} fails`, async (test) => {
        const sound = await open();
        harness = sound;
        const check = storeChecks.find((one) => broken.seenBy.test(one.name));
        expect(check).toBeDefined();
        if (check && !isFor(check, sound)) test.skip(`The store lacks what this needs: ${check.needs}.`);
        const spoiled = {
          ...sound,
          store: (scope) => broken.breakStore(sound.store(scope), sound, scope),
        } as StoreHarness;
        await expect(check?.run(spoiled)).rejects.toThrow();
      });
    }
  });
}
