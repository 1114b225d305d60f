// What evaluations drive is the settled product: the first search finds every chunk by meaning, in a model of this corpus.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openEvaluatedSystem } from '../../src/footnote/evaluated-system.ts';
import { documentOf } from '../ingest/embedder-place.ts';

describe('the evaluated system', () => {
  it('is settled before the first search after each ingestion', async () => {
    const system = await openEvaluatedSystem(loadConfig({ environment: {} }));
    try {
      async function* documents(from: number, to: number) {
        for (let at = from; at < to; at++) {
          const { document, text } = documentOf(at);
          yield { id: document.id, title: document.title, text };
        }
      }
      const spaces: (string | undefined)[] = [];
      for (const [from, to] of [
        [0, 60],
        [60, 61],
      ] as const) {
        await system.ingest(documents(from, to));
        const found = await system.search('otter stream', { mode: 'vector', limit: 5 });
        expect(found.map(({ documentId }) => Number(documentId.slice(1)) % 5)).toEqual([0, 0, 0, 0, 0]);
        const [store] = await system.footnote.stores.list();
        expect(store?.vectors).toMatchObject({ state: 'ready', chunks: to, embedded: to });
        spaces.push(store?.vectors?.model);
      }
      // One more document is another corpus.
      expect(spaces[0]).not.toBe(spaces[1]);
    } finally {
      await system.close();
    }
  });
});
