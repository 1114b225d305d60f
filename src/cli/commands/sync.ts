// footnote sync: reads the folders of sources anew. What did not change costs nothing.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { folderOf } from '../../core/connector.ts';
import type { Source } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { readPasswordLines } from '../../footnote/password-files.ts';
import { openReport } from '../render/outcomes.ts';
import { assertDryRun, previewAll } from '../render/previews.ts';
import { followRun, hasRealFailure, type RunReport, renderRun, toRunError, toRunValue } from '../render/runs.ts';
import { endReading } from '../render/settle.ts';
import { assertStaysSecret } from '../terminal/ingest-inputs.ts';
import type { Cli } from './cli.ts';

interface SyncOptions {
  readonly wait?: boolean;
  readonly retry?: boolean;
  readonly reread?: boolean;
  readonly confirm?: boolean;
  /** False: forgets the one that was named before. */
  readonly passwordFile?: string | false;
  readonly dryRun?: boolean;
  readonly report?: string;
}

/** The source as it is with another password file, or without one; undefined: as it was. */
function withPasswordFile({ connector, ...source }: Source, path: string | false | undefined): Source {
  if (connector === undefined) return source;
  if (path === undefined || connector.kind !== 'folder') return { ...source, connector };
  const { passwordFile: _, ...rest } = connector;
  return { ...source, connector: path === false ? rest : { ...rest, passwordFile: resolve(path) } };
}

export function addSyncCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const command = program
    .command('sync')
    .description('Read the folders of sources anew: new and changed files come in, vanished ones go')
    .argument('[sources...]', 'names of sources; all that have a folder by default')
    .option('--retry', 'read files again that were given up after three tries')
    .option('--reread', 'read every file again, unchanged ones too; what comes out as before stays')
    .option('--no-reread', 'read no unchanged file again, not even those that this version reads better')
    .option(
      '--confirm',
      'delete and overwrite what the named sources no longer show, also where a run found that doubtful',
    )
    .option(
      '--password-file <file>',
      'passwords of encrypted files, PASSWORD or PATTERN<tab>PASSWORD on each line; the path is kept for later runs',
    )
    .option('--no-password-file', 'forget the path of the password file')
    .option('--dry-run', 'only say what that would bring: files, chunks, time, cost, and what cannot be read')
    .option('--report <file>', 'write what became of each file to FILE, a JSON object per line')
    .option(
      '--wait',
      'end when search by meaning has learned all of it, so that the same files always rank alike, and other stores have taken it',
    )
    .addHelpText(
      'after',
      `
Examples:
  footnote sync
  footnote sync docs
  footnote sync --dry-run`,
    );
  command.action(async (names: string[], options: SyncOptions) => {
    assertDryRun(options);
    if (options.confirm && names.length === 0)
      throw new FootnoteError(
        'invalid-request',
        'Name the sources that --confirm is about: footnote sync NAME --confirm.',
      );
    if (options.passwordFile) await readPasswordLines(options.passwordFile);
    await cli.withData(command, { needsData: true }, async (access) => {
      const { footnote } = access;
      const sources = await footnote.sources.list();
      for (const name of names) {
        const source = sources.find((one) => one.name === name);
        if (!source) {
          const known = sources.map((one) => one.name).join(', ') || 'none';
          throw new FootnoteError('not-found', `There is no source "${name}". There are: ${known}.`);
        }
        if (!source.connector)
          throw new FootnoteError(
            'unsupported',
            `Source "${name}" has nothing to read: its documents were added one by one. Ingest them again.`,
          );
      }
      const wanted = names.length > 0 ? names : sources.filter((one) => one.connector).map((one) => one.name);
      if (wanted.length === 0)
        throw new FootnoteError(
          'not-found',
          'No source has anything to read. Add one with "footnote ingest FOLDER" or "footnote sources add".',
        );
      const looked = sources
        .filter(({ name }) => wanted.includes(name))
        .map(({ documents: _, ...source }) => withPasswordFile(source, options.passwordFile));
      if (options.dryRun) {
        await previewAll(footnote, { terminal, sources: looked, documents: [], signal });
        return;
      }
      for (const { name, connector } of sources) {
        const now = looked.find((one) => one.name === name)?.connector;
        if (connector?.kind === 'folder' && now?.kind === 'folder') assertStaysSecret(connector, now);
      }
      if (options.passwordFile !== undefined) for (const source of looked) await footnote.sources.put(source);
      const report = await openReport(
        options.report,
        looked.flatMap(({ connector }) => folderOf(connector) ?? []),
      );
      const reports: RunReport[] = [];
      try {
        for (const source of wanted) {
          const { retry = false, reread, confirm = false } = options;
          const reading = { retry, confirm, ...(reread !== undefined && { reread }) };
          const run = await followRun(footnote, { terminal, source, reading, report }, signal);
          renderRun(terminal, run);
          reports.push(run);
          signal.throwIfAborted();
        }
      } finally {
        await report?.close();
      }
      const wait = options.wait === true;
      const { isWhole } = await endReading(
        access,
        { terminal, wait, value: { ingestions: reports.map(toRunValue) } },
        signal,
      );
      if (hasRealFailure(reports.flatMap(({ failed }) => failed)) || (wait && !isWhole)) cli.exitCode = 1;
      const failure = reports
        .filter(({ run }) => run.state !== 'done')
        .map(toRunError)
        .find((error) => error !== undefined);
      if (failure) throw failure;
    });
  });
}
