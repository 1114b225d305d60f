// footnote tune: finds how mode hybrid should join its legs from the operator's own labels, and prints what to put into the
// configuration. It changes nothing.
import type { Command } from 'commander';
import { renderTuning } from '../../render/tuning.ts';
import { toWholeNumber } from '../../terminal/options.ts';
import type { Cli } from '../cli.ts';

interface TuneOptions {
  readonly split: string;
  readonly folds: number;
  readonly seed: number;
}

export function addTuneCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const command = program
    .command('tune')
    .description('Find from labelled questions how mode hybrid should weigh words and meaning; changes nothing')
    .argument(
      '<folder>',
      'labels in BEIR layout: queries.jsonl[.gz] and qrels/<split>.tsv, documents named by id or uri',
    )
    .option('--split <name>', 'which judgments', 'test')
    .option('--folds <number>', 'parts of the cross-validation, 2 to 20', toWholeNumber, 5)
    .option('--seed <number>', 'seed of folds and intervals', toWholeNumber, 1)
    .addHelpText(
      'after',
      `
The documents are those of the data folder. Labels come from this folder alone: answers that people rated are not kept yet.

Example:
  footnote tune ./labels`,
    );
  command.action(async (folder: string, options: TuneOptions) => {
    const [{ readLabels }, { tuneFusion }, { FootnoteError }] = await Promise.all([
      import('../../../evals/datasets.ts'),
      import('../../../footnote/trials/tune-fusion.ts'),
      import('../../../core/errors.ts'),
    ]);
    if (options.folds < 2 || options.folds > 20)
      throw new FootnoteError('invalid-request', `--folds is ${options.folds}: give 2 to 20.`);
    const config = cli.config(command);
    const labels = await readLabels(folder, options.split);
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      terminal.note('Bringing the vectors up to date …');
      await footnote.stores.sync('embedded', signal);
      const model = (await footnote.stores.list()).find(({ name }) => name === 'embedded')?.vectors?.model;
      const isCorpus = model === undefined ? config.models.embed === 'corpus' : model.startsWith('corpus-');
      const report = await tuneFusion(
        {
          footnote,
          labels,
          fusion: config.fusion,
          kind: isCorpus ? 'corpus' : 'fixed',
          folds: options.folds,
          seed: options.seed,
          onProgress: (done, total) => {
            if (done % 100 === 0 || done === total) terminal.note(`${done} of ${total} queries searched`);
          },
        },
        signal,
      );
      terminal.value({ split: options.split, ...(model !== undefined && { model }), ...report });
      renderTuning(terminal, report);
    });
  });
}
