// footnote move: the whole record from the data folder into PostgreSQL, and back into a folder.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { FootnoteError } from '../../core/errors.ts';
import { addressOfRecord } from '../../footnote/parts/where.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

interface MoveFlags {
  readonly to: string;
  readonly resume?: boolean;
}

export function addMoveCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const command = program
    .command('move')
    .description('Move all that is recorded from the data folder into PostgreSQL, or back into a new folder')
    .requiredOption(
      '--to <target>',
      '"postgres", the empty database of FOOTNOTE_DATABASE_URL; or a folder that is not there yet',
    )
    .option('--resume', 'go on with a move that was interrupted')
    .addHelpText(
      'after',
      '\nServers have to be stopped. What is moved from is not changed; what is moved to is of use when the command has said that both are equal.\n\nExamples:\n  footnote move --to postgres --data ./.footnote\n  footnote move --to ./back',
    );
  command.action(async ({ to, resume: isResumed = false }: MoveFlags) => {
    const config = cli.config(command);
    const address = addressOfRecord(config);
    if (address === undefined)
      throw new FootnoteError(
        'config-invalid',
        'FOOTNOTE_DATABASE_URL names no database. Set it in the environment or in .env: on the command line others would see it.',
      );
    const { moveToFolder, moveToPostgres } = await import('../../footnote/backup/move.ts');
    const tell = (step: string): void =>
      terminal.isInteractive && !terminal.json ? terminal.redraw(`${step} …`) : terminal.note(`${step} …`);
    const options = { address, isResumed, signal, tell };
    const isIn = to === 'postgres';
    const [from, into] = isIn ? [resolve(config.data), 'PostgreSQL'] : ['PostgreSQL', resolve(to)];
    const moved = isIn ? await moveToPostgres(from, options) : await moveToFolder(into, options);
    if (terminal.isInteractive && !terminal.json) terminal.redraw('');
    terminal.value({ from, to: into, ...moved });
    terminal.line(
      `Moved ${moved.rows} rows of ${Object.keys(moved.tables).length} tables from ${toPrintable(from)} to ${toPrintable(into)}; both were read and are equal (seal ${moved.seal}).`,
    );
    terminal.line(
      isIn
        ? `With FOOTNOTE_DATABASE_URL set, Footnote works on the database from now on. ${toPrintable(from)} still holds all of it: keep or remove it.`
        : `Use it with --data ${toPrintable(into)} and without FOOTNOTE_DATABASE_URL. The database still holds all of it: keep or drop it.`,
    );
  });
}
