import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import type { RequestBudget } from '../../../src/core/budget.ts';
import { openLanguageModels } from '../../../src/footnote/roles/language-models.ts';
import { openModelSteps } from '../../../src/footnote/roles/model-steps.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import { createModelBudget } from '../../../src/models/money/model-budget.ts';
import { modelText, runModelTurn } from '../../answer/model-turn.ts';
import { hasLocalRuntime } from '../../models/local-runtime.ts';
import { tinyRerankerFiles, writeTinyModel } from '../../models/local-tiny-model.ts';

it('shows as many passages to whoever writes of chats as to whoever answers', async () => {
  const passages = Array.from({ length: 6 }, (_, at) => ({
    id: `c${at}`,
    documentId: `doc-${at}`,
    title: `Pump ${at}`,
    text: `The pump P-${at} runs at ${at + 40} bar. ${`Keeper ${at} of pump ${at} wrote the pressure of day ${at} down. `.repeat(14)}`,
    score: 9 - at,
  }));
  const shown = async (prompts: 'chats' | 'answers', tokens: string): Promise<number> => {
    const model = createScriptedModel([{ reply: 'NOT FOUND' }]);
    const environment = { ANSWER_FORM: 'prose', ANSWER_PROSE_TOKENS: tokens };
    const steps = await openModelSteps(loadConfig({ environment, folder: tmpdir() }), {
      models: { of: (role) => (role === 'chat' ? model : undefined), answering: () => model },
    });
    const budget = createModelBudget({}, { name: 'this request' }) as RequestBudget;
    const composer =
      prompts === 'chats'
        ? steps.chatModelFor(budget)?.composerFor((text) => text)
        : steps.composerFor('factual_lookup', budget, true);
    await runModelTurn({ question: 'At what pressure do the pumps run?', passages, model, composer });
    await steps.close();
    return model.requests[0]?.messages[1]?.content.match(/^\[\d\] /gmu)?.length ?? 0;
  };
  const few = await shown('answers', '400');
  const many = await shown('answers', '2000');
  expect(many).toBeGreaterThan(few);
  expect([await shown('chats', '400'), await shown('chats', '2000')]).toEqual([few, many]);
});

const pump = 'The pump P-7 runs at 40 bar. Its filter is changed every 300 hours. Ann Lee is responsible for it.';
const inOwnWords = 'The operating pressure of pump P-7 is 40 bar.';

it.each([
  ['where its chance was measured', 0.87, {}, 'judged'],
  ['not before', undefined, {}, 'reworded'],
  ['not where nobody shall', 0.87, { MODEL_JUDGE: 'none' }, 'reworded'],
  ['not where only rules count', 0.87, { CLAIM_POLICY: 'strict' }, undefined],
] as const)('has a writer of this machine judge what it wrote %s', async (_, leastYes, environment, kind) => {
  const replies = [{ reply: `${inOwnWords} [1]` }, { reply: '{"Yes":0.9,"No":0.1}' }];
  const plain = createScriptedModel(replies, { provider: 'gguf' });
  const model = { ...plain, ...(leastYes !== undefined && { leastYes }) };
  const steps = await openModelSteps(loadConfig({ environment, folder: tmpdir() }), {
    models: { of: () => undefined, answering: () => model },
  });
  const { answer } = await runModelTurn({
    question: 'At what pressure does the pump P-7 run?',
    passages: [{ id: 'c1', documentId: 'doc-1', title: 'Pump P-7', text: pump, score: 5 }],
    model,
    composer: steps.composerFor('factual_lookup', createModelBudget({}, { name: 'this request' }) as RequestBudget),
  });
  await steps.close();
  expect(answer.claims.find(({ text }) => text === inOwnWords)?.kind).toBe(kind);
  expect(plain.requests).toHaveLength(kind === 'judged' ? 2 : 1);
});

it.each([
  [
    'for verdicts, where its chance was not measured',
    undefined,
    '{"verdicts":[{"id":1,"verdict":"supported","reason":"said"}]}',
  ],
  ['for a chance, where that was measured', 0.87, '{"Yes":0.9,"No":0.1}'],
] as const)('asks a writer of this machine in the role of the judge %s', async (_, leastYes, reply) => {
  const judge = createScriptedModel([{ reply }], { provider: 'gguf' });
  const judging = { ...judge, ...(leastYes !== undefined && { leastYes }) };
  const model = createScriptedModel([{ reply: modelText([[inOwnWords, [1, 'The pump P-7 runs at 40 bar.']]]) }]);
  const steps = await openModelSteps(loadConfig({ environment: {}, folder: tmpdir() }), {
    models: { of: (role) => (role === 'judge' ? judging : undefined), answering: () => model },
  });
  const { answer } = await runModelTurn({
    question: 'At what pressure does the pump P-7 run?',
    passages: [{ id: 'c1', documentId: 'doc-1', title: 'Pump P-7', text: pump, score: 5 }],
    model,
    composer: steps.composerFor('factual_lookup', createModelBudget({}, { name: 'this request' }) as RequestBudget),
  });
  await steps.close();
  expect(answer.claims).toMatchObject([{ text: inOwnWords, kind: 'judged' }]);
  expect(judge.requests.map(({ choices }) => choices)).toEqual([leastYes === undefined ? undefined : ['Yes', 'No']]);
});

// Its weights are random: what it is sure of bears one label or the other.
it.skipIf(!hasLocalRuntime()).each([
  ['neutral', ['The pump P-7 runs at 40 bar.']],
  ['contradiction', []],
])('asks a judge of a local folder about each claim, and nothing else of it: %s', async (label, shown) => {
  const folder = await mkdtemp(join(tmpdir(), 'judges-'));
  const labels = [label, 'entailment', ...['neutral', 'contradiction'].filter((one) => one !== label)];
  const id2label = Object.fromEntries(labels.entries());
  writeTinyModel(join(folder, 'nli'), { gives: 'logits', width: 3 }, tinyRerankerFiles(1, { id2label }));
  const writer = createScriptedModel([
    { reply: modelText([['The pump P-7 runs at 40 bar.', [1, 'The pump P-7 runs at 40 bar.']]]) },
    { reply: '{"claims": [], "insufficient": true}' },
  ]);
  const environment = { MODEL_JUDGE: 'onnx:nli', MODELS_FOLDER: folder };
  const config = loadConfig({ environment, folder: tmpdir() });
  const language = await openLanguageModels(config);
  const steps = await openModelSteps(config, {
    models: { of: (role) => (role === 'judge' ? language.models.of('judge') : undefined), answering: () => writer },
  });
  const budget = createModelBudget({}, { name: 'this request' }) as RequestBudget;
  const { answer, events } = await runModelTurn({
    question: 'At what pressure does the pump P-7 run?',
    passages: [{ id: 'c1', documentId: 'doc-1', title: 'Pump P-7', text: pump, score: 5 }],
    model: writer,
    composer: steps.composerFor('factual_lookup', budget),
  });
  const ports = events.flatMap((event) => (event.type === 'call' ? [[event.call.port, event.call.method]] : []));
  expect(ports).toContainEqual(['answer.judge', 'judge-pair@1']);
  expect(answer.claims.map(({ text }) => text)).toEqual(shown);
  expect(answer.degraded.map(({ component }) => component)).not.toContain('judge');
  expect(steps.conflictJudgeFor(budget)).toBeUndefined();
  await Promise.all([steps.close(), language.close()]);
  await rm(folder, { recursive: true });
});
