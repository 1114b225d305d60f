// footnote sources: what there is, and removing a source with all its documents.
import type { Command } from 'commander';
import { FootnoteError } from '../../core/errors.ts';
import { plural } from '../render/render.ts';
import { toPrintable, toTable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

/** Larger sources are not removed by a slip of the keyboard: a person is asked. */
const askedFrom = 20;

export function addSourcesCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const sources = program.command('sources').description('List the sources, or remove one with all its documents');
  const list = sources.command('list', { isDefault: true }).description('List the sources');
  list.action(async () => {
    await cli.withData(list, { needsData: true }, async ({ footnote }) => {
      const data = await footnote.sources.list();
      terminal.value({ data });
      if (data.length === 0) terminal.line('There are no sources yet. Add one with "footnote ingest FOLDER".');
      const rows = data.map(({ name, type, documents, connector }) =>
        [name, type, plural(documents, 'document'), connector?.path ?? ''].map(toPrintable),
      );
      for (const row of toTable(rows)) terminal.line(row);
    });
  });
  const remove = sources
    .command('remove')
    .description('Remove a source with all its documents from the data folder (files on disk are not touched)')
    .argument('<name>', 'name of the source')
    .option('-y, --yes', 'do not ask, however many documents it has')
    .addHelpText('after', '\nExample:\n  footnote sources remove about-footnote');
  remove.action(async (name: string, options: { yes?: boolean }) => {
    await cli.withData(remove, { needsData: true }, async ({ footnote }) => {
      const documents = (await footnote.sources.list()).find((one) => one.name === name)?.documents ?? 0;
      if (terminal.isInteractive && !terminal.json && !options.yes && documents > askedFrom) {
        const { confirm } = await import('@clack/prompts');
        const isSure = await confirm({
          message: `Remove ${toPrintable(name)} with ${documents} documents?`,
          initialValue: false,
        });
        if (isSure !== true) throw new FootnoteError('cancelled', 'Nothing was removed.');
      }
      const removedDocuments = await footnote.sources.remove(name);
      terminal.value({ source: name, removedDocuments });
      terminal.line(`Removed ${toPrintable(name)} with ${plural(removedDocuments, 'document')}.`);
    });
  });
}
