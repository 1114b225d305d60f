// Claims in other words put to a judge: a faithful one shows what people would agree to, and the worst one shows nothing that a rule
// contradicts. The order of the stream holds, and nothing is taken back (faultsOf).
import { describe, expect, it } from 'vitest';
import type { UndecidedClaim } from '../../../src/answer/claims/draft.ts';
import { createAdmission } from '../../../src/answer/judge/admission.ts';
import type { Judge, JudgeVerdict } from '../../../src/answer/judge/judge.ts';
import { createModelJudge } from '../../../src/answer/judge/model-judge.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import { nothingSpent } from '../../../src/models/role-question.ts';
import { seededRandom } from '../../../testkit/models/hostile-gallery.ts';
import { callContext } from '../../../testkit/request-context.ts';
import { faultsOf, modelText, runModelTurn } from '../model-turn.ts';
import { paraphrases } from '../paraphrases.ts';

const truths = new Set(paraphrases.map(({ claim }) => claim));
const asked: string[][] = [];
const judgeOf = (say: (claim: string) => JudgeVerdict): Judge => ({
  judge: async (claims) => {
    asked.push(claims.map(({ text }) => text));
    const verdicts = claims.map(({ text }) => ({ verdict: say(text), reason: 'so it reads' }));
    return { verdicts, model: 'test:judge', spent: nothingSpent };
  },
});
const faithful = judgeOf((claim) => (truths.has(claim) ? 'supported' : 'unsupported'));
const obedient = judgeOf(() => 'supported');
const flipped = (share: number): Judge => {
  const random = seededRandom(share * 100);
  return judgeOf((claim) => (truths.has(claim) !== random() < share ? 'supported' : 'unsupported'));
};

/** Each claim in an answer of its own, over its quote alone. */
async function shownBy(judge: Judge | undefined, claims: readonly (readonly [claim: string, at: number])[]) {
  const shown: string[] = [];
  for (const [claim, at] of claims) {
    const { quote, title } = paraphrases[at] as (typeof paraphrases)[number];
    const result = await runModelTurn({
      question: `What is said of the ${title.toLowerCase()}?`,
      passages: [{ id: 'c1', documentId: 'doc-1', title, text: quote, score: 5 }],
      model: createScriptedModel([
        { reply: modelText([[claim, [1, quote]]]) },
        { reply: '{"claims": [], "insufficient": true}' },
      ]),
      ...(judge && { options: { admitting: judge } }),
    });
    expect(await faultsOf(result)).toEqual([]);
    for (const { text, kind, judgedBy, citations } of result.answer.claims) {
      if (text === claim) shown.push(text);
      if (kind === 'judged') expect(judgedBy).toBe('test:judge');
      expect(result.answer.citations[(citations[0] ?? 0) - 1]?.quote).toBe(quote);
      if (judge === undefined) expect(kind).not.toBe('judged');
    }
  }
  return shown;
}
const trueClaims = paraphrases.map(({ claim }, at) => [claim, at] as const);
const forgedClaims = paraphrases.flatMap(({ forged = [] }, at) => forged.map((claim) => [claim, at] as const));
/** What rules leave to a judge. */
const open = trueClaims.filter(([claim, at]) => {
  const { quote, title } = paraphrases[at] as (typeof paraphrases)[number];
  const { verdict, reasons } = supportOf(claim, quote, { context: title });
  return verdict === 'supported' || vetoesOf({ claim, quotes: [{ quote, title }], reasons }).vetoes.length === 0;
});

describe('claims that rules cannot decide on', () => {
  it('are shown by a faithful judge, all that no rule contradicts, and by nobody under strict', async () => {
    const strict = await shownBy(undefined, trueClaims);
    const judged = await shownBy(faithful, trueClaims);
    expect(judged.length).toBe(open.length);
    expect(judged.length).toBeGreaterThanOrEqual(0.75 * trueClaims.length);
    expect(strict.length).toBeLessThan(0.3 * trueClaims.length);
  });

  it.each([
    ['wrong once in ten', flipped(0.1)],
    ['wrong three times in ten', flipped(0.3)],
    ['obedient to whatever it reads', obedient],
  ])('and what is forbidden is nobody’s to admit, where the judge is %s', async (_, judge) => {
    const forbidden = forgedClaims.filter(([claim, at]) => {
      const { quote, title } = paraphrases[at] as (typeof paraphrases)[number];
      const { reasons } = supportOf(claim, quote, { context: title });
      return vetoesOf({ claim, quotes: [{ quote, title }], reasons }).vetoes.length > 0;
    });
    expect(forbidden.length).toBeGreaterThan(0.5 * forgedClaims.length);
    expect(await shownBy(judge, forbidden)).toEqual([]);
  });
});

const length = 'The pier of Brenna is 340 metres long.';
const closing = 'The pier is closed to lorries above 7.5 tonnes, and it carries 1,240 visitors a day.';
const passages = [
  { id: 'c1', documentId: 'doc-1', title: 'Pier of Brenna', text: length, score: 5 },
  { id: 'c2', documentId: 'doc-2', title: 'Traffic', text: closing, score: 3 },
];
const inWords = 'From end to end the pier of Brenna measures 340 metres.';

describe('an answer with claims in other words', () => {
  const run = (reply: string) => {
    const judge = createScriptedModel([{ reply }, { reply }]);
    return runModelTurn({
      question: 'How long is the pier of Brenna?',
      passages,
      model: createScriptedModel([
        {
          reply: modelText([
            [inWords, [1, length]],
            [length, [1, length]],
          ]),
        },
      ]),
      options: { admitting: createModelJudge({ model: judge }) },
    }).then((result) => ({ ...result, judge }));
  };

  it('shows them first where they stood first, marked, and what rules accept is nobody’s to judge', async () => {
    const result = await run('{"verdicts": [{"id": 1, "verdict": "supported", "reason": "the same"}]}');
    expect(await faultsOf(result)).toEqual([]);
    expect(result.answer.claims.map(({ text, kind }) => [text, kind])).toEqual([
      [inWords, 'judged'],
      [length, 'quoted'],
    ]);
    expect(result.answer.degraded).toEqual([]);
    expect(result.answer.usage.claims).toEqual({
      proposed: 2,
      shown: 2,
      quoted: 1,
      derived: 0,
      judged: 1,
      replaced: 0,
      dropped: 0,
    });
    const prompt = result.judge.requests.map(({ messages }) => messages.at(-1)?.content).join('\n');
    expect(result.judge.requests).toHaveLength(1);
    expect(prompt).toContain(inWords);
    // The claim and its quotes, and nothing of the question or of other passages.
    expect(prompt).not.toMatch(/How long|lorries/u);
  });

  it.each(['unsupported', 'unclear'])('gives way to the quote where the judge says %s', async (verdict) => {
    const result = await run(JSON.stringify({ verdicts: [{ id: 1, verdict, reason: 'no' }] }));
    expect(await faultsOf(result)).toEqual([]);
    expect(result.answer.claims.map(({ text, kind }) => [text, kind])).toEqual([[length, 'quoted']]);
    expect(result.answer.degraded).toMatchObject([{ component: 'answer-model', code: 'claims-replaced' }]);
  });

  it('gives way to the quote where the judge is silent, and says so', async () => {
    const result = await run('nonsense');
    expect(await faultsOf(result)).toEqual([]);
    expect(result.answer.claims.map(({ text, kind }) => [text, kind])).toEqual([[length, 'quoted']]);
    expect(result.answer.degraded).toMatchObject([
      { component: 'answer-model', code: 'claims-replaced' },
      { component: 'judge', detail: expect.stringContaining('One claim was worded so that rules cannot decide') },
    ]);
  });
});

it('tells a model to write in its own words only where somebody reads them, counts what became of them, and tells what gave way', async () => {
  const run = async (options: { admitting?: Judge }) => {
    const model = createScriptedModel([
      {
        reply: modelText([
          [inWords, [1, length]],
          ['It carries 1,240 visitors a day.', [2, closing]],
        ]),
      },
    ]);
    const { answer } = await runModelTurn({ question: 'How long is the pier of Brenna?', passages, model, options });
    return { answer, rules: model.requests[0]?.messages[0]?.content };
  };
  const strict = await run({});
  expect(strict.rules).toContain('Keep as close to the words of its passage');
  expect(strict.rules).not.toContain('in your own words');
  expect(strict.answer.usage.claims).toMatchObject({
    proposed: 2,
    shown: 1,
    quoted: 1,
    judged: 0,
    replaced: 1,
    dropped: 0,
  });
  expect(strict.answer.degraded).toMatchObject([{ component: 'answer-model', code: 'claims-replaced' }]);
  const judged = await run({ admitting: obedient });
  expect(judged.rules).toContain('in your own words');
  expect(judged.rules).not.toContain('Keep as close to the words of its passage');
  expect(judged.answer.usage.claims).toMatchObject({ proposed: 2, shown: 2, quoted: 1, judged: 1, replaced: 0 });
  expect(judged.answer.degraded).toEqual([]);
});

it('asks about claims of the same time in one call, and about the next ones in the next', async () => {
  asked.length = 0;
  const admission = createAdmission({ judge: obedient, context: callContext() });
  const claim = (text: string): UndecidedClaim => ({ text, support: 0.3, relevance: 1, spans: [], degree: 'unlike' });
  const first = admission.admit(claim('a'));
  const second = admission.admit(claim('b'));
  expect((await first).kept).toMatchObject({ text: 'a', kind: 'judged', judgedBy: 'test:judge' });
  await second;
  await Promise.all(['c', 'd', 'e', 'f', 'g', 'h', 'i'].map((text) => admission.admit(claim(text))));
  expect(asked).toEqual([['a', 'b'], ['c', 'd', 'e', 'f', 'g', 'h'], ['i']]);
});
