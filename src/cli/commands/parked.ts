// footnote documents parked: files that were given up after three tries, and why.
import type { Command } from 'commander';
import { toWholeNumber } from '../terminal/options.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

interface ParkedOptions {
  readonly source?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export function addParkedCommand(documents: Command, cli: Cli): void {
  const { terminal } = cli;
  const parked = documents
    .command('parked')
    .description('List files that could not be read and are not tried again until they change')
    .option('-s, --source <name>', 'only of this source')
    .option('-n, --limit <number>', 'how many, at most 1000', toWholeNumber, 50)
    .option('--cursor <cursor>', 'go on after an earlier list')
    .addHelpText(
      'after',
      '\nTry them again with "footnote sync --retry".\n\nExample:\n  footnote documents parked --source docs',
    );
  cli.onData(parked, async ({ footnote }, { source, limit, cursor }: ParkedOptions) => {
    const page = await footnote.ingestions.parked({
      limit,
      ...(source !== undefined && { source }),
      ...(cursor !== undefined && { cursor }),
    });
    terminal.value(page);
    if (page.data.length === 0) terminal.line('No file was given up.');
    for (const { source: name, uri, tries, error } of page.data) {
      terminal.line(`${terminal.paint('bold', toPrintable(`${name}: ${uri}`))} (${tries} tries)`);
      terminal.line(`  ${toPrintable(error.message)}`);
    }
    if (page.nextCursor !== undefined) terminal.line(`More: --cursor ${page.nextCursor}`);
  });
}
