// footnote sources: what there is, and removing a source with all its documents.
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { toPrintable, toTable } from '../terminal.ts';

export function addSourcesCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const sources = program.command('sources').description('List sources, or remove one with all its documents');
  const list = sources.command('list').description('List the sources');
  list.action(async () => {
    await cli.withData(list, { needsData: true }, async ({ footnote }) => {
      const data = await footnote.sources.list();
      terminal.value({ data });
      if (data.length === 0) terminal.line('There are no sources yet. Add one with "footnote ingest FOLDER".');
      const rows = data.map(({ name, type, documents, connector }) =>
        [name, type, `${documents} document${documents === 1 ? '' : 's'}`, connector?.path ?? ''].map(toPrintable),
      );
      for (const row of toTable(rows)) terminal.line(row);
    });
  });
  const remove = sources
    .command('remove')
    .description('Remove a source with all its documents from the data folder (files on disk are not touched)')
    .argument('<name>', 'name of the source')
    .addHelpText('after', '\nExample:\n  footnote sources remove about-footnote');
  remove.action(async (name: string) => {
    await cli.withData(remove, { needsData: true }, async ({ footnote }) => {
      const removedDocuments = await footnote.sources.remove(name);
      terminal.value({ source: name, removedDocuments });
      terminal.line(
        `Removed ${toPrintable(name)} with ${removedDocuments} document${removedDocuments === 1 ? '' : 's'}.`,
      );
    });
  });
}
