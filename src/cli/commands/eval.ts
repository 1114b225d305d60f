// footnote eval: measures the product as it is configured on a judged set, in a throw-away data folder of its own.
import { type Command, Option } from 'commander';
import { type Mode, modes } from '../../core/search.ts';
import type { Cli } from '../cli.ts';
import { toTable } from '../terminal.ts';

interface RetrievalOptions {
  readonly mode: Mode;
  readonly split: string;
  readonly run?: string;
}

const modeOption = (): Option =>
  new Option('-m, --mode <mode>', 'how to search').choices([...modes]).default('hybrid' satisfies Mode);

export function addEvalCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const evals = program.command('eval').description('Measure retrieval and answers on a judged set');

  const retrieval = evals
    .command('retrieval')
    .description('Measure search on a set in BEIR layout: corpus.jsonl[.gz], queries.jsonl[.gz], qrels/<split>.tsv')
    .argument('<folder>', 'the folder of the set')
    .addOption(modeOption())
    .option('--split <name>', 'which judgments', 'test')
    .option('--run <file>', 'write the TREC run (100 documents per query) there')
    .addHelpText('after', '\nExample:\n  footnote eval retrieval ./scifact --mode embedded --run scifact.run');
  retrieval.action(async (folder: string, options: RetrievalOptions) => {
    const [{ openRetrievalDataset }, { evaluateRetrieval, metricNames, writeTrecRun }, { openEvaluatedSystem }] =
      await Promise.all([
        import('../../evals/datasets.ts'),
        import('../../evals/retrieval.ts'),
        import('../../footnote/evaluated-system.ts'),
      ]);
    const config = cli.config(retrieval);
    const dataset = await openRetrievalDataset(folder, options.split);
    const system = await openEvaluatedSystem(config);
    try {
      terminal.note(`Reading ${dataset.name} …`);
      const report = await evaluateRetrieval({ dataset, system, mode: options.mode, signal });
      if (options.run !== undefined) await writeTrecRun(options.run, report);
      const { run: _, perQuery: __, ...summary } = report;
      terminal.value({ ...summary, split: options.split, ...(options.run !== undefined && { runFile: options.run }) });
      terminal.line(
        `${report.dataset}, split ${options.split}, mode ${report.mode}: ${report.queries} queries over ${report.documents} documents (${report.chunks} chunks)`,
      );
      const rows = Object.entries(metricNames).flatMap(([key, name]) => {
        const metric = report.metrics[key as keyof typeof report.metrics];
        return [
          [`  ${name}`, metric.mean.toFixed(4), `95 % interval ${metric.low.toFixed(4)} to ${metric.high.toFixed(4)}`],
        ];
      });
      for (const row of toTable(rows)) terminal.line(row);
      if (report.failed.length > 0)
        terminal.warn(
          `${report.failed.length} documents were not taken; the first: ${report.failed[0]?.id}: ${report.failed[0]?.reason}`,
        );
      if (options.run !== undefined) terminal.line(`Run written to ${options.run}`);
    } finally {
      await system.close();
    }
  });
}
