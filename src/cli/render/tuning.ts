// What tuning found, as a person reads it: what is in use, what the folds chose and what that was worth on queries that it was not
// chosen on, and the lines for the configuration, or why to change nothing.
import type { FusionSetting, FusionTuningReport } from '../../footnote/trials/tune-fusion.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toPValue } from './evaluation.ts';

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
const nameOf = (setting: FusionSetting | undefined): string =>
  setting ? `${setting.method}, semantic weight ${setting.semanticWeight}` : 'the setting in use';

export function renderTuning(terminal: Terminal, report: FusionTuningReport): void {
  const { inUse, tuned, gain, best, inUseSetting } = report;
  const weight = inUseSetting.semanticWeight ?? 'as measured best for the model';
  terminal.line(`In use: ${inUseSetting.method}, semantic weight ${weight}; ${report.queries} labelled queries`);
  if (report.unusableQueries > 0)
    terminal.warn(
      `${report.unusableQueries} queries were left out: none of their relevant documents is in this data folder.`,
    );
  if (report.unknownDocuments > 0)
    terminal.warn(`${report.unknownDocuments} judged documents are not in this data folder and count for nothing.`);
  terminal.line();
  const interval = ({ low, high }: { low: number; high: number }): string =>
    `95 % interval ${low.toFixed(4)} to ${high.toFixed(4)}`;
  const rows = [
    ['  nDCG@10 of the setting in use', inUse.mean.toFixed(4), interval(inUse)],
    ['  tuned, each query by the other folds', tuned.mean.toFixed(4), interval(tuned)],
    ['  gain', signed(gain.mean), `${interval(gain)}, ${toPValue(gain.p)}`],
  ];
  terminal.table(rows);
  terminal.line();
  const folds = report.folds.map((fold, index) => [
    `  fold ${index + 1}`,
    `${fold.queries} queries`,
    `${fold.inUse.toFixed(4)} to ${fold.tuned.toFixed(4)}`,
    nameOf(fold.setting),
  ]);
  terminal.table(folds);
  terminal.line();
  terminal.line(`Best over all of these labels: ${nameOf(best)}`);
  if (report.recommended && best) {
    terminal.line(terminal.paint('bold', 'Recommended. Put this into footnote.yaml and restart:'));
    terminal.line(`semanticWeight: ${best.semanticWeight}`);
    terminal.line(`fusionMethod: ${best.method}`);
    return;
  }
  terminal.line(terminal.paint('yellow', 'Not recommended: keep the setting in use.'));
  for (const reason of report.reasons) terminal.line(`  ${reason}`);
}
