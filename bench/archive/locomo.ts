// Whether a look into a conversation finds the turns that hold the answer: evidence recall of LoCoMo's questions, by peek as a client calls it.
// Weights were chosen on conversations 26 and 30 and are reported on 41, 42 and 43.
// Usage: node bench/archive/locomo.ts [--dry]
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { writeResult } from '../report.ts';
import { type LocomoQuestion, locomoFolder, locomoLines, locomoQuestions } from './locomo-data.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });

const chosenOn: ReadonlySet<string> = new Set(['conv-26', 'conv-30']);
const categories = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];
const depths = [5, 10, 25, 50] as const;

interface Outcome {
  readonly question: LocomoQuestion;
  readonly recall: readonly number[];
}

const percent = (outcomes: readonly Outcome[], depth: number): number => {
  const sum = outcomes.reduce((all, { recall }) => all + (recall[depth] as number), 0);
  return Number(((100 * sum) / Math.max(1, outcomes.length)).toFixed(1));
};

async function measure(): Promise<{ readonly outcomes: readonly Outcome[]; readonly cpuMs: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-locomo-'));
  const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  try {
    const { conversations } = opened.forScope(localScope());
    const path = join(folder, 'locomo.jsonl');
    await writeFile(path, (await locomoLines()).map((line) => `${JSON.stringify(line)}\n`).join(''));
    await conversations.import({ content: { path }, details: { name: 'locomo.jsonl' } });
    const outcomes: Outcome[] = [];
    const began = process.cpuUsage();
    for (const question of await locomoQuestions()) {
      const { text: query, conversation, evidence } = question;
      const peek = await conversations.peek({ query, conversation_id: conversation, top_n_snippets: 50 });
      const found = peek.snippets.map(({ turn_id }) => turn_id);
      const recall = depths.map(
        (depth) => found.slice(0, depth).filter((id) => evidence.has(id)).length / evidence.size,
      );
      outcomes.push({ question, recall });
    }
    const { user, system } = process.cpuUsage(began);
    return { outcomes, cpuMs: (user + system) / 1000 };
  } finally {
    await opened.close();
    await rm(folder, { recursive: true });
  }
}

if (locomoFolder !== undefined) {
  const { outcomes, cpuMs } = await measure();
  const reported = outcomes.filter(({ question }) => !chosenOn.has(question.conversation));
  const rowOf = (name: string, rows: readonly Outcome[]) => [
    name,
    rows.length,
    ...depths.map((_, at) => percent(rows, at)),
  ];
  const tables = [
    {
      title: 'Evidence recall in percent',
      columns: ['questions of', 'questions', ...depths.map((depth) => `@${depth}`)],
      rows: [
        rowOf('all five conversations', outcomes),
        rowOf(
          'the two that weights were chosen on',
          outcomes.filter(({ question }) => chosenOn.has(question.conversation)),
        ),
        rowOf('the other three', reported),
        ...categories.map((name, at) =>
          rowOf(
            name,
            reported.filter(({ question }) => question.category === at + 1),
          ),
        ),
      ],
    },
  ];
  for (const row of tables[0]?.rows ?? []) console.log(row.join('\t'));
  console.log(`${(cpuMs / outcomes.length).toFixed(2)} ms of processor time a question`);
  const goal = (what: string, least: number, got: number) => ({ what, wanted: `>= ${least}`, got, met: got >= least });
  const of = (category: number) => reported.filter(({ question }) => question.category === category);
  if (!flags.dry)
    await writeResult('locomo', {
      title: 'Evidence found in long conversations (LoCoMo)',
      command: 'npm run bench locomo',
      seed: null,
      data: [locomoFolder],
      metrics: { questions: outcomes.length, 'processor ms a question': Number((cpuMs / outcomes.length).toFixed(2)) },
      goals: [
        goal('evidence recall@10, three conversations', 76, percent(reported, 1)),
        goal('evidence recall@25, three conversations', 84, percent(reported, 2)),
        goal('multi-hop recall@10', 45, percent(of(1), 1)),
        goal('temporal recall@10', 80, percent(of(2), 1)),
      ],
      tables,
      notes: [
        'Each message is a turn, its speaker the role and its session the time. A question is looked up in its own conversation, 50 snippets.',
        'Weights of neighbours, sessions and names were chosen on conversations 26 and 30. The paper’s dense retriever has 66.2 and 76.7 at 10 and 25 over all ten.',
      ],
    });
}
