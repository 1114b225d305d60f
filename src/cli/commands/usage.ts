// footnote usage: what models cost, by day, session, key, role or model, and how much of today's limits is left.
import { type Command, Option } from 'commander';
import { type SpendingTotals, type UsageGroup, usageGroups } from '../../core/spending.ts';
import type { UsageReport } from '../../footnote/facade.ts';
import { plural } from '../render/render.ts';
import { toSum } from '../terminal/figures.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: UsageGroup;
}

/** The cost as far as it is known. */
function costOf({ costUsd, calls, unpricedCalls }: SpendingTotals): string {
  if (unpricedCalls === 0) return toSum(costUsd);
  if (unpricedCalls === calls) return 'price unknown';
  return `${toSum(costUsd)} and ${plural(unpricedCalls, 'call')} of unknown price`;
}

const cellsOf = (name: string, totals: SpendingTotals): string[] => [
  toPrintable(name),
  plural(totals.calls, 'call'),
  `${totals.inputTokens} tokens in`,
  `${totals.outputTokens} out`,
  costOf(totals),
  totals.refusedCalls === undefined ? '' : `${totals.refusedCalls} refused`,
];

const limitWords = { calls: 'calls', inputTokens: 'input tokens', outputTokens: 'output tokens' } as const;

function limitsOf({ limits, spent }: UsageReport['budgets'][number]): string[] {
  const counted = (Object.keys(limitWords) as (keyof typeof limitWords)[]).flatMap((kind) =>
    limits[kind] === undefined ? [] : [`${spent[kind]} of ${limits[kind]} ${limitWords[kind]}`],
  );
  return limits.costUsd === undefined ? counted : [...counted, `${toSum(spent.costUsd)} of ${toSum(limits.costUsd)}`];
}

function renderUsage(terminal: Terminal, { from, to, by, data, omitted, total, budgets }: UsageReport): void {
  if (total.calls + (total.refusedCalls ?? 0) === 0) terminal.line(`No model was called from ${from} to ${to}.`);
  else {
    const rows = data.map(({ name, principal, ...totals }) =>
      cellsOf(by === 'session' ? `${name || '(no session)'} of ${principal ?? 'you'}` : name, totals),
    );
    terminal.table([...rows, cellsOf('total', total)]);
    if (omitted > 0) terminal.line(`${plural(omitted, 'more row')} cost less each.`);
  }
  for (const budget of budgets) {
    const opens = budget.opensAt === undefined ? '' : `, anew at ${budget.opensAt}`;
    terminal.line(`${budget.name} (${budget.setting}): ${limitsOf(budget).join(', ')} spent${opens}`);
  }
}

export function addUsageCommand(program: Command, cli: Cli): void {
  const command = program
    .command('usage')
    .description('Show what models cost, and how today’s limits stand')
    .option('--from <day>', 'first day (UTC), such as 2026-11-01 (default: 29 days before the last)')
    .option('--to <day>', 'last day (UTC) (default: today)')
    .addOption(new Option('--by <what>', 'what rows are told apart by').choices([...usageGroups]).default('day'))
    .addHelpText(
      'after',
      `
Examples:
  footnote usage
  footnote usage --by model --from 2026-11-01
  footnote usage --by key --json`,
    );
  cli.onData(command, async ({ footnote }, options: UsageOptions) => {
    const report = await footnote.usage(options);
    cli.terminal.value(report);
    renderUsage(cli.terminal, report);
  });
}
