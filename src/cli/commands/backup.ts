// footnote backup and restore: the record into one file, also while a server runs, and out of it again.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { FootnoteError } from '../../core/errors.ts';
import { addressOfRecord } from '../../footnote/parts/where.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

const countsOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

export function addBackupCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('backup')
    .description('Write all that is recorded into one file; a server may run meanwhile')
    .argument('<file>', 'a TAR that is not there yet')
    .addHelpText('after', '\nExamples:\n  footnote backup /backups/footnote-$(date +%F).tar');
  command.action(async (file: string) => {
    const config = cli.config(command);
    const address = addressOfRecord(config);
    const { backUp } = await import('../../footnote/backup/backup.ts');
    const place = address === undefined ? { folder: resolve(config.data) } : { address };
    const manifest = await backUp(place, resolve(file), cli.signal);
    terminal.value({ file, ...manifest });
    terminal.line(
      `Wrote ${toPrintable(file)}: ${countsOf(manifest.counts)}, as of ${manifest.createdAt} (SHA-256 of the record ${manifest.record.sha256}).`,
    );
    terminal.line('It holds what documents say and who may read them: keep it as safe as the data folder.');
  });
}

export function addRestoreCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('restore')
    .description('Put a backup into an empty data folder or database, or in the place of what is there')
    .argument('<file>', 'a backup')
    .option('--replace', 'the record that is there is moved aside, within the data folder')
    .addHelpText(
      'after',
      '\nThe server has to be stopped. Hosted stores are not restored: bring them up to date with "footnote stores reconcile".\n\nExamples:\n  footnote restore /backups/footnote-2026-11-29.tar --data ./new\n  footnote restore /backups/footnote-2026-11-29.tar --replace',
    );
  command.action(async (file: string, { replace = false }: { replace?: boolean }) => {
    const config = cli.config(command);
    const folder = resolve(config.data);
    const address = addressOfRecord(config);
    const { restore, restoreToPostgres } = await import('../../footnote/backup/restore.ts');
    if (address !== undefined) {
      if (replace)
        throw new FootnoteError(
          'unsupported',
          'A database is restored empty, never in the place of what is there. Name a new one by FOOTNOTE_DATABASE_URL.',
        );
      const manifest = await restoreToPostgres({ folder, file: resolve(file), signal: cli.signal }, address);
      terminal.value({ ...manifest });
      terminal.line(`Restored ${countsOf(manifest.counts)} into the database, as of ${manifest.createdAt}.`);
      return;
    }
    const { manifest, kept } = await restore(folder, resolve(file), { replace, signal: cli.signal });
    terminal.value({ folder, ...(kept !== undefined && { kept }), ...manifest });
    terminal.line(`Restored ${countsOf(manifest.counts)} into ${folder}, as of ${manifest.createdAt}.`);
    if (kept !== undefined) terminal.line(`What was there is kept in ${kept}. Remove it when nothing of it is missed.`);
  });
}
