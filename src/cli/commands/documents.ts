// footnote documents: what is in the record, one document in full, and removing one.
import type { Command } from 'commander';
import { FootnoteError } from '../../core/errors.ts';
import type { Filter } from '../../core/search.ts';
import type { Cli } from '../cli.ts';
import { toWholeNumber } from '../options.ts';
import { plural, shorten } from '../render.ts';
import { toPrintable, toTable } from '../terminal.ts';

interface ListOptions {
  readonly source?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export function addDocumentsCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const documents = program.command('documents').description('List, show or delete documents');

  const list = documents
    .command('list', { isDefault: true })
    .description('List documents')
    .option('-s, --source <name>', 'only of this source')
    .option('-n, --limit <number>', 'how many, at most 1000', toWholeNumber, 50)
    .option('--cursor <cursor>', 'go on after an earlier list')
    .addHelpText('after', '\nExample:\n  footnote documents list --source docs');
  list.action(async ({ source, limit, cursor }: ListOptions) => {
    if (limit < 1 || limit > 1000) throw new FootnoteError('invalid-request', '--limit must be from 1 to 1000.');
    await cli.withData(list, { needsData: true }, async ({ footnote }) => {
      const filter: Filter | undefined =
        source === undefined ? undefined : { op: 'eq', field: 'source', value: source };
      const page = await footnote.documents.list({
        limit,
        ...(cursor !== undefined && { cursor }),
        ...(filter && { filter }),
      });
      terminal.value(page);
      if (page.data.length === 0) terminal.line('No documents.');
      const rows = page.data.map((one) =>
        [one.id, one.source, plural(one.chunkCount, 'chunk'), shorten(one.title, 50), shorten(one.uri, 60)].map(
          toPrintable,
        ),
      );
      for (const row of toTable(rows)) terminal.line(row);
      if (page.nextCursor !== undefined) terminal.line(`More: --cursor ${page.nextCursor}`);
    });
  });

  const show = documents
    .command('show')
    .description('Show a document: its facts, or with --text its whole text')
    .argument('<id>', 'id of the document')
    .option('--text', 'print the text that offsets and quotes refer to')
    .addHelpText('after', '\nExample:\n  footnote documents show doc_0123 --text');
  show.action(async (id: string, options: { text?: boolean }) => {
    await cli.withData(show, { needsData: true }, async ({ footnote }) => {
      const document = await footnote.documents.get(id);
      if (options.text) {
        const { text } = await footnote.documents.text(id);
        terminal.value({ ...document, text });
        terminal.line(toPrintable(text));
        return;
      }
      terminal.value(document);
      const { deliveries, ...facts } = document;
      const rows = Object.entries(facts).map(([name, value]) => [
        name,
        toPrintable(typeof value === 'object' ? JSON.stringify(value) : String(value)),
      ]);
      for (const row of toTable(rows)) terminal.line(row);
      for (const { store, status, lastError } of deliveries)
        terminal.line(`in ${store}: ${status}${lastError === undefined ? '' : ` (${toPrintable(lastError)})`}`);
    });
  });

  const remove = documents
    .command('delete')
    .description('Delete a document from the data folder (a file on disk is not touched)')
    .argument('<id>', 'id of the document')
    .addHelpText('after', '\nExample:\n  footnote documents delete doc_0123');
  remove.action(async (id: string) => {
    await cli.withData(remove, { needsData: true }, async ({ footnote }) => {
      await footnote.documents.delete(id);
      terminal.value({ id, deleted: true });
      terminal.line(`Deleted ${toPrintable(id)}.`);
    });
  });
}
