// What each step that looks at a draft is worth, and what it costs: off, and on one by one, over questions that ask one thing (XQuAD-en, and the same with the
// gold paragraph left out), that take two hops (HotpotQA-100) and that ask several things (the set of `decomposition`). No model: rules alone.
// Usage: node bench/answers/agent-steps.ts [--only=assessment,critic,…] [--every=3] [--dry]
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { containsAnswer } from '../../src/evals/judges/matching.ts';
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { comparedCases, halfCases, pairedCases, type SingleQuestion } from './decomposition-questions.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    every: { type: 'string', default: '3' },
    dry: { type: 'boolean', default: false },
  },
});
const every = Number(flags.every);
const xquadFolder = sharedData('xquad-en');
const hotpotFolder = sharedData('hotpotqa-100');
if (!xquadFolder || !hotpotFolder) process.exit(0);

const alike = { INTENT_DEPTHS: 'faq 10, factual_lookup 10, research 10' };
const team = { ENABLE_MULTI_AGENT: 'true', MULTI_AGENT_COMPLEXITY_THRESHOLD: '0.6' };
const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'all off': alike,
  'depth by intent': {},
  assessment: { ...alike, ENABLE_ASSESSMENT: 'true' },
  'critic (rules)': { ...alike, ENABLE_CRITIC: 'true' },
  workers: { ...alike, ...team },
  'all on': { ENABLE_ASSESSMENT: 'true', ENABLE_CRITIC: 'true', ...team },
};

interface Case {
  readonly question: string;
  /** What each part wants, one of each; none: nothing answers it. */
  readonly wanted: readonly (readonly string[])[];
}
interface CaseSet {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly documents: readonly EvaluatedDocument[];
}

const all = async (documents: AsyncIterable<EvaluatedDocument>): Promise<EvaluatedDocument[]> => {
  const list: EvaluatedDocument[] = [];
  for await (const one of documents) list.push(one);
  return list;
};
const answerTexts = z.array(z.object({ text: z.string() }));
const xquad = await openRetrievalDataset(xquadFolder);
const hotpot = await openRetrievalDataset(hotpotFolder);
const paragraphs = await all(xquad.documents());
const articles = await all(hotpot.documents());
const singles = xquad.queries.map(
  (query): SingleQuestion => ({
    text: query.text,
    answers: answerTexts.parse(query.metadata['answers']).map(({ text }) => text),
    document: [...(xquad.judgments.get(query.id)?.keys() ?? [])][0] ?? '',
  }),
);
const halved = singles.filter((_, at) => at % every === 0);
/** Articles whose paragraphs are there: the questions of all others ask for what is not. */
const kept = paragraphs.filter(({ id }) => Number(id.split('-')[0]) % 2 === 0);
const missing = halved.filter(({ document }) => Number(document.split('-')[0]) % 2 === 1);
const divided = [...pairedCases(singles, 96), ...halfCases(singles, 24), ...comparedCases(articles, 64)];
const sets: readonly CaseSet[] = [
  {
    name: 'XQuAD-en',
    cases: halved.map(({ text, answers }) => ({ question: text, wanted: [answers] })),
    documents: paragraphs,
  },
  {
    name: 'XQuAD-en, paragraphs left out',
    cases: missing.map(({ text }) => ({ question: text, wanted: [] })),
    documents: kept,
  },
  {
    name: 'HotpotQA-100',
    cases: hotpot.queries.map(({ text, metadata }) => ({
      question: text,
      wanted: [[z.string().parse(metadata['answer'])]],
    })),
    documents: articles,
  },
  {
    name: 'questions of several parts',
    cases: divided.map(({ question, parts }) => ({
      question,
      wanted: parts.map(({ answers }) => answers).filter(({ length }) => length > 0),
    })),
    documents: [...paragraphs, ...articles],
  },
];

interface Asked {
  readonly one: Case;
  readonly answer: Answer;
  readonly cpuMs: number;
}

async function ask({ cases, documents }: CaseSet, environment: Readonly<Record<string, string>>): Promise<Asked[]> {
  const system = await openEvaluatedSystem(loadConfig({ environment }));
  try {
    await system.ingest(
      (async function* () {
        yield* documents;
      })(),
    );
    const asked: Asked[] = [];
    for (const one of cases) {
      const before = process.cpuUsage();
      const answer = await system.ask(one.question, { mode: 'hybrid' });
      const { user, system: kernel } = process.cpuUsage(before);
      asked.push({ one, answer, cpuMs: (user + kernel) / 1000 });
    }
    return asked;
  } finally {
    await system.close();
  }
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
const share = (some: readonly Asked[], judge: (one: Asked) => boolean): number =>
  some.filter(judge).length / Math.max(1, some.length);
const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
const saysAll = ({ one: { wanted }, answer: { claims } }: Asked, most: number): boolean => {
  const said = claims
    .slice(0, most)
    .map(({ text }) => text)
    .join('\n');
  return wanted.length > 0 && wanted.every((answers) => answers.some((gold) => containsAnswer(said, gold)));
};

const rows: (string | number)[][] = [];
const metrics: Record<string, number> = {};
const medians = new Map<string, number>();
const chosen = flags.only?.split(',');
for (const set of sets)
  for (const [name, environment] of Object.entries(variants)) {
    if (chosen && !chosen.includes(name)) continue;
    const asked = await ask(set, environment);
    const first = share(asked, (one) => saysAll(one, 1));
    const whole = share(asked, (one) => saysAll(one, 10));
    const abstained = share(asked, ({ answer }) => answer.abstained);
    const times = asked.map(({ cpuMs }) => cpuMs);
    const looks = asked.reduce((sum, { answer }) => sum + answer.usage.toolCalls, 0) / asked.length;
    const isAnswerable = set.cases.some(({ wanted }) => wanted.length > 0);
    medians.set(`${set.name}: ${name}`, quantile(times, 0.5));
    metrics[`${set.name}: ${name}: ${isAnswerable ? 'answered' : 'abstained'}`] = Number(
      (isAnswerable ? whole : abstained).toFixed(4),
    );
    rows.push([
      set.name,
      name,
      asked.length,
      isAnswerable ? percent(first) : '',
      isAnswerable ? percent(whole) : '',
      percent(abstained),
      looks.toFixed(2),
      quantile(times, 0.5).toFixed(1),
      quantile(times, 0.95).toFixed(1),
    ]);
    console.log(rows.at(-1)?.join('  '));
  }
if (!flags.dry && !chosen) {
  const [off, on] = [medians.get('XQuAD-en: all off') ?? 0, medians.get('XQuAD-en: depth by intent') ?? 0];
  const goals: BenchGoal[] = [
    {
      what: 'what a simple question costs more as it comes, processor time (median)',
      wanted: '<= 3 ms',
      got: `${(on - off).toFixed(1)} ms`,
      met: on - off <= 3,
    },
  ];
  await writeResult('agent-steps', {
    title: 'Steps that look at a draft, on and off',
    command: 'npm run bench agent-steps',
    data: [...xquad.files, ...hotpot.files],
    goals,
    metrics,
    tables: [
      {
        title: 'Each step by itself, by rules',
        columns: [
          'questions',
          'step',
          'N',
          'gold in the first claim',
          'all parts in the answer',
          'abstained',
          'searches',
          'CPU ms, median',
          'CPU ms, p95',
        ],
        rows,
      },
    ],
    notes: [
      'No model is asked. Workers take every question that comes apart (complexity 0.6 and above here, 0.7 by default).',
      'Processor time is of the whole process, threads included.',
    ],
  });
}
