// The three kinds of support: what a claim says of its kind is checked again, but for a judge's word, which is recorded.
import { describe, expect, it } from 'vitest';
import { verifyAnswer, verifyDraft } from '../../src/answer/verify.ts';
import { renderAnswer as printAnswer } from '../../src/cli/render/render.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { Answer, Claim } from '../../src/core/answer.ts';
import { createScriptedModel } from '../../src/models/language/scripted-model.ts';
import { modelText, runModelTurn } from './model-turn.ts';

const length = 'The pier of Brenna is 340 metres long.';
const passages = [{ id: 'c1', documentId: 'doc-1', title: 'Pier of Brenna', text: length, score: 5 }];

async function answerOf() {
  const { answer, readSpan } = await runModelTurn({
    question: 'How long is the pier of Brenna?',
    passages,
    model: createScriptedModel([{ reply: modelText([[length, [1, length]]]) }]),
  });
  const saying = (claim: Partial<Claim>): Answer => {
    const text = claim.text ?? length;
    const [first] = answer.claims as [Claim];
    const at = text.length + 1;
    const marks = [{ start: at, end: at + '[1]'.length, citation: 1 }];
    return { ...answer, answer: `${text} [1]`, marks, claims: [{ ...first, ...claim }] };
  };
  const check = (claim: Partial<Claim>) => verifyAnswer(saying(claim), readSpan);
  return { answer, saying, check };
}

describe('the kind of a claim', () => {
  it('is quoted where the quote says it', async () => {
    const { answer, check } = await answerOf();
    expect(answer.claims.map(({ kind }) => kind)).toEqual(['quoted']);
    expect(await check({})).toMatchObject({ ok: true, claims: [{ ok: true, reasons: [] }] });
  });

  it('is checked again: what is quoted was not computed, and a computation is the one that is found', async () => {
    const { check } = await answerOf();
    expect(await check({ kind: 'derived', derivation: '300 + 40 = 340' })).toMatchObject({
      ok: false,
      claims: [{ reasons: ['kind-differs: derived is quoted'] }],
    });
    expect((await check({ derivation: '300 + 40 = 340' })).claims[0]?.reasons.join()).toContain('derivation-differs');
  });

  it('is derived where the quote states a figure in another unit, and shows the computation', async () => {
    const quote = 'The pier of Brenna is 8.05 km long.';
    const verdicts = await Promise.all(
      ['5 miles', 'about 5 miles', '6 miles', '8 km'].map(async (length) => {
        const span = { documentId: 'doc-1', chunkId: 'c1', start: 0, end: quote.length };
        const { claims } = await verifyDraft(
          {
            claims: [{ text: `The pier of Brenna is ${length} long.`, spans: [span], relevance: 1 }],
          },
          async (reference) => ({ ...reference, quote, title: 'Pier', uri: 'pier.txt', source: 'notes' }),
        );
        return claims.map(({ kind, derivation }) => [kind, derivation]);
      }),
    );
    expect(verdicts).toEqual([[['derived', '8.05 km is 5 miles']], [['derived', '8.05 km is 5 miles']], [], []]);
  });

  it('judged is reported as recorded, with the model that judged', async () => {
    const { check } = await answerOf();
    const text = 'From end to end the pier of Brenna measures 340 metres.';
    expect(await check({ text })).toMatchObject({ ok: false });
    expect(await check({ text, kind: 'judged', judgedBy: 'openai:small' })).toMatchObject({
      ok: true,
      claims: [{ ok: true, reasons: ['recorded-as-judged: by openai:small'] }],
    });
  });

  it.each([
    'From end to end the pier of Brenna measures 430 metres.',
    'From end to end the pier of Brenna does not measure 340 metres.',
    'From end to end the pier of Lenna measures 340 metres.',
    'The moon is made of cheese.',
  ])('judged holds nothing that a rule contradicts: %s', async (text) => {
    const { check } = await answerOf();
    expect(await check({ text, kind: 'judged', judgedBy: 'openai:small' })).toMatchObject({ ok: false });
  });

  it('is printed where a claim is more than its quote, and only there', async () => {
    const { saying } = await answerOf();
    const printed = (claim: Partial<Claim>): string => {
      const lines: string[] = [];
      const terminal = { line: (text = '') => lines.push(text), paint: (_: string, text: string) => text };
      printAnswer(terminal as unknown as Terminal, saying(claim), () => 'pier.txt');
      return lines.join('\n');
    };
    expect(printed({})).not.toMatch(/judged|computed/u);
    expect(printed({ kind: 'judged', judgedBy: 'openai:small' })).toContain(
      `“${length}” [1] is judged to follow from its quotes by openai:small; no rule checks that.`,
    );
    expect(printed({ kind: 'derived', derivation: '300 + 40 = 340' })).toContain(
      'computed from its quotes: 300 + 40 = 340.',
    );
    // What nothing confirms stands right above the words that it may misread.
    expect(printed({ kind: 'reworded', text: 'It is a long pier.', confirmed: false })).toContain(
      `In the model's words, not confirmed: It is a long pier.\n    [1] “${length}”`,
    );
  });
});
