// footnote affected: which answers rest on a document, and which of them no longer stand as they were given.
import type { Command } from 'commander';
import { toWholeNumber } from '../../terminal/options.ts';
import { toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

export function addAffectedCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('affected')
    .description('List the answers that rest on a document, also after it was changed or deleted')
    .argument('<document>', 'id of the document')
    .option('--chunk <id>', 'only answers that were composed from this chunk')
    .option('--limit <count>', 'how many', toWholeNumber, 50)
    .addHelpText('after', '\nExample:\n  footnote affected doc_123');
  cli.onData(command, async ({ footnote }, documentId: string, { chunk, limit }: { chunk?: string; limit: number }) => {
    const place = { documentId, ...(chunk !== undefined && { chunkId: chunk }) };
    const page = await footnote.answers.using(place, { limit });
    terminal.value(page);
    const rows = page.data.map(({ answerId, createdAt, chunks }) =>
      [
        createdAt.slice(0, 16).replace('T', ' '),
        answerId,
        chunks.some(({ cited }) => cited) ? 'cites it' : 'read it',
        chunks.every(({ isCurrent }) => isCurrent) ? 'as it stands' : 'changed since',
      ].map(toPrintable),
    );
    terminal.table(rows, 'No answer rests on it.');
    if (page.nextCursor !== undefined) terminal.note(`These are the newest ${limit}; --limit shows more.`);
  });
}
