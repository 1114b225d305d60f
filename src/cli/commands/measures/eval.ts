// footnote eval: measures the product as it is configured on a judged set, in a throw-away data folder of its own.
import { realpath } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import { type Mode, modes } from '../../../core/search.ts';
import { renderModelJudge, renderRetrieval, toRetrievalValue } from '../../render/evaluation.ts';
import { toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';
import { addGoalsCommand } from './eval-goals.ts';
import { addOnlineEvalsCommand } from './eval-online.ts';
import { addSuiteCommands, openRun } from './eval-suites.ts';

interface AnswerOptions {
  readonly docs: readonly string[];
  readonly mode: Mode;
  readonly out?: string;
}

interface RetrievalOptions {
  readonly mode: readonly Mode[];
  readonly split: string;
  readonly run?: string;
}

const toInterval = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `95 % interval ${low.toFixed(4)} to ${high.toFixed(4)}`;

/** Modes with commas between them, in the order that results are shown in, each once. */
function readModes(value: string): readonly Mode[] {
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(modes as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is not a mode. Give one or several of ${modes.join(', ')}.`);
  return modes.filter((mode) => names.includes(mode));
}

const modesOption = (): Option =>
  new Option('-m, --mode <modes>', 'how to search: one or several of embedded,vector,hybrid')
    .argParser(readModes)
    .default(modes, 'all three');

/** `scifact.run` for mode hybrid: `scifact.hybrid.run`. */
function withMode(path: string, mode: Mode): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}.${mode}${extension}`;
}

const modeOption = (): Option =>
  new Option('-m, --mode <mode>', 'how to search').choices([...modes]).default('hybrid' satisfies Mode);

export function addEvalCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const evals = program.command('eval').description('Measure retrieval and answers on a judged set');

  addSuiteCommands(evals, cli);
  addOnlineEvalsCommand(evals, cli);
  addGoalsCommand(evals, cli, openRun);

  const retrieval = evals
    .command('retrieval')
    .description('Measure search on a set in BEIR layout: corpus.jsonl[.gz], queries.jsonl[.gz], qrels/<split>.tsv')
    .argument('<folder>', 'the folder of the set')
    .addOption(modesOption())
    .option('--split <name>', 'which judgments', 'test')
    .option('--run <file>', 'write the TREC run (100 documents per query) there; with several modes one file for each')
    .addHelpText(
      'after',
      `
Examples:
  footnote eval retrieval ./scifact
  footnote eval retrieval ./scifact --mode embedded,hybrid --run scifact.run`,
    );
  retrieval.action(async (folder: string, options: RetrievalOptions) => {
    const [{ openRetrievalDataset }, { evaluateModes, writeTrecRun }, { compareModes }, { openEvaluatedSystem }] =
      await Promise.all([
        import('../../../evals/datasets.ts'),
        import('../../../evals/retrieval.ts'),
        import('../../../evals/compare-modes.ts'),
        import('../../../footnote/trials/evaluated-system.ts'),
      ]);
    const config = cli.config(retrieval);
    const dataset = await openRetrievalDataset(folder, options.split);
    const system = await openEvaluatedSystem(config);
    try {
      terminal.note(`Reading ${dataset.name} …`);
      const reports = await evaluateModes({
        dataset,
        system,
        modes: options.mode,
        onProgress: (done, total) => {
          if (done % 500 === 0 || done === total) terminal.note(`${done} of ${total} searches`);
        },
        signal,
      });
      const comparisons = compareModes(reports, dataset);
      const runFiles: Partial<Record<Mode, string>> = {};
      const { run } = options;
      if (run !== undefined)
        for (const report of reports) {
          const path = reports.length === 1 ? run : withMode(run, report.mode);
          await writeTrecRun(path, report);
          runFiles[report.mode] = path;
        }
      terminal.value(toRetrievalValue(reports, { comparisons, split: options.split, runFiles }));
      renderRetrieval(terminal, reports, { comparisons, split: options.split });
      for (const path of Object.values(runFiles)) terminal.line(`Run written to ${toPrintable(path)}`);
    } finally {
      await system.close();
    }
  });

  const answers = evals
    .command('answers')
    .description(
      'Measure answers on cases: JSONL of {id, question, answers?, document?, page?, supporting?, only?, exclude?, unanswerable?}',
    )
    .argument('<file>', 'the cases')
    .requiredOption('--docs <paths...>', 'folders, files, or one folder in BEIR layout, to answer from')
    .addOption(modeOption())
    .option('--out <file>', 'keep every result with its answer there, as JSONL')
    .addHelpText(
      'after',
      `
Examples:
  footnote eval answers questions.jsonl --docs ./manuals --out answers.jsonl
  footnote eval answers questions.jsonl --docs ./xquad-en`,
    );
  answers.action(async (file: string, options: AnswerOptions) => {
    const [{ readCorpus }, evaluation, { isBeirFolder, openEvaluatedSystem }] = await Promise.all([
      import('../../../evals/datasets.ts'),
      import('../../../evals/answers.ts'),
      import('../../../footnote/trials/evaluated-system.ts'),
    ]);
    const config = cli.config(answers);
    const cases = await evaluation.readAnswerCases(file);
    const paths = await Promise.all(
      options.docs.map((path) =>
        realpath(path).catch((error: unknown) => {
          throw toFootnoteError(error);
        }),
      ),
    );
    const corpora: string[] = [];
    const system = await openEvaluatedSystem(config);
    try {
      for (const path of paths) {
        if (await isBeirFolder(path)) {
          corpora.push(path);
          continue;
        }
        const { failed } = await system.ingestPath(path, signal);
        for (const { id, reason } of failed.slice(0, 5)) terminal.warn(`${id}: ${reason}`);
      }
      if (corpora.length > 1)
        throw new FootnoteError(
          'invalid-request',
          'Give one folder in BEIR layout at a time: ids of two could be the same.',
        );
      const report = await evaluation.evaluateAnswers({
        cases,
        system,
        mode: options.mode,
        ...(corpora[0] !== undefined && { documents: readCorpus(corpora[0]) }),
        verify: async (answer) => (await system.footnote.answers.verify(system.toRecorded(answer))).citations,
        ...(system.modelJudge && { modelJudge: system.modelJudge }),
        onProgress: (done, total) => {
          if (done % 100 === 0 || done === total) terminal.note(`${done} of ${total} questions`);
        },
        signal,
      });
      if (options.out !== undefined) await evaluation.writeAnswerResults(options.out, report);
      const { results: _, ...summary } = report;
      terminal.value({ ...summary, mode: options.mode, ...(options.out !== undefined && { outFile: options.out }) });
      terminal.line(
        `${report.cases} questions, ${report.answerable} with an answer, ${report.unanswerable} without; mode ${options.mode}`,
      );
      const rows = Object.entries(evaluation.answerMetricNames).flatMap(([key, name]) => {
        const metric = report.metrics[key as keyof typeof report.metrics];
        return metric ? [[`  ${name}`, metric.mean.toFixed(4), toInterval(metric)]] : [];
      });
      terminal.table(rows);
      terminal.line(
        `  ${report.claimsPerAnswer.toFixed(1)} claims per answer, median ${report.medianMs.toFixed(0)} ms`,
      );
      if (report.modelJudge) renderModelJudge(terminal, report.modelJudge);
      if (report.failed > 0)
        terminal.warn(
          `${report.failed} questions failed; the first: ${report.results.find((one) => one.error !== undefined)?.error}`,
        );
      if (options.out !== undefined) terminal.line(`Answers kept in ${options.out}`);
    } finally {
      await system.close();
    }
  });
}
