import { describe, expect, it } from 'vitest';
import { createDeadline, type Deadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { createScriptedModel, type ScriptedStep } from '../../../src/models/language/scripted-model.ts';
import { createModelBudget } from '../../../src/models/money/model-budget.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { faultsOf, type ModelTurn, modelText, runModelTurn } from '../model-turn.ts';

const length = 'The pier of Brenna is 340 metres long.';
const opened = 'It was opened on 3 May 1872 by the county of Harrow.';
const denied = 'The claim that the pier was built by Osric Hale is false.';
const closing = 'The pier is closed to lorries above 7.5 tonnes, and it carries 1,240 visitors a day.';
const passages = [
  { id: 'c1', documentId: 'doc-1', title: 'Pier of Brenna', text: `${length} ${opened} ${denied}`, score: 5 },
  { id: 'c2', documentId: 'doc-2', title: 'Traffic', text: closing, score: 3 },
];
const question = 'How long is the pier of Brenna?';

async function run(steps: readonly ScriptedStep[], turn: Partial<ModelTurn> = {}) {
  const model = createScriptedModel(steps);
  const result = await runModelTurn({ question, passages, model, ...turn });
  expect(await faultsOf(result)).toEqual([]);
  const verdicts = result.events.flatMap((event) => (event.type === 'verdict' ? [event] : []));
  return { ...result, model, verdicts };
}

const extractive = await runModelTurn({
  question,
  passages,
  model: createScriptedModel([{ reply: { error: new FootnoteError('upstream-unavailable', 'The model is down.') } }]),
});

describe('an answer by a model', () => {
  it('releases verified claims in order, as they are checked, and agrees with the stream byte for byte', async () => {
    const { answer, events, model, streamed } = await run([
      {
        expect: '340 metres',
        reply: modelText([
          ['The pier of Brenna is 340 m long.', [1, length]],
          ['It carries 1,240 visitors a day.', [2, closing]],
        ]),
      },
    ]);
    model.assertFinished();
    expect(answer.answer).toBe('The pier of Brenna is 340 m long. [1] It carries 1,240 visitors a day. [2]');
    expect(answer.claims).toHaveLength(2);
    expect(answer.citations.map(({ quote }) => quote)).toEqual([length, closing]);
    expect(answer.degraded).toEqual([]);
    expect(answer).toMatchObject({ abstained: false, ragEnabled: true, usage: { toolCalls: 1 } });
    expect(answer.sources.map(({ chunkId, cited }) => [chunkId, cited])).toEqual([
      ['c1', true],
      ['c2', true],
    ]);
    const order = events.flatMap(({ type }) => (['verdict', 'citation', 'delta', 'done'].includes(type) ? [type] : []));
    expect(order).toEqual(['verdict', 'citation', 'delta', 'verdict', 'citation', 'delta', 'done']);
    expect(streamed).toBe(answer.answer);
  });

  it('shows a claim before the next one is repaired', async () => {
    const seen: string[] = [];
    await run(
      [
        {
          reply: modelText([
            ['The pier of Brenna is 340 metres long.', [1, length]],
            ['It cost 9 million crowns.', [1, 'It cost 9 million crowns.']],
          ]),
        },
        { expect: '9 million crowns', reply: '{"claims": [], "insufficient": true}' },
      ],
      {
        onEvent: (event: FootnoteEvent) => void (event.type === 'delta' && seen.push('delta')),
        search: () => {
          seen.push('search');
          return [];
        },
      },
    );
    expect(seen).toEqual(['delta', 'search']);
  });

  it('never streams what the model wrote and the verifier did not keep', async () => {
    const { answer, verdicts } = await run(
      [
        {
          reply: modelText([
            ['The pier of Brenna is 430 metres long.', [1, length]],
            ['It carries 1,240 visitors a day.', [2, closing]],
          ]),
        },
        { reply: '{"claims": [], "insufficient": true}' },
      ],
      {},
    );
    expect(answer.answer).toBe('It carries 1,240 visitors a day. [1]');
    expect(answer.degraded).toMatchObject([
      { component: 'verifier', code: 'claim-dropped', detail: expect.stringMatching(/^1 claim /) },
    ]);
    expect(verdicts[0]).toMatchObject({
      kept: false,
      reasons: expect.arrayContaining([expect.stringMatching(/^number-changed/)]),
    });
  });

  it('judges a quote with the rest of its sentence', async () => {
    const { answer } = await run([
      {
        reply: modelText([
          ['The pier was built by Osric Hale.', [1, 'the pier was built by Osric Hale']],
          ['The pier of Brenna is 340 metres long.', [1, length]],
        ]),
      },
      { reply: '{"claims": [], "insufficient": true}' },
    ]);
    expect(answer.answer).toBe('The pier of Brenna is 340 metres long. [1]');
  });

  it('corrects a wrong passage number and notes it in the trace', async () => {
    const { answer, verdicts } = await run([
      { reply: modelText([['The pier of Brenna is 340 metres long.', [2, length]]]) },
    ]);
    expect(answer.citations[0]).toMatchObject({ chunkId: 'c1', quote: length });
    expect(verdicts).toMatchObject([{ kept: true, reasons: ['quote-in-other-block: 2 → 1'] }]);
  });

  it('shows the quote where a claim merely paraphrases it, and says so in the trace', async () => {
    const { answer, verdicts, model } = await run([
      { reply: modelText([['From end to end the pier of Brenna stretches 340 metres into the sea.', [1, length]]]) },
    ]);
    model.assertFinished();
    expect(answer.answer).toBe(`${length} [1]`);
    expect(verdicts[0]).toMatchObject({ kept: true, claim: length });
    expect(verdicts[0]?.reasons.join()).toContain('shown-as-quoted: instead of "From end to end');
  });

  it('takes a claim of two sentences apart, and says nothing twice', async () => {
    const { answer } = await run([
      {
        reply: modelText([
          [`${length} It is closed to lorries above 7.5 tonnes.`, [1, length], [2, closing]],
          [length, [1, length]],
        ]),
      },
    ]);
    expect(answer.claims.map(({ text }) => text)).toEqual([length, 'It is closed to lorries above 7.5 tonnes.']);
  });

  it('answers with as many claims as were asked for, in one sentence each', async () => {
    const four = modelText([
      [length, [1, length]],
      [opened, [1, opened]],
      [closing, [2, closing]],
      [denied, [1, denied]],
    ]);
    const { answer, verdicts } = await run([{ reply: four }]);
    expect(answer.claims).toHaveLength(3);
    expect(answer.degraded).toEqual([]);
    expect(verdicts.at(-1)).toMatchObject({
      claim: denied,
      kept: false,
      reasons: ['more-than-asked: 3 claims at most'],
    });
    const wordy = `The pier of Brenna is 340 metres long${' and it is long'.repeat(20)}.`;
    const long = await run([{ reply: modelText([[wordy, [1, length]]]) }]);
    expect(long.verdicts[0]?.reasons).toEqual([expect.stringMatching(/^claim-too-long/)]);
  });
});

describe('a model that writes on', () => {
  /** Writes in pieces, and tells the test how far it is. */
  const slow = (
    pieces: readonly string[],
    written: string[],
    options: { readonly isCut?: boolean } = {},
  ): LanguageModel => ({
    ...createScriptedModel([]),
    async *stream() {
      for (const text of pieces) {
        written.push(text);
        yield { type: 'delta', text };
        // Lets whoever reads work on what came so far.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const usage = { inputTokens: 10, outputTokens: 10, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: false };
      const result = {
        text: pieces.join(''),
        finish: options.isCut ? ('length' as const) : ('stop' as const),
        usage,
        model: 'a:b',
        attempts: [],
      };
      yield { type: 'end', result };
    },
  });
  const claim = (text: string, quote: string, id: number): string => JSON.stringify({ text, quotes: [{ id, quote }] });
  const many = (count: number): string[] => Array.from({ length: count }, () => ' ');

  it('is read claim by claim: the first is shown while it still writes', async () => {
    const written: string[] = [];
    let writtenAtFirst = -1;
    const pieces = [
      '{"claims": [',
      claim(length, length, 1),
      ...many(50),
      ',',
      claim(closing, closing, 2),
      '], "insufficient": false}',
    ];
    const { answer } = await run([], {
      model: slow(pieces, written),
      onEvent: ({ type }) => {
        if (type === 'delta' && writtenAtFirst < 0) writtenAtFirst = written.length;
      },
    });
    expect(answer.claims).toHaveLength(2);
    expect(writtenAtFirst).toBeGreaterThan(0);
    expect(writtenAtFirst).toBeLessThan(pieces.length - 3);
  });

  it('is ended where no more is wanted', async () => {
    const written: string[] = [];
    const flood = [length, opened, denied].map((text) => `${claim(text, text, 1)},`);
    const pieces = ['{"claims": [', ...flood, ...Array.from({ length: 2_000 }, () => `${claim(closing, closing, 2)},`)];
    const { answer } = await run([], { model: slow(pieces, written) });
    expect(answer.claims).toHaveLength(3);
    expect(written.length).toBeLessThan(200);
  });

  it('keeps what was checked when it is cut, and says that it was', async () => {
    const { answer } = await run([], {
      model: slow(['{"claims": [', claim(length, length, 1), ', {"te'], [], { isCut: true }),
    });
    expect(answer.answer).toBe(`${length} [1]`);
    expect(answer.degraded).toMatchObject([
      { component: 'answer-model', code: 'model-cut', effect: expect.stringContaining('missing') },
    ]);
  });

  it('has its wrong form repaired once, and the repaired answer is served', async () => {
    const { answer, model } = await run([
      { reply: 'The pier is long.' },
      { expect: 'not one JSON value', reply: modelText([[length, [1, length]]]) },
    ]);
    model.assertFinished();
    expect(answer).toMatchObject({ answer: `${length} [1]`, degraded: [] });
  });

  it('ends with what was checked when the request runs out of time', async () => {
    let isOver = false;
    const deadline: Deadline = {
      signal: new AbortController().signal,
      remainingMs: () => (isOver ? 0 : 20_000),
      isOver: () => isOver,
      check: () => {
        if (isOver) throw new FootnoteError('deadline-exceeded', 'The time allowed for this request ran out.');
      },
    };
    const pieces = [
      '{"claims": [',
      claim(length, length, 1),
      ',',
      claim(closing, closing, 2),
      '], "insufficient": false}',
    ];
    const { answer } = await run([], {
      model: slow(pieces, []),
      deadline,
      onEvent: ({ type }) => {
        if (type === 'delta') isOver = true;
      },
    });
    expect(answer.answer).toBe(`${length} [1]`);
    expect(answer.degraded).toMatchObject([{ component: 'answer-model', code: 'deadline-exceeded' }]);
  });

  it('leaves every prompt and all that it wrote in the trace', async () => {
    const text = modelText([[length, [1, length]]]);
    const { events } = await run([{ reply: text }]);
    const calls = events.flatMap((event) =>
      event.type === 'call' && event.call.port === 'answer.model' ? [event.call] : [],
    );
    expect(calls).toMatchObject([
      {
        method: 'answer@3',
        request: { model: 'scripted:script', messages: [{ role: 'system' }, { role: 'user' }] },
        response: { text, finish: 'stop', model: 'scripted:script' },
      },
    ]);
  });
});

describe('repair', () => {
  const built = 'The pier of Brenna was built by Johann Kramer in 1871.';
  const failing = modelText([
    ['The pier of Brenna was built by Johann Kramer.', [1, 'The pier of Brenna was built by Johann Kramer.']],
  ]);
  const search = () => [{ id: 'c9', documentId: 'doc-9', title: 'Builders', text: `Much was built then. ${built}` }];

  it('searches once for the claim, asks once, checks again, and cites what it found', async () => {
    const { answer, queries, model, verdicts } = await run(
      [
        { reply: failing },
        {
          expect:
            /<claim>\n\| The pier of Brenna was built by Johann Kramer\.[\s\S]*quote-not-found[\s\S]*title="Builders"/u,
          reply: modelText([[built, [1, built]]]),
        },
      ],
      { question: 'Who built the pier of Brenna?', search },
    );
    model.assertFinished();
    expect(queries).toEqual(['Who built the pier of Brenna?', 'The pier of Brenna was built by Johann Kramer.']);
    expect(answer.answer).toBe(`${built} [1]`);
    expect(answer.citations[0]).toMatchObject({ chunkId: 'c9', quote: built });
    expect(answer.sources.find(({ chunkId }) => chunkId === 'c9')).toMatchObject({ cited: true });
    expect(answer.usage.toolCalls).toBe(2);
    expect(answer.degraded).toEqual([]);
    expect(verdicts[0]?.reasons.join()).toContain('repaired: The pier of Brenna was built by Johann Kramer.');
  });

  it('drops the claim when the second try does not hold either', async () => {
    const { answer, verdicts, model } = await run(
      [{ reply: failing }, { reply: modelText([['The pier of Brenna was not built by Johann Kramer.', [1, built]]]) }],
      { question: 'Who built the pier of Brenna?', search },
    );
    model.assertFinished();
    expect(answer.answer).not.toContain('not built by Johann');
    expect(verdicts[0]?.reasons.join()).toMatch(/after repair: negation-added/);
    expect(answer.degraded.map(({ code }) => code)).toEqual(['claims-unsupported', 'claim-dropped']);
  });

  it('repairs two claims at most', async () => {
    const wrong = [1, 2, 3].map(
      (count) =>
        [`The pier cost ${count} million crowns.`, [1, `It cost ${count} million.`]] as [
          string,
          readonly [number, string],
        ],
    );
    const nothing = '{"claims": [], "insufficient": true}';
    const { model, queries } = await run([{ reply: modelText(wrong) }, { reply: nothing }, { reply: nothing }], {
      search,
    });
    model.assertFinished();
    expect(queries).toHaveLength(3);
  });

  it('goes on without repair when the search fails, and says so', async () => {
    const { answer } = await run(
      [
        {
          reply: modelText([
            ['The pier cost 9 million crowns.', [1, 'x y z']],
            [length, [1, length]],
          ]),
        },
      ],
      {
        search: () => Promise.reject(new FootnoteError('upstream-unavailable', 'The store is down.')),
      },
    );
    expect(answer.answer).toBe(`${length} [1]`);
    expect(answer.degraded).toMatchObject([
      { component: 'answer-model', code: 'upstream-unavailable' },
      { code: 'claim-dropped' },
    ]);
  });
});

describe('without a model that helps', () => {
  it('is what is said without a model, disclosed', () => {
    expect(extractive.answer.answer).toContain('340 metres');
    expect(extractive.answer.degraded).toEqual([
      {
        component: 'answer-model',
        code: 'upstream-unavailable',
        detail: 'The model is down.',
        effect: 'Passages of the documents are shown as they stand.',
      },
    ]);
  });

  it.each<[string, ScriptedStep[], string]>([
    ['refuses', [{ reply: { text: 'No.', finish: 'refusal' } }], 'model-refused'],
    [
      'is cut twice',
      [{ reply: { text: '{"claims": [', finish: 'length' } }, { reply: { text: '{"cl', finish: 'length' } }],
      'model-cut',
    ],
    ['writes no JSON twice', [{ reply: 'Hm.' }, { reply: 'Well.' }], 'model-not-json'],
    ['writes another shape twice', [{ reply: '{"a": 1}' }, { reply: '[]' }], 'model-wrong-shape'],
    ['writes nothing twice', [{ reply: '' }, { reply: ' ' }], 'model-empty'],
    ['proposes nothing', [{ reply: '{"claims": [], "insufficient": false}' }], 'model-empty'],
    [
      'has no quota',
      [{ reply: { error: new FootnoteError('quota-exceeded', 'No money is left.') } }],
      'quota-exceeded',
    ],
    ['fails in a way that nobody foresaw', [{ reply: { error: new FootnoteError('internal', 'Oops.') } }], 'internal'],
  ])('serves passages of the documents when it %s', async (_, steps, code) => {
    const { answer, model } = await run(steps);
    model.assertFinished();
    expect(answer.answer).toBe(extractive.answer.answer);
    expect(answer.degraded[0]).toMatchObject({ component: 'answer-model', code });
  });

  it('believes a model that finds no answer, and shows what comes closest as such', async () => {
    const { answer } = await run([{ reply: '{"claims": [], "insufficient": true}' }]);
    expect(answer).toMatchObject({ abstained: true, claims: [], confidence: 0, degraded: [] });
    expect(answer.passages).toEqual(extractive.answer.passages);
    expect(answer.answer).toMatch(/^The documents do not seem to say\.[^\n]+\n\nThe closest passages:\n/u);
    expect(answer.answer).toContain(`\n${extractive.answer.passages?.[0]?.text} [1]`);
  });

  it('abstains when no claim survives, and counts what fell', async () => {
    const { answer } = await run([
      { reply: modelText([['The pier of Brenna is 430 metres long.', [1, length]]]) },
      { reply: '{"claims": [], "insufficient": true}' },
    ]);
    expect(answer).toMatchObject({ abstained: true, claims: [], confidence: 0 });
    expect(answer.passages).toEqual(extractive.answer.passages);
    expect(answer.degraded.map(({ code }) => code)).toEqual(['claims-unsupported', 'claim-dropped']);
  });

  it('keeps time for them when the model hangs, and hands its end to the model', async () => {
    let ended: unknown;
    const hang = (signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended = signal.reason;
          reject(new FootnoteError('deadline-exceeded', 'Too late.'));
        });
      });
    const hanging: LanguageModel = {
      id: 'hanging',
      provider: 'test',
      generate: (_, { deadline }) => hang(deadline.signal),
      // biome-ignore lint/correctness/useYield: it never says anything.
      async *stream(_, { deadline }) {
        await hang(deadline.signal);
      },
    };
    const result = await runModelTurn({ question, passages, model: hanging, deadline: createDeadline(3_000) });
    expect(await faultsOf(result)).toEqual([]);
    expect(ended).toBeDefined();
    expect(result.answer.answer).toBe(extractive.answer.answer);
    expect(result.answer.degraded).toMatchObject([{ component: 'answer-model', code: 'deadline-exceeded' }]);
  });

  it('ends at once when the caller goes away', async () => {
    const gone = new AbortController();
    const model = createScriptedModel([
      {
        reply: () => {
          gone.abort();
          return { error: new FootnoteError('cancelled', 'The call was cancelled.') };
        },
      },
    ]);
    const turn = runModelTurn({ question, passages, model, deadline: createDeadline(20_000, gone.signal) });
    await expect(turn).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('asks nothing where nothing was found, and nothing beyond the budget', async () => {
    const none = await run([], { passages: [] });
    expect(none.answer).toMatchObject({ abstained: true, degraded: [] });
    const budget = createModelBudget({ calls: 1 }, { name: 'this request' });
    budget.reserve({ calls: 1, inputTokens: 0, outputTokens: 0, costUsd: 0 });
    const model: LanguageModel = {
      ...createScriptedModel([]),
      // biome-ignore lint/correctness/useYield: it is stopped before it says anything.
      async *stream(_, { budget: given }) {
        given?.reserve({ calls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 });
        throw new FootnoteError('internal', 'The budget did not stop the call.');
      },
    };
    const poor = await runModelTurn({ question, passages, model, options: { budget } });
    expect(poor.answer.degraded).toMatchObject([{ component: 'answer-model', code: 'quota-exceeded' }]);
  });

  it('abstains where the model finds nothing and the evidence is poor', async () => {
    const { answer } = await run([{ reply: '{"claims": [], "insufficient": true}' }], {
      question: 'Who painted the town hall of Melk in 1903?',
    });
    expect(answer).toMatchObject({ abstained: true, claims: [], degraded: [] });
    expect(answer.abstainReason).toBeTruthy();
  });
});

describe('what the model is shown', () => {
  it('is in the trace with every passage left out and why', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      id: `m${at}`,
      text: `Pier ${at} of Brenna, ${'told at length '.repeat(20)}in volume ${at}.`,
      score: 30 - at,
    }));
    const { events } = await run([{ reply: '{"claims": [], "insufficient": true}' }], {
      passages: many,
      contextTokens: 600,
    });
    const call = events.flatMap((event) =>
      event.type === 'call' && event.call.port === 'answer.context' ? [event.call] : [],
    )[0];
    const { blocks, dropped } = (call as { response: unknown }).response as {
      blocks: { id: number; chunkId: string }[];
      dropped: { chunkId: string; reason: string }[];
    };
    expect(call?.request).toMatchObject({
      budgetTokens: 600,
      tokenizer: { name: 'o200k_base', isExact: false },
      margin: 1.4,
      prompts: ['answer@3', 'repair-claim@1'],
    });
    expect(blocks.map(({ id }) => id)).toEqual(blocks.map((_, at) => at + 1));
    expect(new Set([...blocks, ...dropped].map(({ chunkId }) => chunkId)).size).toBe(30);
    expect(dropped.some(({ reason }) => /^budget: needs \d+ tokens/u.test(reason))).toBe(true);
  });

  it('fits a model with a small window', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      id: `m${at}`,
      text: `Pier ${at} of Brenna, ${'told at length '.repeat(20)}in volume ${at}.`,
      score: 30 - at,
    }));
    const model = createScriptedModel([{ reply: '{"claims": [], "insufficient": true}' }], { contextTokens: 2_400 });
    await runModelTurn({ question, passages: many, model, contextTokens: 8_000 });
    const [asked] = model.requests;
    const tokens = (asked?.messages ?? []).reduce((sum, { content }) => sum + countTokens(content), 0);
    expect(tokens + (asked?.maxOutputTokens ?? 0)).toBeLessThanOrEqual(2_400);
    const tiny = createScriptedModel([], { contextTokens: 900 });
    const { answer } = await runModelTurn({ question, passages, model: tiny });
    expect(answer.degraded).toMatchObject([{ component: 'answer-model', code: 'too-large' }]);
  });

  it('asks for the language of question and passages, and shows the passage where it gets another', async () => {
    const satz = 'Die Brücke über den Velden ist 340 Meter lang und wurde nicht von der Stadt gebaut.';
    const german = {
      passages: [{ id: 'd1', title: 'Brücke', text: satz }],
      question: 'Wie lang ist die Brücke über den Velden?',
    };
    const { answer, model } = await run(
      [
        {
          expect: 'Write the claims in German',
          reply: modelText([['The bridge over the river Velden is very long indeed.', [1, satz]]]),
        },
      ],
      german,
    );
    model.assertFinished();
    expect(answer.answer).toBe(`${satz} [1]`);
    const other = await run(
      [{ expect: 'in the language of its passage', reply: '{"claims": [], "insufficient": true}' }],
      {
        ...german,
        question: 'How long is the bridge that was built over the river?',
      },
    );
    other.model.assertFinished();
  });
});
