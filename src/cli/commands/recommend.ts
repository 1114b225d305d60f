// footnote recommend: what to read next, and why.
import type { Command } from 'commander';
import { toWholeNumber } from '../terminal/options.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

export function addRecommendCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('recommend')
    .description('Suggest what to read next: related documents of the same categories that others opened')
    .argument('[document]', 'id of the document that is open now')
    .option('--read <ids>', 'ids of what was read, oldest first, separated by commas')
    .option('--limit <count>', 'how many', toWholeNumber, 5)
    .addHelpText('after', '\nExample:\n  footnote recommend doc_123 --read doc_456,doc_789');
  command.action(async (currentDocumentId: string | undefined, options: { read?: string; limit: number }) => {
    const readDocumentIds = (options.read ?? '').split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]));
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const data = await footnote.recommend({
        readDocumentIds,
        limit: options.limit,
        ...(currentDocumentId !== undefined && { currentDocumentId }),
      });
      terminal.value({ data });
      if (data.length === 0) terminal.line('There is nothing else to read.');
      for (const [at, { documentId, title, reason }] of data.entries()) {
        terminal.line(`${at + 1}. ${terminal.paint('bold', toPrintable(title))} (${documentId})`);
        terminal.line(`   ${toPrintable(reason)}`);
      }
    });
  });
}
