import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, Citation } from '../../src/core/answer.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { Filter } from '../../src/core/search.ts';
import { evaluateAnswers, readAnswerCases, writeAnswerResults } from '../../src/evals/answers.ts';
import { containsAnswer, normaliseAnswer } from '../../src/evals/judges/matching.ts';
import type { EvaluatedDocument, EvaluatedSystem } from '../../src/evals/system.ts';

const citation = (index: number, quote: string, more: Partial<Citation> = {}): Citation => ({
  index,
  documentId: 'd1',
  chunkId: 'c1',
  title: 'Harbours',
  uri: 'lake/harbours.pdf',
  url: '',
  source: 'test',
  quote,
  start: 0,
  end: quote.length,
  score: 1,
  alsoIn: [],
  ...more,
});

function answerOf(citations: readonly Citation[], confidence = 0.85): Answer {
  return {
    id: 'ans',
    traceId: 'trc',
    mode: 'embedded',
    intent: 'factual_lookup',
    answer: citations.map((one) => `${one.quote} [${one.index}]`).join(' '),
    claims: citations.map((one) => ({ text: one.quote, citations: [one.index], support: 1 })),
    citations: [...citations],
    conflicts: [],
    sources: [],
    abstained: citations.length === 0,
    ragEnabled: true,
    confidence,
    coverage: 1,
    routing: { sources: [], reason: '' },
    degraded: [],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 1, costUsd: 0 },
    timings: { totalMs: 1 },
  };
}

function systemOf(
  answers: Readonly<Record<string, Answer | FootnoteError>>,
): EvaluatedSystem & { filters: (Filter | undefined)[]; held: string[] } {
  const filters: (Filter | undefined)[] = [];
  const held: string[] = [];
  return {
    filters,
    held,
    async ingest(documents) {
      for await (const document of documents) held.push(document.id);
      return { documents: held.length, chunks: held.length, failed: [] };
    },
    search: () => Promise.resolve([]),
    ask(question, { filter }) {
      filters.push(filter);
      const answer = answers[question];
      if (!answer) return Promise.reject(new Error(`unexpected question: ${question}`));
      return answer instanceof FootnoteError ? Promise.reject(answer) : Promise.resolve(answer);
    },
    close: () => Promise.resolve(),
  };
}

describe('evaluateAnswers', () => {
  it('judges containment, place, supporting sentences and abstention', async () => {
    const system = systemOf({
      first: answerOf([citation(1, 'It opened in 1872.', { page: 2 }), citation(2, 'The pier is long.', { page: 3 })]),
      second: answerOf(
        [citation(1, 'Something else.', { documentId: 'd2', uri: 'x', title: 'X' }), citation(2, 'The Pier, is long!')],
        0.25,
      ),
      third: answerOf([], 0.05),
      none: answerOf([]),
      invented: answerOf([citation(1, 'It opened in 1900.')]),
    });
    const documents = async function* (): AsyncGenerator<EvaluatedDocument> {
      yield {
        id: 'd1',
        title: 'Harbours',
        text: 'x',
        metadata: { sentences: ['It opened in 1872.', 'The pier is long.'] },
      };
    };
    const report = await evaluateAnswers({
      system,
      mode: 'embedded',
      documents: documents(),
      cases: [
        {
          id: '1',
          question: 'first',
          answers: ['1872'],
          document: 'harbours.pdf',
          page: 2,
          supporting: { d1: [0, 1] },
        },
        {
          id: '2',
          question: 'second',
          answers: ['the pier is long'],
          document: 'd1',
          supporting: [{ document: 'd1', sentence: 1 }, 'Nowhere said.'],
        },
        { id: '3', question: 'third', answers: ['x'], exclude: ['d1'], only: ['d2'] },
        { id: '4', question: 'none', unanswerable: true },
        { id: '5', question: 'invented', unanswerable: true },
      ],
      verify: (answer) =>
        Promise.resolve(answer.citations.map((one) => ({ index: one.index, ok: one.documentId === 'd1' }))),
    });
    expect(system.held).toEqual(['d1']);
    const { metrics } = report;
    expect(metrics.firstClaim?.mean).toBeCloseTo(1 / 3);
    expect(metrics.wholeAnswer?.mean).toBeCloseTo(2 / 3);
    expect(metrics.documentFirst?.mean).toBeCloseTo(1 / 2);
    expect(metrics.document?.mean).toBe(1);
    expect(metrics.pageFirst?.mean).toBe(1);
    expect(metrics.supporting?.mean).toBeCloseTo(3 / 4);
    expect(metrics.abstainedRight?.mean).toBeCloseTo(1 / 2);
    expect(metrics.abstainedWrong?.mean).toBeCloseTo(1 / 3);
    expect(metrics.citationsVerified?.mean).toBeCloseTo(4 / 5);
    expect(system.filters[2]).toEqual({
      op: 'and',
      filters: [
        { op: 'in', field: 'id', values: ['d2'] },
        { op: 'nin', field: 'id', values: ['d1'] },
      ],
    });
    expect(system.filters[0]).toBeUndefined();
    // An answer to an unanswerable question is never correct.
    expect(report.calibration).toEqual([
      { low: 0.2, high: 0.3, answers: 1, meanConfidence: 0.25, correct: 1 },
      { low: 0.8, high: 0.9, answers: 2, meanConfidence: 0.85, correct: 0.5 },
    ]);
  });

  it('judges what an answer asserts, and not what nothing confirms', async () => {
    const told = answerOf([citation(1, 'It opened in 1900.'), citation(2, 'It opened in 1872.')]);
    const [first, second] = told.claims;
    const claims = first && second ? [first, { ...second, kind: 'reworded' as const, confirmed: false }] : [];
    const { metrics } = await evaluateAnswers({
      system: systemOf({ when: { ...told, claims } }),
      mode: 'embedded',
      cases: [{ id: '1', question: 'when', answers: ['1872'] }],
    });
    expect(metrics.wholeAnswer?.mean).toBe(0);
  });

  it('keeps failed questions as misses', async () => {
    const system = systemOf({ bad: new FootnoteError('deadline-exceeded', 'too slow') });
    const report = await evaluateAnswers({
      system,
      mode: 'embedded',
      cases: [{ id: '1', question: 'bad', answers: ['x'] }],
    });
    expect(report.failed).toBe(1);
    expect(report.results[0]).toMatchObject({ error: 'too slow', first: false, abstained: false });
    expect(report.metrics.firstClaim?.mean).toBe(0);
    expect(report.metrics.citationsVerified).toBeUndefined();
  });

  it('stops when cancelled', async () => {
    const system = systemOf({ bad: new FootnoteError('cancelled', 'stopped') });
    await expect(
      evaluateAnswers({ system, mode: 'embedded', cases: [{ id: '1', question: 'bad' }] }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    const signal = AbortSignal.abort(new FootnoteError('cancelled', 'before'));
    await expect(
      evaluateAnswers({ system, mode: 'embedded', cases: [{ id: '1', question: 'bad' }], signal }),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('reads cases, says which line is wrong, and keeps every answer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footnote-cases-'));
    try {
      const path = join(folder, 'cases.jsonl');
      await writeFile(
        path,
        '{"id": 7, "question": "first", "answers": ["1872"]}\n\n{"id": "b", "question": "none", "unanswerable": true}\n',
      );
      const cases = await readAnswerCases(path);
      expect(cases.map((one) => one.id)).toEqual(['7', 'b']);
      await writeFile(path, '{"id": "a"}\n');
      await expect(readAnswerCases(path)).rejects.toThrow(/cases\.jsonl:1: question/);
      await writeFile(path, '\n');
      await expect(readAnswerCases(path)).rejects.toThrow(/holds no case/);
      const report = await evaluateAnswers({
        cases,
        mode: 'embedded',
        system: systemOf({ first: answerOf([citation(1, 'In 1872.')]), none: answerOf([]) }),
      });
      const out = join(folder, 'out.jsonl');
      await writeAnswerResults(out, report);
      const lines = (await readFile(out, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; answer: Answer });
      expect(lines.map((line) => [line.id, line.answer.citations.length])).toEqual([
        ['7', 1],
        ['b', 0],
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('containsAnswer', () => {
  it.each([
    ['It opened in 1872.', '1872', true],
    ['It opened in 18721.', '1872', false],
    ['Fourteen boats', 'four', false],
    ['The score was 20–18.', '20-18', true],
    ['by the U.S. Navy', 'US Navy', false],
    ['by the "Slow Herons" band', 'the Slow Herons', true],
    ['港口于1872年开放。', '1872年', true],
    ['a & b', '&', true],
    ['nothing', '', false],
  ])('%j holds %j: %s', (text, answer, expected) => {
    expect(containsAnswer(text, answer)).toBe(expected);
  });
  it('folds case, punctuation, width and articles', () => {
    expect(normaliseAnswer('The  Ｐier, a LONG one!')).toBe('pier long one');
  });
});
