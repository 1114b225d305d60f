import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { calibratedModel } from '../../../src/models/embedding/calibrated-model.ts';
import type { GenerateRequest, StreamPart } from '../../../src/models/language/generation.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { createScriptedModel, type ScriptedStep } from '../../../src/models/language/scripted-model.ts';

const request: GenerateRequest = { messages: [{ role: 'user', content: 'How long?' }], maxOutputTokens: 10 };
const within = { deadline: createDeadline(600_000) };
const reporting = (inputTokens: number, isEstimated = false): ScriptedStep => ({
  reply: { text: '340 m', usage: { inputTokens, isEstimated } },
});
const thousand = (): number => 1_000;

describe('a calibrated model', () => {
  it('takes a larger ratio at once, gives it up slowly, and never counts less', async () => {
    const steps = [reporting(1_500), ...Array.from({ length: 30 }, () => reporting(500))];
    const model = calibratedModel(createScriptedModel(steps), thousand);
    expect(model.calibration.ratio()).toBe(1);
    await model.generate(request, within);
    expect(model.calibration.ratio()).toBe(1.5);
    await model.generate(request, within);
    expect(model.calibration.ratio()).toBeCloseTo(1.45);
    for (let call = 0; call < 29; call += 1) await model.generate(request, within);
    expect(model.calibration.ratio()).toBeGreaterThanOrEqual(1);
    expect(model.calibration.ratio()).toBeLessThan(1.03);
  });

  it('believes no nonsense, no estimate, no short prompt and no other model', async () => {
    const flood = calibratedModel(createScriptedModel([reporting(99_000_000)]), thousand);
    await flood.generate(request, within);
    expect(flood.calibration.ratio()).toBe(4);
    const estimate = calibratedModel(createScriptedModel([reporting(3_000, true)]), thousand);
    await estimate.generate(request, within);
    expect(estimate.calibration.ratio()).toBe(1);
    const short = calibratedModel(createScriptedModel([reporting(150)]), () => 20);
    await short.generate(request, within);
    expect(short.calibration.ratio()).toBe(1);
    const served = createScriptedModel([reporting(3_000)]);
    const other: LanguageModel = { ...served, id: 'first-of-a-list' };
    const chained = calibratedModel(other, thousand);
    await chained.generate(request, within);
    expect(chained.calibration.ratio()).toBe(1);
  });

  it('passes streams through and remembers for the next wrapping', async () => {
    const plain = createScriptedModel([reporting(2_000)]);
    const parts: StreamPart[] = [];
    for await (const part of calibratedModel(plain, thousand).stream(request, within)) parts.push(part);
    expect(parts.map((part) => (part.type === 'delta' ? part.text : '')).join('')).toBe('340 m');
    expect(parts.at(-1)).toMatchObject({ type: 'end', result: { usage: { inputTokens: 2_000 } } });
    expect(calibratedModel(plain, thousand).calibration.ratio()).toBe(2);
    expect(calibratedModel(createScriptedModel([]), thousand).calibration.ratio()).toBe(1);
  });

  it('remembers the smallest window that a refusal named, and throws as the model does', async () => {
    const tooLarge = (details: Record<string, unknown>): ScriptedStep => ({
      reply: { error: new FootnoteError('too-large', 'Too long.', { details }) },
    });
    const steps = [
      tooLarge({ limitTokens: 8_192, askedTokens: 9_000 }),
      tooLarge({ limitTokens: 16_384, askedTokens: 17_000 }),
      tooLarge({}),
    ];
    const { calibration, ...model } = calibratedModel(createScriptedModel(steps), thousand);
    await expect(model.generate(request, within)).rejects.toMatchObject({ code: 'too-large' });
    expect(calibration.lastRefusal()).toEqual({ limitTokens: 8_192, askedTokens: 9_000 });
    await expect(
      (async () => {
        for await (const _ of model.stream(request, within));
      })(),
    ).rejects.toMatchObject({ code: 'too-large' });
    expect(calibration.toldTokens()).toBe(8_192);
    await expect(model.generate(request, within)).rejects.toMatchObject({ code: 'too-large' });
    expect(calibration.lastRefusal()).toBeUndefined();
    expect(calibration.toldTokens()).toBe(8_192);
  });
});
