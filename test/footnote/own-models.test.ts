// Models of one's own in the place of configured ones: what an application that embeds Footnote gives, or a test of it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { answerOf, createScriptedModel } from '../../src/testing/index.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-own-models-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const sentence = 'The lighthouse is 51 metres tall.';

describe('models given to openFootnote', () => {
  it('write the answers, whatever keys the environment has', async () => {
    const model = createScriptedModel([
      { expect: 'lighthouse', reply: answerOf([{ text: sentence, quote: sentence }]) },
    ]);
    const config = loadConfig({ folder, environment: { OPENAI_API_KEY: 'sk-never-used' } });
    const opened = await openFootnote(config, { models: { of: () => undefined, answering: () => model } });
    try {
      const footnote = opened.forScope(localScope());
      await footnote.documents.add({
        text: 'The lighthouse is 51 metres tall. It was built in 1839.',
        title: 'Lighthouse',
      });
      const answer = await footnote.ask({ question: 'How tall is the lighthouse?' });
      expect(answer.answer).toContain('51 metres');
      expect(answer.usage.inputTokens).toBeGreaterThan(0);
      model.assertFinished();
    } finally {
      await opened.close();
    }
  });

  it('keep the budgets of requests, and their calls are in the usage', async () => {
    const model = createScriptedModel([
      { expect: 'lighthouse', reply: answerOf([{ text: sentence, quote: sentence }]) },
    ]);
    const config = loadConfig({ folder, environment: { BUDGET_DAY: 'calls 1' } });
    const opened = await openFootnote(config, { models: { of: () => undefined, answering: () => model } });
    try {
      const footnote = opened.forScope(localScope());
      await footnote.documents.add({ text: `${sentence} It was built in 1839.`, title: 'Lighthouse' });
      const first = await footnote.ask({ question: 'How tall is the lighthouse?' });
      const { total } = await footnote.usage();
      expect(total).toMatchObject({ calls: 1, unpricedCalls: 1, inputTokens: first.usage.inputTokens });
      const second = await footnote.ask({ question: 'How tall is the lighthouse?' });
      expect(second.answer).toContain('51 metres');
      expect(second.degraded).toContainEqual(expect.objectContaining({ code: 'quota-exceeded' }));
      model.assertFinished();
    } finally {
      await opened.close();
    }
  });
});
