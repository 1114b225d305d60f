// footnote eval run, compare and from-trace: suites that say whether a change made answers better or worse.
import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import { type Mode, modes } from '../../../core/search.ts';
import type { RunComparison } from '../../../evals/suite/compare.ts';
import type { SuiteRun } from '../../../evals/suite/run.ts';
import { type JudgeKind, judgeKinds } from '../../../footnote/evals/judge-kinds.ts';
import { plural } from '../../render/render.ts';
import { type Terminal, toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';
import { addFromTraceCommand } from './eval-from-trace.ts';

const runFile = 'run.json';

/** `rules` may be said, too: they always judge. */
function readJudges(value: string): readonly JudgeKind[] {
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

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true });
    const paths = Object.entries(files).map(([name, text]) => [join(folder, name), text] as const);
    await Promise.all(paths.map(([path, text]) => writeFile(path, text)));
    return paths.map(([path]) => path);
  } catch (error) {
    throw toFootnoteError(error);
  }
}

/** A run, given as its file or as the folder that `eval run` wrote. */
export async function openRun(path: string): Promise<SuiteRun> {
  const { readRun } = await import('../../../evals/suite/compare.ts');
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, runFile) : path;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw toFootnoteError(error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FootnoteError('invalid-request', `${file} is not JSON.`, { cause: error });
  }
  return readRun(value, file);
}

function renderRun(terminal: Terminal, run: SuiteRun): void {
  terminal.line(`${toPrintable(run.suite.name)}: ${run.results.length} questions, mode ${run.mode}`);
  const rows = Object.entries(run.summary).map(([name, { mean, low, high, cases }]) => [
    `  ${name}`,
    mean.toFixed(4),
    `95 % interval ${low.toFixed(4)} to ${high.toFixed(4)}`,
    `${cases} questions`,
  ]);
  terminal.table(rows);
  terminal.line(`  median ${run.medianMs.toFixed(0)} ms`);
  const failed = run.results.filter(({ error }) => error !== undefined);
  if (failed.length > 0) terminal.warn(`${failed.length} questions failed; the first: ${failed[0]?.error}`);
  for (const { by, answers, detail } of run.failures ?? [])
    terminal.warn(`${toPrintable(by)} failed on ${plural(answers, 'answer')}: ${toPrintable(detail)}`);
}

function renderComparison(terminal: Terminal, comparison: RunComparison): void {
  const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
  const rows = comparison.measures.map(({ measure, before, after, mean, low, high, p, better, worse }) => [
    `  ${measure}`,
    `${before.toFixed(4)} → ${after.toFixed(4)}`,
    `${signed(mean)} (${signed(low)} to ${signed(high)})`,
    `p ${p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`}`,
    `${better} better, ${worse} worse`,
  ]);
  terminal.line(`${toPrintable(comparison.before.suite.name)}: ${comparison.questions} questions in both runs`);
  terminal.table(rows);
  for (const { id, question, balance } of comparison.changed.filter((one) => one.balance < 0).slice(0, 5))
    terminal.line(`  worse (${signed(balance)}): ${toPrintable(`${id}: ${question}`)}`);
  if (comparison.refused.length === 0) terminal.line('No measure fell by more than chance explains.');
  for (const reason of comparison.refused) terminal.warn(toPrintable(reason));
}

interface RunOptions {
  readonly mode?: Mode;
  readonly out: string;
  readonly judges: readonly JudgeKind[];
  readonly gate?: boolean;
}

/** Tells of each question that does not pass; whether all do. */
function passes(terminal: Terminal, { results }: SuiteRun): boolean {
  const failed = results.filter(({ error, missed }) => error !== undefined || missed.length > 0);
  for (const { id, question, error, missed } of failed)
    terminal.warn(toPrintable(`${id} does not pass (${error ?? missed.join(', ')}): ${question}`));
  return failed.length === 0;
}

export function addSuiteCommands(evals: Command, cli: Cli): void {
  const { terminal, signal } = cli;

  const run = evals
    .command('run')
    .description('Run a suite: ask its questions over its documents, judge every answer, write reports')
    .argument('<suite>', 'a folder (cases.jsonl beside docs/ or corpus.jsonl), or a JSON file that names them')
    .addOption(new Option('-m, --mode <mode>', 'how to search; default: the suite’s').choices([...modes]))
    .option('-o, --out <folder>', 'where run.json, run.md, run.junit.xml and run.html go', 'eval-run')
    .addOption(
      new Option('--judges <names>', 'who judges beside the rules: model, foundry, or both with a comma')
        .argParser(readJudges)
        .default([], 'rules alone'),
    )
    .option('--gate', 'exit with 1 where a question fails or a judge does not pass its answer')
    .addHelpText(
      'after',
      `
Examples:
  footnote eval run ./suite --gate
  footnote eval run ./suite --out before
  footnote eval run ./suite --out after && footnote eval compare before after --gate
  footnote eval run ./suite --judges foundry`,
    );
  run.action(async (path: string, options: RunOptions) => {
    const [{ openSuite }, { trySuite }, reports] = await Promise.all([
      import('../../../evals/suite/suite.ts'),
      import('../../../footnote/trials/suite-trial.ts'),
      import('../../../evals/report/run-report.ts'),
    ]);
    const config = cli.config(run);
    const suite = await openSuite(path);
    const done = await trySuite(suite, {
      config,
      judges: options.judges,
      ...(options.mode && { mode: options.mode }),
      onRefused: ({ id, reason }) => terminal.warn(`${toPrintable(id)}: ${toPrintable(reason)}`),
      onProgress(count, total) {
        if (count % 50 === 0 || count === total) terminal.note(`${count} of ${total} questions`);
      },
      signal,
    });
    const files = await write(options.out, {
      [runFile]: `${JSON.stringify(done, undefined, 1)}\n`,
      'run.md': reports.runToMarkdown(done),
      'run.junit.xml': reports.runToJUnit(done),
      'run.html': reports.runToHtml(done),
    });
    const { results: _, ...summary } = done;
    terminal.value({ ...summary, questions: done.results.length, files });
    renderRun(terminal, done);
    terminal.line(`Written to ${toPrintable(options.out)}`);
    if (options.gate && !passes(terminal, done)) cli.exitCode = 1;
  });

  const compare = evals
    .command('compare')
    .description('Compare two runs of a suite: paired intervals, questions won and lost')
    .argument('<before>', 'a run: its folder or its run.json')
    .argument('<after>', 'the other one')
    .option('--gate', 'exit with 1 where something fell that chance does not explain')
    .option('-o, --out <folder>', 'where comparison.json, .md, .junit.xml and .html go')
    .addHelpText('after', '\nExample:\n  footnote eval compare before after --gate --out difference');
  compare.action(async (before: string, after: string, options: { gate?: boolean; out?: string }) => {
    const [{ compareRuns }, reports] = await Promise.all([
      import('../../../evals/suite/compare.ts'),
      import('../../../evals/report/comparison-report.ts'),
    ]);
    const comparison = compareRuns(await openRun(before), await openRun(after));
    if (options.out !== undefined)
      await write(options.out, {
        'comparison.json': `${JSON.stringify(comparison, undefined, 1)}\n`,
        'comparison.md': reports.comparisonToMarkdown(comparison),
        'comparison.junit.xml': reports.comparisonToJUnit(comparison),
        'comparison.html': reports.comparisonToHtml(comparison),
      });
    terminal.value(comparison);
    renderComparison(terminal, comparison);
    if (options.gate && comparison.refused.length > 0) cli.exitCode = 1;
  });

  addFromTraceCommand(evals, cli);
}
