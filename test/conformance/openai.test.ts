// OpenAI's vector stores against the promises of the store port, on a stand-in that is checked against the vendor's specification.
import { expect } from 'vitest';
import type { OpenHarness } from '../../src/stores/conformance/harness.ts';
import { openOpenaiPlace } from '../../testkit/openai/place.ts';
import { asWrite } from '../../testkit/record-fixture.ts';
import { describeStore } from './store-suite.ts';

const openOpenai =
  (indexLooks: number): OpenHarness =>
  async () => {
    const { store, put, remove, simulator, close } = await openOpenaiPlace({ indexLooks });
    return {
      store,
      async put(scope, documents) {
        for (const { error } of await put(scope, documents.map(asWrite))) if (error) throw error;
      },
      remove,
      async close() {
        await close();
        expect(simulator.violations).toEqual([]);
      },
    };
  };

describeStore('openai', openOpenai(0));
describeStore('openai that indexes slowly', openOpenai(3));
