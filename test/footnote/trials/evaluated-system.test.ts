// What evaluations drive is the settled product: the first search finds every chunk by meaning, in a model of this corpus.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { evaluateAnswers } from '../../../src/evals/answers.ts';
import { openEvaluatedSystem } from '../../../src/footnote/trials/evaluated-system.ts';
import { openFakeServer, type SeenRequest } from '../../../src/testing/fake-http.ts';
import { renderChat } from '../../../src/testing/openai-chat.ts';
import { documentOf } from '../../ingest/embedder-place.ts';

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

  it('has no entailment model score answers', async () => {
    const system = await openEvaluatedSystem(loadConfig({ environment: { MODEL_JUDGE: 'onnx:nli' } }));
    try {
      expect(system.modelJudge).toBeUndefined();
    } finally {
      await system.close();
    }
  });

  /** An evaluation of one question, and what its judge was asked. */
  async function evaluate(environment: Readonly<Record<string, string>>) {
    const seen: SeenRequest[] = [];
    const server = await openFakeServer((request) => {
      seen.push(request);
      const isGrading = JSON.stringify(request.body).includes('You grade how well');
      const verdicts = [1, 2, 3, 4, 5].map((id) => ({ id, verdict: 'supported', reason: '' }));
      return renderChat({ text: JSON.stringify(isGrading ? { grade: 3, reason: '' } : { verdicts }) }, request);
    });
    async function* documents() {
      yield { id: 'd1', title: 'Lighthouse', text: 'The lighthouse of Cabo Frio is 43 metres tall.' };
    }
    const settings = environment['MODEL_JUDGE'] === undefined ? {} : { OPENAI_BASE_URL: `${server.address}/v1` };
    const system = await openEvaluatedSystem(loadConfig({ environment: { ...settings, ...environment } }));
    try {
      const { modelJudge } = system;
      const report = await evaluateAnswers({
        cases: [{ id: '1', question: 'How tall is the lighthouse of Cabo Frio?', answers: ['43 metres'] }],
        system,
        mode: 'embedded',
        documents: documents(),
        ...(modelJudge && { modelJudge }),
      });
      return { ...report, calls: seen.length };
    } finally {
      await system.close();
      await server.close();
    }
  }
  const judging = { MODEL_ANSWER: 'none', MODEL_JUDGE: 'compatible:qwen3:8b' };

  it('has its answers scored by the model of the judge role, where there is one', async () => {
    const plain = await evaluate({});
    expect(plain.modelJudge).toBeUndefined();
    expect(plain.calls).toBe(0);
    const judged = await evaluate(judging);
    expect(judged.modelJudge).toMatchObject({ model: 'compatible:qwen3:8b', scored: 1, failed: 0 });
    expect(judged.metrics).toMatchObject({ ...plain.metrics, relevanceByModel: { mean: 1 } });
    expect(judged.calls).toBeGreaterThanOrEqual(2);
  });

  it('asks its judge no more than a day may cost', async () => {
    const { modelJudge, calls } = await evaluate({ ...judging, BUDGET_DAY: 'calls 0' });
    expect(modelJudge).toMatchObject({ scored: 0, failed: 1 });
    expect(calls).toBe(0);
  });
});
