// footnote audit: who asked, read or changed what, and whether that log is still what was written.
import { type Command, Option } from 'commander';
import type { AuditQuery } from '../../core/traces/audit.ts';
import { everyPage } from '../remote/every-page.ts';
import { plural } from '../render/render.ts';
import { toWholeNumber } from '../terminal/options.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

type Filter = Omit<AuditQuery, 'limit' | 'cursor'>;

const filtered = (command: Command): Command =>
  command
    .option('--from <instant>', 'begun at or after it, such as 2026-11-29T00:00:00Z')
    .option('--to <instant>', 'begun before it')
    .option('--principal <id>', 'who asked, such as key:key_…')
    .option('--operation <name>', 'such as ask, or "documents." for all that begin so')
    .option('--outcome <code>', 'done, or the code of an error')
    .option('--target <id>', 'what was asked for or made')
    .option('--request-id <id>', 'of one request');

export function addAuditCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const group = program.command('audit').description('Show who asked, read or changed what, and check that log');

  const list = filtered(group.command('list').description('List what was done, newest first')).addOption(
    new Option('-n, --limit <number>', 'rows at most').argParser(toWholeNumber).default(50),
  );
  cli.onData(list, async ({ footnote }, { limit, ...filter }: Filter & { limit: number }) => {
    const { data } = await footnote.audit.list({ ...filter, limit });
    terminal.value(data);
    terminal.table(
      data.map(({ seq, at, principal, operation, targets, outcome, ms }) =>
        [`${seq}`, at, principal, operation, targets.slice(0, 3).join(' '), outcome, `${ms} ms`].map(toPrintable),
      ),
      'Nothing of that kind was done.',
    );
  });

  const all = filtered(group.command('export').description('Print all of it as JSONL, newest first'));
  cli.onData(all, async ({ footnote }, filter: Filter) => {
    const rows = everyPage((page) => footnote.audit.list({ ...filter, ...page }));
    if (terminal.json) terminal.value(await Array.fromAsync(rows));
    else for await (const row of rows) terminal.line(JSON.stringify(row));
  });

  const verify = group
    .command('verify')
    .description('Check that the log is what was written; what is not is named')
    .option('--head <head>', 'as an earlier check told it: the log still has to hold that row');
  cli.onData(verify, async ({ footnote }, options: { head?: string }) => {
    const check = await footnote.audit.verify(options);
    terminal.value(check);
    for (const fault of check.faults) terminal.line(toPrintable(fault));
    if (check.ok) terminal.line(`${plural(check.rows, 'row')}, each as it was written. Head: ${check.head ?? 'none'}`);
    else cli.exitCode = 1;
  });
}
