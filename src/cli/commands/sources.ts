// footnote sources: what there is, declaring one and reading it, and removing one with all its documents.
import type { Command } from 'commander';
import { shownPlace } from '../../core/connector.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Access } from '../remote/access.ts';
import { plural } from '../render/render.ts';
import { followRun, hasRealFailure, renderRun, toRunError, toRunValue } from '../render/runs.ts';
import { endReading } from '../render/settle.ts';
import { addSourceOptions, type SourceOptions, toDeclared } from '../terminal/source-inputs.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

/** Larger sources are not removed by a slip of the keyboard: a person is asked. */
const askedFrom = 20;

export function addSourcesCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const sources = program
    .command('sources')
    .description('List the sources, declare one, or remove one with all its documents');
  const list = sources.command('list', { isDefault: true }).description('List the sources');
  cli.onData(list, async ({ footnote }) => {
    const data = await footnote.sources.list();
    terminal.value({ data });
    const rows = data.map(({ name, type, documents, connector }) =>
      [name, type, plural(documents, 'document'), connector ? shownPlace(connector) : ''].map(toPrintable),
    );
    terminal.table(rows, 'There are no sources yet. Add one with "footnote ingest FOLDER" or "footnote sources add".');
  });
  addAdd(sources, cli);
  addShow(sources, cli);
  const sync = sources
    .command('sync')
    .description('Read a source anew, as "footnote sync" does')
    .argument('<name>', 'name of the source');
  cli.onData(sync, async (access, name: string) => {
    await readSource(access, { cli, name });
  });
  const remove = sources
    .command('remove')
    .description('Remove a source with all its documents from the data folder (files on disk are not touched)')
    .argument('<name>', 'name of the source')
    .option('-y, --yes', 'do not ask, however many documents it has')
    .addHelpText('after', '\nExample:\n  footnote sources remove about-footnote');
  cli.onData(remove, async ({ footnote }, name: string, options: { yes?: boolean }) => {
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
}

function addAdd(sources: Command, cli: Cli): void {
  const { terminal } = cli;
  const add = addSourceOptions(
    sources
      .command('add')
      .description('Declare a source (a folder, addresses, a site, a feed, a repository) and read it')
      .argument('<name>', 'name of the source'),
  ).addHelpText(
    'after',
    `
Pages that did not change are not sent again by their site. Robots.txt is obeyed for sites and feeds. Hosts of your own network are read
only where WEB_ALLOW_HOSTS names them.

Examples:
  footnote sources add handbook --sitemap https://example.org/handbook/ --type docs
  footnote sources add pages --url https://example.org/a.html --url https://example.org/b.pdf
  footnote sources add news --feed https://example.org/feed.xml
  footnote sources add engine --git ~/src/engine --ref main --include 'src/**'`,
  );
  add.action(async (name: string, options: SourceOptions) => {
    const source = toDeclared(name, options);
    await cli.withData(add, {}, async (access) => {
      const { footnote } = access;
      const known = (await footnote.sources.list()).find((one) => one.name === name);
      if (known && !known.connector)
        throw new FootnoteError(
          'conflict',
          `Source "${name}" holds documents that were added one by one. Choose another name.`,
        );
      const declared = await footnote.sources.put(source);
      if (options.sync === false) {
        terminal.value({ source: declared });
        terminal.line(`Declared ${toPrintable(name)}. Read it with: footnote sync ${toPrintable(name)}`);
      } else {
        try {
          await readSource(access, { cli, name });
        } catch (thrown) {
          if (!known)
            terminal.line(
              `${toPrintable(name)} is declared. Correct it with the same command, or remove it: footnote sources remove ${toPrintable(name)}`,
            );
          throw thrown;
        }
      }
    });
  });
}

/** Follows one run to its end. */
async function readSource(access: Access, { cli, name }: { readonly cli: Cli; readonly name: string }): Promise<void> {
  const { terminal, signal } = cli;
  const run = await followRun(access.footnote, { terminal, source: name }, signal);
  renderRun(terminal, run);
  await endReading(access, { terminal, wait: false, value: { ingestions: [toRunValue(run)] } }, signal);
  if (hasRealFailure(run.failed)) cli.exitCode = 1;
  const failure = run.run.state === 'done' ? undefined : toRunError(run);
  if (failure) throw failure;
}

function addShow(sources: Command, cli: Cli): void {
  const { terminal } = cli;
  const show = sources
    .command('show')
    .description('Show how a source was declared and when it was read')
    .argument('<name>', 'name of the source');
  cli.onData(show, async ({ footnote }, name: string) => {
    const source = await footnote.sources.get(name);
    const documents = (await footnote.sources.list()).find((one) => one.name === name)?.documents ?? 0;
    const run = (await footnote.ingestions.list({ limit: 200 })).data.find((one) => one.source === name);
    terminal.value({ source: { ...source, documents }, ...(run && { lastRun: run }) });
    const rows: [string, string][] = [
      ['name', source.name],
      ['type', source.type],
      ['documents', String(documents)],
      ...(source.connector
        ? ([['reads', `${source.connector.kind} ${shownPlace(source.connector)}`]] as [string, string][])
        : []),
      ...(source.authority === undefined ? [] : ([['authority', String(source.authority)]] as [string, string][])),
      ...(source.ttlSeconds === undefined ? [] : ([['ttl', `${source.ttlSeconds} s`]] as [string, string][])),
      ...(source.schedule ? ([['schedule', `every ${source.schedule.everyMinutes} min`]] as [string, string][]) : []),
      ...(source.watch ? ([['watched', 'yes']] as [string, string][]) : []),
      ['last read', run ? `${run.startedAt}, ${run.state}` : 'never'],
    ];
    terminal.table(rows.map((row) => row.map(toPrintable)));
  });
}
