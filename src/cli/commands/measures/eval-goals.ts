// footnote eval goals: the figures of success, measured from the record, with what cannot be measured here.
import type { Command } from 'commander';
import { isFootnoteError } from '../../../core/errors.ts';
import type { SavedTrace } from '../../../core/trace-file.ts';
import type { Goal } from '../../../evals/goals/goals.ts';
import type { SuiteRun } from '../../../evals/suite/run.ts';
import type { Footnote } from '../../../footnote/facade.ts';
import { toWholeNumber } from '../../terminal/options.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

interface GoalOptions {
  readonly last: number;
  readonly replays: number;
  readonly plain?: string;
  readonly decomposed?: string;
}

async function readTraces(footnote: Footnote, count: number): Promise<SavedTrace[]> {
  const { data } = await footnote.traces.list({ limit: Math.min(1000, Math.max(1, count)) });
  const traces: SavedTrace[] = [];
  for (const trace of data)
    if (trace.kind === 'ask' || trace.kind === 'message')
      traces.push({ ...(await footnote.traces.get(trace.id)), trace });
  return traces;
}

/** Of answers whose documents are still as they were. */
async function checkCitations(footnote: Footnote, traces: readonly SavedTrace[]) {
  let [checked, sound] = [0, 0];
  for (const { event } of traces.flatMap(({ events }) => events)) {
    if (event.type !== 'done' || event.answer.citations.length === 0) continue;
    const { citations } = await footnote.answers.verify(event.answer);
    checked += citations.length;
    sound += citations.filter(({ ok }) => ok).length;
  }
  return { checked, sound };
}

async function tryReplays(footnote: Footnote, traces: readonly SavedTrace[]) {
  let [tried, same] = [0, 0];
  for (const { trace } of traces) {
    try {
      const replay = await footnote.traces.replay(trace.id);
      tried++;
      if ('same' in replay && replay.same) same++;
    } catch (thrown) {
      // A trace of an earlier version, or one that something was erased from, holds too little.
      if (!isFootnoteError(thrown) || thrown.code !== 'conflict') throw thrown;
    }
  }
  return { tried, same };
}

function toValue({ value, unit }: Goal): string {
  if (value === undefined) return 'not measured';
  if (unit === 'share') return `${(100 * value).toFixed(1)} %`;
  if (unit === 'MB') return `${value.toFixed(1)} MB`;
  return unit === 'ms' ? `${value.toFixed(0)} ms` : value.toFixed(2);
}

function render(terminal: Terminal, goals: readonly Goal[]): void {
  const rows = goals.map((goal) => [
    goal.value === undefined ? '·' : goal.met ? 'met' : 'missed',
    goal.name,
    toValue(goal),
    `wanted ${goal.wanted}`,
    goal.of === undefined ? '' : `of ${goal.of}`,
  ]);
  terminal.table(rows);
  for (const { name, reason } of goals) if (reason !== undefined) terminal.note(`${name}: ${reason}`);
}

export function addGoalsCommand(evals: Command, cli: Cli, openRun: (path: string) => Promise<SuiteRun>): void {
  const goals = evals
    .command('goals')
    .description(
      'Measure the figures of success from the record: sources, citations, memories, critic, replays, traces',
    )
    .option('--last <count>', 'requests that are looked at', toWholeNumber, 200)
    .option('--replays <count>', 'of these that are replayed', toWholeNumber, 20)
    .option('--plain <run>', 'a run of a suite without questions taken apart')
    .option('--decomposed <run>', 'the same suite with them')
    .addHelpText('after', '\nExample:\n  footnote eval goals --last 500 --json');
  goals.action(async ({ last, replays, plain, decomposed }: GoalOptions) => {
    const [{ goalsOf }, { compareRuns }] = await Promise.all([
      import('../../../evals/goals/goals.ts'),
      import('../../../evals/suite/compare.ts'),
    ]);
    const compared =
      plain === undefined || decomposed === undefined
        ? undefined
        : compareRuns(await openRun(plain), await openRun(decomposed));
    await cli.withData(goals, { needsData: true }, async ({ footnote }) => {
      const traces = await readTraces(footnote, last);
      const found = goalsOf({
        traces,
        citations: await checkCitations(footnote, traces),
        replays: await tryReplays(footnote, traces.slice(0, replays)),
        ...(compared && { decomposed: compared }),
      });
      cli.terminal.value({ goals: found, requests: traces.length });
      cli.terminal.line(`From ${traces.length} requests of the record`);
      render(cli.terminal, found);
    });
  });
}
