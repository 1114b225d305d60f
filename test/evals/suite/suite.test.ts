import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoggedEvent } from '../../../src/core/events.ts';
import { ruleJudges } from '../../../src/evals/judges/rules.ts';
import {
  comparisonToHtml,
  comparisonToJUnit,
  comparisonToMarkdown,
} from '../../../src/evals/report/comparison-report.ts';
import { runToHtml, runToJUnit, runToMarkdown } from '../../../src/evals/report/run-report.ts';
import { compareRuns, readRun } from '../../../src/evals/suite/compare.ts';
import { caseFromTrace, turnsSeen } from '../../../src/evals/suite/from-trace.ts';
import { runSuite, type SuiteRun, summarise } from '../../../src/evals/suite/run.ts';
import { openSuite, type Suite, type SuiteCase, suiteCaseSchema } from '../../../src/evals/suite/suite.ts';
import type { EvaluatedSystem } from '../../../src/evals/system.ts';
import { answerOf } from '../../../testkit/judged-answers.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-suite-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const line = '{"id":"a","question":"When was it opened?","answers":["1921"]}\n';

describe('opening a suite', () => {
  it('reads a folder with documents beside the cases, or a corpus', async () => {
    put('cases.jsonl', line);
    put('docs/a.md', '# A');
    const { cases, docs, sha256 } = await openSuite(folder);
    expect(cases).toMatchObject([{ id: 'a', answers: ['1921'] }]);
    expect(docs).toEqual([join(folder, 'docs')]);
    expect((await openSuite(folder)).sha256).toBe(sha256);
    put('docs/a.md', '# B');
    expect((await openSuite(folder)).sha256).not.toBe(sha256);
    rmSync(join(folder, 'docs'), { recursive: true });
    await expect(openSuite(folder)).rejects.toMatchObject({ code: 'not-found' });
    put('corpus.jsonl', '{"_id":"d","text":"x"}\n');
    expect((await openSuite(folder)).docs).toEqual([folder]);
  });

  it('reads a file that names documents, several lists of cases and what changes', async () => {
    put('one.jsonl', line);
    put('two.jsonl', line.replace('"a"', '"b"'));
    put('manuals/a.md', '# A');
    put('later.jsonl', '{"_id":"d","text":"x"}\n');
    put(
      's.json',
      JSON.stringify({
        name: 'S',
        docs: ['manuals'],
        cases: ['one.jsonl', 'two.jsonl'],
        update: 'later.jsonl',
        mode: 'vector',
      }),
    );
    const suite = await openSuite(join(folder, 's.json'));
    expect(suite).toMatchObject({ name: 'S', mode: 'vector', update: join(folder, 'later.jsonl') });
    expect(suite.cases).toHaveLength(2);
  });

  it('reads past conversations beside the cases, with or without documents', async () => {
    put('cases.jsonl', line);
    put('conversations.jsonl', '{"conversation_id":"c","turn_id":"t","role":"user","text":"x"}\n');
    const alone = await openSuite(folder);
    expect(alone).toMatchObject({ docs: [], conversations: join(folder, 'conversations.jsonl') });
    put('conversations.jsonl', '{"conversation_id":"c","turn_id":"t","role":"user","text":"y"}\n');
    expect((await openSuite(folder)).sha256).not.toBe(alone.sha256);
    put('corpus.jsonl', '{"_id":"d","text":"x"}\n');
    expect(await openSuite(folder)).toMatchObject({
      docs: [folder],
      conversations: join(folder, 'conversations.jsonl'),
    });
    put('s.json', '{"docs":[],"cases":"cases.jsonl"}');
    await expect(openSuite(join(folder, 's.json'))).rejects.toThrow('names nothing to ask');
  });

  it.each([
    ['no JSON', '{', 'not JSON'],
    ['an unknown field', '{"docs":["."],"cases":"cases.jsonl","topics":1}', 'topics'],
    ['documents that are not there', '{"docs":["gone"],"cases":"cases.jsonl"}', 'gone'],
    ['two cases of one id', '{"docs":["."],"cases":["cases.jsonl","cases.jsonl"]}', 'two cases'],
    ['no case', '{"docs":["."],"cases":"empty.jsonl"}', 'no case'],
  ])('refuses %s', async (_, text, wanted) => {
    put('cases.jsonl', line);
    put('empty.jsonl', '\n');
    put('s.json', text);
    await expect(openSuite(join(folder, 's.json'))).rejects.toThrow(wanted);
  });
});

const quote = 'The harbour of Oslo was opened in 1921.';
const suiteOf = (...cases: SuiteCase[]): Suite => ({ name: 'harbours', sha256: 'ab', cases, docs: [] });
const about = { program: '0.0.0', at: '2026-01-01T00:00:00.000Z', settings: { RRF_K_CONSTANT: 10 } };

function runOn(
  answers: Readonly<Record<string, ReturnType<typeof answerOf> | Error>>,
  cases: SuiteCase[],
  hits: string[] = [],
) {
  const asked: string[] = [];
  const system: EvaluatedSystem = {
    ingest: () => Promise.reject(new Error('nothing is read in')),
    search: async () => hits.map((documentId, at) => ({ documentId, score: 10 - at })),
    async ask(question) {
      asked.push(question);
      const answer = answers[question] ?? answerOf();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    close: async () => undefined,
  };
  const run = runSuite({
    suite: suiteOf(...cases),
    system,
    judges: ruleJudges,
    mode: 'embedded',
    about,
    verify: async ({ citations }) => citations.map(({ index }) => ({ index, ok: index !== 2 })),
    contextOf: async () => [{ chunkId: 'c1', documentId: 'd1', text: quote }],
    update: async () => asked.push('(update)'),
  });
  return { run, asked };
}

const harbour = suiteCaseSchema.parse({
  id: 'a',
  question: 'When was the harbour opened?',
  answers: ['1921'],
  relevant: { d2: 1 },
});

describe('running a suite', () => {
  it('measures answers by rules and judges, and searches where relevant documents are known', async () => {
    const { run } = runOn(
      { [harbour.question]: answerOf([quote, quote], [`${quote} `, quote]) },
      [harbour],
      ['d1', 'd2'],
    );
    const { results, summary } = await run;
    expect(results[0]?.measures).toMatchObject({
      'runs through': 1,
      'citations verified': 0.5,
      'answer in the first claim': 1,
      groundedness: 1,
      coherence: 0.5,
      'search MRR@10': 0.5,
      'context-recall': 1,
      abstention: 1,
    });
    expect(results[0]?.missed).toContain('coherence');
    expect(summary['groundedness']).toMatchObject({ mean: 1, cases: 1 });
  });

  it('lets an answer that was given and read come out again, whatever rules guess of it, and not another one', async () => {
    const given: SuiteCase = { id: 'a', question: 'What do berths and cranes cost?', answers: [quote] };
    const answers = { [given.question]: answerOf([quote, 'Nobody wrote down whether it rains.']) };
    const missedOf = async (one: SuiteCase): Promise<readonly string[]> =>
      (await runOn(answers, [one]).run).results[0]?.missed ?? [];
    expect((await missedOf(given)).length).toBeGreaterThan(0);
    expect(await missedOf({ ...given, given: true })).toEqual([]);
    expect(await missedOf({ ...given, given: true, answers: ['It was moved to Bergen by nine engineers.'] })).toEqual([
      'completeness',
      'answer in the whole',
    ]);
    // The same words with another figure are another answer.
    expect(await missedOf({ ...given, given: true, answers: [quote.replace('1921', '1931')] })).toEqual([
      'answer in the whole',
    ]);
    expect(await missedOf({ id: 'a', question: given.question, given: true, unanswerable: true })).toEqual([
      'abstention',
    ]);
  });

  it('keeps a question that fails, and asks the second round after the update', async () => {
    const later = { ...harbour, id: 'b', question: 'And then?', afterUpdate: true };
    const { run, asked } = runOn({ [harbour.question]: new Error('broken') }, [later, harbour]);
    const { results } = await run;
    expect(asked).toEqual([harbour.question, '(update)', 'And then?']);
    expect(results[0]).toMatchObject({ id: 'a', measures: { 'runs through': 0 } });
    expect(results[0]?.error).toBeDefined();
    expect(results[1]).toMatchObject({ id: 'b', abstained: true });
  });
});

function runWith(values: readonly number[], change: Partial<SuiteRun['results'][number]> = {}): SuiteRun {
  const results = values.map((value, at) => ({
    id: `q${at}`,
    question: `Question <${at}> | "x"`,
    measures: { 'runs through': 1, 'citations verified': 1, groundedness: value },
    reasons: { groundedness: 'It is <b>weak</b>.' },
    missed: value < 0.7 ? ['groundedness'] : [],
    abstained: false,
    answer: 'An answer & more',
    cited: [],
    milliseconds: 10,
    confidence: 0.5,
    ...(at === 0 && change),
  }));
  return {
    format: 'footnote-eval-run',
    version: 1,
    suite: { name: 'harbours', sha256: 'ab' },
    ...about,
    mode: 'embedded',
    judges: [{ name: 'groundedness', by: 'rules', threshold: 0.7 }],
    summary: summarise(results),
    medianMs: 10,
    results,
  };
}
const level = Array.from({ length: 40 }, (_, at) => (at % 4) / 4);

describe('comparing runs', () => {
  it('lets a run through that says the same, and one that is better', () => {
    expect(compareRuns(runWith(level), runWith(level))).toMatchObject({ refused: [], changed: [], questions: 40 });
    const better = compareRuns(runWith(level), runWith(level.map((value) => value + 0.1)));
    expect(better.refused).toEqual([]);
    expect(better.measures.find(({ measure }) => measure === 'groundedness')).toMatchObject({ better: 40, worse: 0 });
  });

  it('refuses a fall that chance does not explain, and says where it is', () => {
    const worse = compareRuns(runWith(level), runWith(level.map((value, at) => (at < 12 ? value - 0.2 : value))));
    expect(worse.refused).toHaveLength(1);
    expect(worse.refused[0]).toContain('groundedness');
    expect(worse.changed).toHaveLength(12);
    expect(worse.changed[0]?.balance).toBeCloseTo(-0.2, 9);
  });

  it('refuses many small falls of different measures that no measure alone tells from chance', () => {
    const names = ['groundedness', 'relevance', 'coherence', 'completeness', 'search nDCG@10', 'context-precision'];
    const runOf = (lost: number): SuiteRun => {
      const run = runWith(level);
      const results = run.results.map((one, at) => ({
        ...one,
        measures: Object.fromEntries(names.map((name, place) => [name, at < 12 && at % 6 === place ? 1 - lost : 1])),
      }));
      return { ...run, results, summary: summarise(results) };
    };
    const { refused, whole } = compareRuns(runOf(0), runOf(0.05));
    expect(whole).toMatchObject({ better: 0, worse: 12 });
    expect(refused).toEqual([expect.stringContaining('questions as a whole: 12 are worse and 0 better')]);
    expect(compareRuns(runOf(0.05), runOf(0)).refused).toEqual([]);
  });

  it('takes what a judge elsewhere says otherwise of the same answer for its mood, and of another answer for a change', () => {
    const judges = [{ name: 'groundedness by model', by: 'compatible:m', threshold: 0.5 }];
    const runOf = (value: number, answer: string): SuiteRun => {
      const run = runWith(level);
      const results = run.results.map((one) => ({ ...one, answer, measures: { 'groundedness by model': value } }));
      return { ...run, judges, results, summary: summarise(results) };
    };
    expect(compareRuns(runOf(0.9, 'It is so.'), runOf(0.4, 'It is so.'))).toMatchObject({ refused: [], changed: [] });
    expect(compareRuns(runOf(0.9, 'It is so.'), runOf(0.4, 'It is not.')).refused).toHaveLength(1);
  });

  it('lets a fall through that is as likely chance', () => {
    const mixed = level.map((value, at) => (at < 6 ? value - 0.1 : at < 10 ? value + 0.1 : value));
    expect(compareRuns(runWith(level), runWith(mixed)).refused).toEqual([]);
  });

  it('refuses one single citation that no longer verifies, and one question that fails', () => {
    for (const name of ['citations verified', 'runs through']) {
      const after = runWith(level, {
        measures: { 'runs through': 1, 'citations verified': 1, groundedness: 0, [name]: 0 },
      });
      expect(compareRuns(runWith(level), after).refused).toEqual([`${name}: lost for 1 of 40 questions.`]);
    }
  });

  it('counts answers that fell silent as lost', () => {
    const silent = runWith(level);
    const results = silent.results.map((one, at) =>
      at < 10 ? { ...one, abstained: true, measures: { 'runs through': 1 } } : one,
    );
    const { refused } = compareRuns(runWith(level.map(() => 1)), {
      ...silent,
      results: results.map((one) =>
        'groundedness' in one.measures ? { ...one, measures: { ...one.measures, groundedness: 1 } } : one,
      ),
    });
    expect(refused.join()).toContain('groundedness');
  });

  it('refuses other suites, files that are no run, and questions that are gone', () => {
    const other = { ...runWith(level), suite: { name: 'other', sha256: 'cd' } };
    expect(() => compareRuns(runWith(level), other)).toThrow('different suites');
    expect(() => readRun({ format: 'x' }, 'a.json')).toThrow('a.json is no run');
    expect(readRun(JSON.parse(JSON.stringify(runWith(level))), 'a.json')).toEqual(runWith(level));
    const fewer = { ...runWith(level), results: runWith(level).results.slice(1) };
    expect(compareRuns(runWith(level), fewer).refused).toEqual(['1 questions of the first run are not in the second.']);
  });
});

describe('reports', () => {
  const comparison = compareRuns(runWith(level), runWith(level.map((value) => Math.max(0, value - 0.2))));
  const pages = [runToHtml(runWith(level)), comparisonToHtml(comparison)];

  it('are pages that hold all they need, with plots, and nothing that was written by others as markup', () => {
    for (const page of pages) {
      expect(page).toContain('<svg');
      expect(page).not.toMatch(/<script|<link|<img|src=|https?:/u);
      expect(page).toMatch(/Question &lt;\d+&gt;/u);
      expect(page).not.toMatch(/Question <\d+>/u);
    }
    expect(pages[0]).toContain('It is &lt;b&gt;weak&lt;/b&gt;.');
  });

  it('are JUnit whose counts are those of the cases', () => {
    const run = runWith(level, { error: 'broken "now"' });
    const text = runToJUnit(run);
    expect(text).toContain('tests="40" failures="29" errors="1"');
    expect(text.match(/<failure /gu)).toHaveLength(29);
    expect(text).toContain('broken &quot;now&quot;');
    const gate = comparisonToJUnit(comparison);
    expect(gate).toContain('tests="3" failures="1"');
    expect(gate.match(/<failure /gu)).toHaveLength(1);
  });

  it('are Markdown whose cells end where they should', () => {
    const text = runToMarkdown(runWith(level));
    expect(text).toContain('| groundedness | 0.3750 |');
    expect(text).toContain('Question <0> \\| "x"');
    expect(comparisonToMarkdown(comparison)).toContain('The gate refuses it: groundedness');
  });
});

describe('a case from a trace', () => {
  const answer = { ...answerOf([quote, quote]), id: 'ans_1' };
  const logged = (...events: LoggedEvent['event'][]): LoggedEvent[] =>
    events.map((event, at) => ({ seq: at + 1, atMs: at, event }));
  const trace = { id: 'trc_1', kind: 'ask' as const, startedAt: '', totalMs: 1, eventCount: 2 };
  const request = (body: unknown) => ({ type: 'request' as const, kind: 'ask' as const, body, at: '' });

  it('asks the same and expects what was said', () => {
    const made = caseFromTrace({ trace, events: logged(request({ question: 'When?' }), { type: 'done', answer }) });
    expect(made).toEqual({
      id: 'trc_1',
      question: 'When?',
      mode: 'embedded',
      answers: [quote],
      document: 'd1',
      supporting: [{ document: 'd1', text: quote }],
    });
    expect(suiteCaseSchema.parse(made)).toEqual(made);
  });

  it('takes a message as it was resolved, and an abstention as one', () => {
    const resolved = { type: 'follow-up' as const, content: 'and there?', resolved: 'When in Oslo?', reason: '' };
    const events = logged(request({ content: 'and there?' }), resolved, { type: 'done', answer: answerOf() });
    expect(caseFromTrace({ trace, events })).toMatchObject({ question: 'When in Oslo?', unanswerable: true });
  });

  it('refuses a trace without an answer', () => {
    expect(() =>
      caseFromTrace({ trace: { ...trace, kind: 'search' }, events: logged(request({ query: 'x' })) }),
    ).toThrow('has no answer');
    expect(() => caseFromTrace({ trace, events: logged({ type: 'erased', at: '', events: 3 }) })).toThrow(
      'a document that it spoke of was deleted',
    );
    expect(() => caseFromTrace({ trace: { ...trace, kind: 'chat' }, events: [] })).toThrow('has no answer');
  });

  it('asks for an analysis again as it was asked for, less what was its caller’s', () => {
    const body = {
      kind: 'swot',
      subject: 'Acme',
      items: ['Beta'],
      topK: 9,
      stream: true,
      workspace: [{ path: 'a', text: 'b' }],
    };
    const made = caseFromTrace({
      trace: { ...trace, kind: 'analysis' },
      events: logged(request(body), { type: 'done', answer }),
    });
    expect(made).toMatchObject({
      question: 'swot: Acme',
      analysis: { kind: 'swot', subject: 'Acme', items: ['Beta'], topK: 9 },
      answers: [quote],
    });
    expect(Object.keys(made.analysis ?? {}).toSorted()).toEqual(['items', 'kind', 'subject', 'topK']);
    expect(suiteCaseSchema.parse(made)).toEqual(made);
  });

  const turn = (id: string, text: string, content_used: 'full' | 'summary' = 'full') => ({
    turn_id: id,
    conversation_id: 'c1',
    title: 'T',
    content_used,
    tokens: 1,
    messages: [{ role: 'user', text }],
  });
  const call = (port: string, method: string, response: unknown) => ({
    type: 'call' as const,
    call: { port, method, request: [], response, latencyMs: 1 },
  });
  const chatted = (abstained: boolean) => ({
    type: 'chatted' as const,
    answer: { abstained, citations: abstained ? [] : [{ index: 1, turn_id: 't1', conversation_id: 'c1', quote }] },
    places: [],
  });
  const chatTrace = { ...trace, kind: 'chat' as const };

  it('asks past conversations again with the question before, and expects what was quoted', () => {
    const asked = request({ conversation_id: 'chat_1', messages: [{ role: 'user', content: 'And when?' }] });
    const before = call('chats', 'lastQuestion', 'Where is the harbour?');
    const made = caseFromTrace({ trace: chatTrace, events: logged(asked, before, chatted(false)) });
    expect(made).toEqual({
      id: 'trc_1',
      question: 'And when?',
      chat: [
        { role: 'user', content: 'Where is the harbour?' },
        { role: 'user', content: 'And when?' },
      ],
      answers: [quote],
      document: 'conversation:c1',
      supporting: [{ document: 'conversation:c1', text: quote }],
    });
    expect(suiteCaseSchema.parse(made)).toEqual(made);
    const silent = caseFromTrace({ trace: chatTrace, events: logged(asked, chatted(true)) });
    expect(silent).toMatchObject({ chat: [{ content: 'And when?' }], unanswerable: true });
  });

  it('knows the turns that were read, whole where they were, and those that were shown', () => {
    const events = logged(
      call('archive', 'peek', { snippets: [turn('t1', 'x'), turn('t2', 'x'), turn('t2', 'x')] }),
      call('archive', 'turn', turn('t1', 'all of it')),
      call('archive', 'turn', turn('t1', 'a part', 'summary')),
    );
    const { read, shown } = turnsSeen({ trace: chatTrace, events });
    expect(read).toMatchObject([{ turn_id: 't1', messages: [{ text: 'all of it' }] }]);
    expect(shown).toMatchObject([{ turn_id: 't2' }]);
  });
});
