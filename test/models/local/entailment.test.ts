// A tiny model of natural language inference that can be computed by hand, behind the port of language models, and the judge that asks it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createChanceJudge } from '../../../src/answer/judge/chance-judge.ts';
import { createDeadline } from '../../../src/core/deadline.ts';
import { openEntailment, readEntailmentFolder } from '../../../src/models/local/entailment.ts';
import { callContext } from '../../../testkit/request-context.ts';
import { hasLocalRuntime } from '../local-runtime.ts';
import { computeTiny, tinyRerankerFiles, tinyTokens, tinyWindow, writeTinyModel } from '../local-tiny-model.ts';

const labels = { 0: 'contradiction', 1: 'ENTAILMENT', 2: 'neutral' };
const [passage, statement] = ['the river flows', 'river flows to sea'];
const choices = ['entailment', 'contradiction'];
let folder: string;
let written = 0;
const opened: { close(): Promise<void> }[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote local judges '));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(config: Record<string, unknown> = {}, width = 3): string {
  const name = `judge-${++written}`;
  writeTinyModel(join(folder, name), { gives: 'logits', width }, tinyRerankerFiles(1, { id2label: labels, ...config }));
  return name;
}
function open(name: string) {
  const model = openEntailment(name, { folder });
  opened.push(model);
  return model;
}
const call = () => ({ deadline: createDeadline(60_000) });
const asking = (premise: string, hypothesis: string) => ({
  messages: [
    { role: 'user' as const, content: premise },
    { role: 'assistant' as const, content: hypothesis },
  ],
  choices,
  maxOutputTokens: 1,
});

/** By hand: `[CLS] passage [SEP] statement [SEP]`, and what the classes have of all that the logits weigh. */
function chancesByHand(premise: string, hypothesis: string): number[] {
  const first = tinyTokens(premise);
  const [, ...second] = tinyTokens(hypothesis);
  const rows = computeTiny([...first, ...second], { width: 3 }, first.length);
  const weights = [0, 1, 2].map((at) => Math.exp(rows.reduce((sum, row) => sum + (row[at] ?? 0), 0)));
  return weights.map((weight) => weight / weights.reduce((sum, one) => sum + one, 0));
}

describe('a folder of a judge', () => {
  it('says what its classes mean', async () => {
    expect(await readEntailmentFolder(folder, write())).toMatchObject({
      labels: ['contradiction', 'entailment', 'neutral'],
      hasTypes: true,
      windowTokens: tinyWindow,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a cross-encoder', { id2label: { 0: 'LABEL_0' } }],
    ['a classifier', { id2label: { 0: 'joy', 1: 'anger', 2: 'fear' } }],
    ['a model that names a class twice', { id2label: { 0: 'entailment', 1: 'entailment' } }],
  ])('is refused where it is %s', async (_, config) => {
    await expect(open(write(config)).generate(asking(passage, statement), call())).rejects.toMatchObject({
      code: 'config-invalid',
      details: { fault: 'not-judge' },
    });
  });

  it('says what to set where there is none', async () => {
    await expect(open('nowhere').generate(asking('a', 'b'), call())).rejects.toThrow(/MODEL_JUDGE/u);
    await expect(open('../x').generate(asking('a', 'b'), call())).rejects.toThrow('onnx:NAME');
  });
});

describe.skipIf(!hasLocalRuntime())('a judge in a local folder', () => {
  it('gives the chances that the same model has by hand, of each pair', async () => {
    const model = open(write());
    for (const [premise, hypothesis] of [
      [passage, statement],
      ['a bank lends money', 'money flows'],
    ] as const) {
      const { text, model: served, costUsd } = await model.generate(asking(premise, hypothesis), call());
      const [contradiction = 0, entailment = 0, neutral = 0] = chancesByHand(premise, hypothesis);
      const said = JSON.parse(text) as Record<string, number>;
      expect(Object.keys(said)).toEqual(['contradiction', 'entailment', 'neutral']);
      expect(said['contradiction']).toBeCloseTo(contradiction, 2);
      expect(said['entailment']).toBeCloseTo(entailment, 2);
      expect(said['neutral']).toBeCloseTo(neutral, 2);
      expect([served, costUsd]).toEqual([`onnx:${model.id}`, 0]);
    }
    expect(chancesByHand(passage, statement)[1]).not.toBeCloseTo(
      chancesByHand('a bank lends money', 'money flows')[1] ?? 0,
      2,
    );
  });

  it('writes nothing, and stops where it is told to', async () => {
    const model = open(write());
    await expect(
      model.generate({ messages: [{ role: 'user', content: 'Hello.' }], maxOutputTokens: 9 }, call()),
    ).rejects.toMatchObject({ code: 'config-invalid', message: expect.stringContaining('writes nothing') });
    const gone = { deadline: createDeadline(60_000), signal: AbortSignal.abort(new Error('left')) };
    await expect(model.generate(asking(passage, statement), gone)).rejects.toThrow();
  });

  it('is refused where its graph has other classes than its config.json', async () => {
    await expect(open(write({}, 2)).generate(asking(passage, statement), call())).rejects.toMatchObject({
      details: { fault: 'not-reranker' },
      message: expect.stringContaining('not 3 logits'),
    });
  });

  it('is read anew where its files have changed', async () => {
    const name = write();
    const model = open(name);
    writeFileSync(join(folder, name, 'config.json'), '{');
    await expect(model.generate(asking(passage, statement), call())).rejects.toMatchObject({ code: 'config-invalid' });
    writeTinyModel(join(folder, name), { gives: 'logits', width: 3 }, tinyRerankerFiles(1, { id2label: labels }));
    expect((await model.generate(asking(passage, statement), call())).text).toContain('entailment');
  });

  it('has a word on claims', async () => {
    const claim = { text: statement, quotes: [{ title: '', before: '', quote: passage, after: '' }] };
    const { verdicts, model } = await createChanceJudge({ model: open(write()) }).judge([claim], {
      ...callContext(),
      shareMs: 60_000,
    });
    const [, entailment = 0] = chancesByHand(passage, statement);
    expect(verdicts).toMatchObject([{ reason: expect.stringContaining(`entailment ${entailment.toFixed(2)}`) }]);
    expect(model).toMatch(/^onnx:judge-/u);
  });
});
