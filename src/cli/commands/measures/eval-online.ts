// footnote eval online: what judges said of a sample of the answers that were given.
import type { Command } from 'commander';
import type { EvalReport, EvalRow } from '../../../core/evaluation.ts';
import { type Terminal, toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(3));
const rowOf = (one: EvalRow): string[] =>
  [
    `  ${one.timestamp.slice(0, 16).replace('T', ' ')}`,
    one.traceId,
    figure(one.groundedness),
    figure(one.relevance),
    figure(one.retrievalPrecision),
    figure(one.criticCoverage),
    one.error ?? one.judge,
  ].map(toPrintable);
const head = ['  when', 'trace', 'groundedness', 'relevance', 'retrieval', 'critic', 'judge'];

function render(
  terminal: Terminal,
  { stats, worst, recent, days, drift, people, opened, judges = [] }: EvalReport,
): void {
  const ranked = [
    ['judgements of citations by people', people],
    ['readings of an answer with citations opened', opened],
  ] as const;
  for (const [what, ranks] of ranked)
    if (ranks)
      terminal.line(
        `${ranks.judgements} ${what}: mean reciprocal rank ${figure(ranks.meanReciprocalRank)}, among the first three ${figure(ranks.recallAtThree)}`,
      );
  if (stats.totalEvaluations === 0) {
    terminal.line('No answer was judged yet. Set ENABLE_ONLINE_EVALS=true, and a share with EVAL_SAMPLE_RATE.');
    return;
  }
  terminal.line(
    `${stats.totalEvaluations} answers judged, ${stats.errors} failed: groundedness ${figure(stats.avgGroundedness)} (${stats.lowGroundednessCount} below 0.7), relevance ${figure(stats.avgRelevance)}, retrieval ${figure(stats.avgRetrievalPrecision)}`,
  );
  terminal.line(`Agreement with the critic (r): ${figure(stats.criticCorrelation)}`);
  if (drift)
    terminal[drift.isFalling ? 'warn' : 'line'](
      `Groundedness of the last seven days ${figure(drift.recent)}, before ${figure(drift.earlier)}`,
    );
  const daily = days.slice(-14).map((one) => [`  ${one.day}`, String(one.evaluations), figure(one.avgGroundedness)]);
  const byJudge = judges.map((one) =>
    [
      `  ${one.judge}`,
      String(one.evaluations),
      String(one.errors),
      figure(one.avgGroundedness),
      figure(one.avgRelevance),
      figure(one.avgRetrievalPrecision),
    ].map(toPrintable),
  );
  for (const [title, rows] of [
    ...(judges.length > 1
      ? [
          [
            'By judge',
            [['  judge', 'answers', 'failed', 'groundedness', 'relevance', 'retrieval'], ...byJudge],
          ] as const,
        ]
      : []),
    ['By day', [['  day', 'answers', 'groundedness'], ...daily]],
    ['Worst of the last seven days', [head, ...worst.map(rowOf)]],
    ['Latest', [head, ...recent.slice(0, 10).map(rowOf)]],
  ] as const) {
    terminal.line(title);
    terminal.table(rows.map((cells) => [...cells]));
  }
}

export function addOnlineEvalsCommand(evals: Command, cli: Cli): void {
  const online = evals
    .command('online')
    .description('Show the judges’ scores of a sample of given answers: averages, drift, the worst')
    .addHelpText('after', '\nExample:\n  footnote eval online --json');
  cli.onData(
    online,
    async ({ footnote }) => {
      const report = await footnote.evals.report();
      cli.terminal.value(report);
      render(cli.terminal, report);
    },
    { needsData: true, leavesNoTrace: true },
  );
}
