// footnote eval calibrate: how far judges agree with what people say of answers, and from which score on each should pass one.
import { readFile, writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import type { JudgeCalibration } from '../../../evals/calibration-rows.ts';
import type { JudgeName } from '../../../evals/judges/judge.ts';
import { type JudgeKind, judgeKinds } from '../../../footnote/evals/judge-kinds.ts';
import { toWholeNumber } from '../../terminal/options.ts';
import { type Terminal, toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

/** `rules` may be said, too: they always judge. */
export function readJudges(value: string): readonly JudgeKind[] {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'rules' && name !== '');
  const unknown = names.find((name) => !(judgeKinds as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `"${unknown}" does not judge. Give one or several of rules, ${judgeKinds.join(', ')}.`,
    );
  return judgeKinds.filter((name) => names.includes(name));
}

const thresholdsSchema = z.object({
  format: z.literal('footnote-eval-thresholds'),
  judges: z.array(z.object({ judge: z.string(), by: z.string(), threshold: z.number().min(0).max(1) })),
});

/** Those of the model, from the file that `eval calibrate` wrote. */
export async function readThresholds(path: string): Promise<Partial<Record<JudgeName, number>>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw toFootnoteError(error);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FootnoteError('invalid-request', `${path} is not JSON.`, { cause: error });
  }
  const parsed = thresholdsSchema.safeParse(value);
  if (!parsed.success)
    throw new FootnoteError(
      'invalid-request',
      `${path} holds no thresholds. Make it with "footnote eval calibrate --out".`,
    );
  const ofModel = parsed.data.judges.filter(({ by }) => by !== 'rules' && by !== 'azure-ai-foundry');
  return Object.fromEntries(ofModel.map(({ judge, threshold }) => [judge, threshold]));
}

const percent = (value: number): string => (100 * value).toFixed(1);

function render(terminal: Terminal, all: readonly JudgeCalibration[]): void {
  const head = [
    'judge',
    'by',
    'rows (good)',
    'AUC',
    'balanced accuracy',
    'kappa',
    'passes from (now)',
    'at that (now)',
  ];
  const rows = all.map(({ judge, by, rows: count, good, auc, threshold, thresholdNow, agreement, before }) => [
    judge,
    toPrintable(by),
    `${count} (${good})`,
    percent(auc),
    `${percent(agreement.balancedAccuracy.mean)} % (${percent(agreement.balancedAccuracy.low)} to ${percent(agreement.balancedAccuracy.high)})`,
    `${agreement.kappa.mean.toFixed(2)} (${agreement.kappa.low.toFixed(2)} to ${agreement.kappa.high.toFixed(2)})`,
    `${threshold.toFixed(2)} (${thresholdNow.toFixed(2)})`,
    `${percent(before.balancedAccuracy.mean)} %`,
  ]);
  terminal.table([head, ...rows]);
  terminal.line(
    terminal.paint('dim', 'Thresholds were fitted on other rows than they are reported on; 95 % intervals.'),
  );
  for (const { judge, by, unjudged, failure, doubt } of all) {
    const who = `${judge} by ${toPrintable(by)}`;
    if (doubt !== undefined) terminal.warn(`${who}: ${doubt} Its threshold stays as it is.`);
    if (unjudged > 0)
      terminal.warn(
        `${who} said nothing of ${unjudged} rows${failure === undefined ? '' : `: ${toPrintable(failure)}`}.`,
      );
  }
}

interface CalibrateOptions {
  readonly judges: readonly JudgeKind[];
  readonly folds: number;
  readonly seed: number;
  readonly out?: string;
}

export function addCalibrateCommand(evals: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const command = evals
    .command('calibrate')
    .description(
      'Compare judges with the feedback of people: agreement with intervals, and the score from which an answer passes',
    )
    .argument(
      '<labels>',
      'JSONL of {question, response, context, expected?, labels: {groundedness: true, relevance: 4, …}}',
    )
    .addOption(
      new Option('--judges <names>', 'who is held against them, beside the rules: model, foundry')
        .argParser(readJudges)
        .default([], 'rules alone'),
    )
    .option('--folds <number>', 'parts of the cross-fitting, 2 to 20', toWholeNumber, 5)
    .option('--seed <number>', 'seed of folds and intervals', toWholeNumber, 1)
    .option('-o, --out <file>', 'where thresholds go, for "footnote eval run --judges model --thresholds FILE"')
    .addHelpText('after', '\nExample:\n  footnote eval calibrate labels.jsonl --judges model --out thresholds.json');
  command.action(async (labels: string, { judges, folds, seed, out }: CalibrateOptions) => {
    if (folds < 2 || folds > 20) throw new FootnoteError('invalid-request', `--folds is ${folds}: give 2 to 20.`);
    const { calibrateJudges } = await import('../../../footnote/trials/judge-calibration.ts');
    const all = await calibrateJudges(labels, { config: cli.config(command), judges, folds, seed, signal });
    if (out !== undefined) {
      // One that agrees no better than chance, or of too few rows, changes nothing.
      const kept = all.filter(({ doubt }) => doubt === undefined);
      const file = {
        format: 'footnote-eval-thresholds',
        judges: kept.map(({ judge, by, threshold, rows, agreement }) => ({ judge, by, threshold, rows, agreement })),
      };
      await writeFile(out, `${JSON.stringify(file, undefined, 1)}\n`).catch((error: unknown) => {
        throw toFootnoteError(error);
      });
    }
    terminal.value({ judges: all, ...(out !== undefined && { out }) });
    render(terminal, all);
    if (out !== undefined) terminal.line(`Thresholds written to ${toPrintable(out)}`);
  });
}
