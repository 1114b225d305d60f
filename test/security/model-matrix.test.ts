// Models that break, lie, loop and attack, one after another and two in one answer, over questions, documents, budgets and times that the
// seed chooses. What must hold of each answer is looked up in the documents here, not by the product's own verifier alone.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import { createDeadline } from '../../src/core/deadline.ts';
import { isFootnoteError } from '../../src/core/errors.ts';
import { createModelBudget } from '../../src/models/money/model-budget.ts';
import type { Passage } from '../../testkit/evidence-of.ts';
import { forgeTexts } from '../../testkit/forge/forge-texts.ts';
import { type HostileBehaviour, hostileBehaviours, seededRandom } from '../../testkit/models/hostile-gallery.ts';
import { faultsOf, modelText, runModelTurn } from '../answer/model-turn.ts';
import { openHostileModel } from './hostile-model.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const seeds = Array.from({ length: isLong ? 200 : 40 }, (_, at) => at + 1);
const sentences = forgeTexts.filter(({ language }) => language === 'en').flatMap((text) => text.sentences);

interface Draw {
  readonly question: string;
  readonly passages: readonly Passage[];
  readonly honest: string;
  readonly behaviours: readonly HostileBehaviour[];
  readonly timeoutMs: number;
  readonly contextTokens: number;
  readonly limits: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number;
  };
}

/** Answers honestly: what mixtures begin with. */
const honestly: HostileBehaviour = {
  name: 'honest',
  what: 'answers',
  isHonest: true,
  reply: ({ honest }) => ({ text: honest }),
};

function draw(behaviour: HostileBehaviour, seed: number, random: () => number): Draw {
  const below = (end: number): number => Math.floor(random() * end);
  const passages = Array.from({ length: 1 + below(5) }, (_, at): Passage => {
    const from = below(sentences.length - 6);
    const text = sentences.slice(from, from + 2 + below(4)).join(random() < 0.2 ? '\n\n' : ' ');
    return {
      id: `c${at + 1}`,
      documentId: `doc-${at + 1}`,
      title: `Notes ${at + 1}`,
      text,
      score: 6 - at,
      start: below(900),
    };
  });
  const told = passages.slice(0, 2).map(({ text }, at) => {
    const sentence = sentences.find((one) => text.startsWith(one)) ?? text;
    return { id: at + 1, sentence };
  });
  const other = hostileBehaviours[below(hostileBehaviours.length)] as HostileBehaviour;
  const mixtures = [
    [behaviour],
    [behaviour, other],
    [other, behaviour],
    [honestly, behaviour],
    [behaviour, behaviour, honestly],
  ];
  const behaviours = mixtures[seed % mixtures.length] ?? [behaviour];
  const isEndless = behaviours.some((one) => one.isEndless);
  return {
    question: told[0]?.sentence.replace(/[.]$/u, '?') ?? 'What?',
    passages,
    honest: modelText(told.map(({ id, sentence }) => [sentence, [id, sentence]])),
    behaviours,
    timeoutMs: isEndless ? 150 + below(250) : 60_000,
    contextTokens: [300, 800, 2_000, 8_000][below(4)] ?? 2_000,
    limits: {
      calls: 1 + below(12),
      inputTokens: [1_500, 10_000, 100_000][below(3)] ?? 10_000,
      outputTokens: [3_000, 9_000, 60_000][below(3)] ?? 9_000,
      costUsd: [0.003, 0.05, 1][below(3)] ?? 1,
    },
  };
}

/** Of each answer of a model. */
const maxOutputTokens = 2_000;

const squeezed = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Knows the passages and the answer alone. Every gallery lie differs from what is written, so what is shown must be written. */
function faultsByHand({ claims, citations, answer }: Answer, passages: readonly Passage[]): string[] {
  const faults: string[] = [];
  for (const { documentId, start, end, quote } of citations) {
    const passage = passages.find((one) => one.documentId === documentId);
    const from = start - (passage?.start ?? 0);
    if (passage?.text.slice(from, from + end - start) !== quote) faults.push(`"${quote}" is not at ${start}..${end}`);
  }
  for (const claim of claims) {
    const quotes = claim.citations.map((index) => citations[index - 1]?.quote ?? '');
    if (!quotes.some((quote) => squeezed(quote).includes(squeezed(claim.text))))
      faults.push(`"${claim.text}" is in no quote`);
  }
  if (/!\[|<[a-z!/]|\]\(\s*\S*:|evil\.test|[\u202a-\u202e\u200b\ufffd\u{e0020}-\u{e007f}]/iu.test(answer))
    faults.push(answer);
  return faults;
}

const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const tally = { runs: 0, claims: 0, honest: 0, disclosed: 0, abstained: 0, late: 0, calls: 0 };

async function run(behaviour: HostileBehaviour, seed: number): Promise<void> {
  const random = seededRandom(seed * 7919 + behaviour.name.length * 104_729);
  const drawn = draw(behaviour, seed, random);
  const { passages, behaviours, limits, timeoutMs, contextTokens, question, honest } = drawn;
  const label = `${behaviours.map(({ name }) => name).join(', ')}, seed ${seed}`;
  const budget = createModelBudget(limits, { name: 'this run' });
  const { model, calls } = openHostileModel({ behaviours, honest, random, budget });
  const startedAt = performance.now();
  tally.runs += 1;
  const ran = await runModelTurn({
    question,
    passages,
    model,
    contextTokens,
    options: { maxOutputTokens },
    deadline: createDeadline(timeoutMs),
    search: () => passages.slice(0, 2),
  }).catch((error: unknown) => error);
  // Signals are held until the event loop turns.
  await new Promise((resolve) => setImmediate(resolve));
  expect(performance.now() - startedAt, label).toBeLessThan(timeoutMs + 60_000);
  const spent = budget.spent();
  // A provider that writes on past what it was allowed is cut at a quarter more, counted by the thousand characters.
  const overrun = { calls: 0, inputTokens: 0, outputTokens: maxOutputTokens / 4 + 1_000, costUsd: 0.003 };
  for (const kind of ['calls', 'inputTokens', 'outputTokens', 'costUsd'] as const) {
    expect(spent[kind], `${kind} of ${label}`).toBeGreaterThanOrEqual(0);
    expect(spent[kind], `${kind} of ${label}`).toBeLessThanOrEqual(limits[kind] + overrun[kind]);
  }
  // Refused calls are not sent, and three rounds of a chain are three calls.
  expect(calls(), label).toBeLessThanOrEqual(limits.calls);
  tally.calls += calls();
  if (ran instanceof Error) {
    // A stream ends with `error` then: only where the time ran out before anything could be shown.
    expect(isFootnoteError(ran) && ran.code, `${label}: ${ran.stack}`).toBe('deadline-exceeded');
    expect(
      behaviours.some(({ isEndless }) => isEndless),
      label,
    ).toBe(true);
    tally.late += 1;
    return;
  }
  const result = ran as Awaited<ReturnType<typeof runModelTurn>>;
  const { answer, events } = result;
  expect(await faultsOf(result), label).toEqual([]);
  expect(faultsByHand(answer, passages), label).toEqual([]);
  expect(events.filter(({ type }) => type === 'done' || type === 'error').length, label).toBe(1);
  const { inputTokens, outputTokens, toolCalls, costUsd } = answer.usage;
  expect([inputTokens, outputTokens, toolCalls].every(isWhole), label).toBe(true);
  expect(Number.isFinite(costUsd) && costUsd >= 0, label).toBe(true);
  expect(inputTokens, label).toBeLessThanOrEqual(limits.inputTokens);
  expect(outputTokens, label).toBeLessThanOrEqual(limits.outputTokens + overrun.outputTokens);
  expect(costUsd, label).toBeLessThanOrEqual(limits.costUsd + overrun.costUsd);
  expect(toolCalls, label).toBeLessThanOrEqual(3);
  const isDisclosed = answer.degraded.some(({ component }) => component === 'answer-model' || component === 'verifier');
  const honestTexts = (JSON.parse(honest) as { claims: { text: string }[] }).claims.map(({ text }) => squeezed(text));
  const isHonest = answer.claims.length > 0 && answer.claims.every(({ text }) => honestTexts.includes(squeezed(text)));
  expect(answer.abstained || isDisclosed || isHonest, `${label}: ${answer.answer}`).toBe(true);
  if (
    behaviours.every((one) => one.isHonest && one.name !== 'usage-lies') &&
    limits.costUsd === 1 &&
    limits.inputTokens > 9_000
  )
    expect(isHonest, `${label}: ${answer.answer} ${JSON.stringify(answer.degraded)}`).toBe(true);
  tally.claims += answer.claims.length;
  if (answer.abstained) tally.abstained += 1;
  else if (isDisclosed) tally.disclosed += 1;
  else tally.honest += 1;
}

describe(`${hostileBehaviours.length} hostile behaviours × ${seeds.length} seeds`, () => {
  it('are all there that the plan names, and no name twice', () => {
    const names = hostileBehaviours.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(25);
  });

  it.each(hostileBehaviours.map((behaviour) => [behaviour.name, behaviour] as const))(
    '%s',
    { timeout: 600_000 },
    async (_, behaviour) => {
      // Those that wait for a deadline wait together.
      if (behaviour.isEndless) {
        for (let from = 0; from < seeds.length; from += 8)
          await Promise.all(seeds.slice(from, from + 8).map((seed) => run(behaviour, seed)));
      } else for (const seed of seeds) await run(behaviour, seed);
    },
  );

  it('left a figure', () => {
    console.log(
      `${tally.runs} runs, ${tally.calls} calls of models: ${tally.honest} honest answers, ${tally.disclosed} degraded and disclosed, ` +
        `${tally.abstained} abstained, ${tally.late} out of time, ${tally.claims} claims, 0 unverified`,
    );
    expect(tally.runs).toBe(hostileBehaviours.length * seeds.length);
    expect(tally.honest).toBeGreaterThan(tally.runs / 20);
    expect(tally.disclosed).toBeGreaterThan(tally.runs / 4);
    expect(tally.late).toBeLessThan(tally.runs / 10);
  });
});

describe('the check by hand', () => {
  const text = readFileSync(import.meta.filename, 'utf8').slice(0, 60);
  const passage: Passage = { id: 'c1', documentId: 'doc-1', text };
  const right = {
    claims: [{ text, citations: [1], support: 1 }],
    citations: [{ documentId: 'doc-1', start: 0, end: 60, quote: text }],
  };
  const faults = (change: object): string[] =>
    faultsByHand({ answer: 'x', ...right, ...change } as unknown as Answer, [passage]);

  it('sees a wrong place, a wrong claim and markup', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ citations: [{ ...right.citations[0], start: 1, end: 61 }] })).toHaveLength(1);
    expect(faults({ claims: [{ text: `${text} not`, citations: [1], support: 1 }] })).toHaveLength(1);
    expect(faults({ answer: '![x](https://a.test)' })).toHaveLength(1);
  });
});
