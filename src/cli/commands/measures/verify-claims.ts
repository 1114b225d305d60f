// footnote verify-claims: claims with quotes in, verdicts out. Needs no data folder.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import type { Cli } from '../cli.ts';

/** Opened before anything is judged, so that a bad path costs nothing. */
async function openNamed(path: string, flags: 'r' | 'w'): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EISDIR')
      throw new FootnoteError('invalid-request', `${path} is a folder. Name a file.`, { cause: thrown });
    throw toFootnoteError(thrown);
  }
}

export function addVerifyClaimsCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('verify-claims')
    .description('Judge whether quotes support claims')
    .argument('<file>', 'JSONL of {"id", "claim", "quote"}')
    .option('--out <file>', 'write the verdicts there instead of to stdout')
    .addHelpText('after', '\nExample:\n  footnote verify-claims claims.jsonl --out verdicts.jsonl');
  command.action(async (file: string, options: { out?: string }) => {
    const { verifyClaims } = await import('../../../footnote/verified-claims.ts');
    const facts = await stat(file).catch((error: unknown) => {
      throw toFootnoteError(error);
    });
    if (!facts.isFile()) throw new FootnoteError('invalid-request', `${file} is not a file. Name a JSONL file.`);
    const input = await openNamed(file, 'r');
    const opening = options.out === undefined ? undefined : openNamed(options.out, 'w');
    // What cannot be written to leaves nothing open.
    opening?.catch(() => input.close());
    const out = (await opening)?.createWriteStream() ?? process.stdout;
    let supported = 0;
    let unsupported = 0;
    async function* judge(): AsyncGenerator<string> {
      for await (const verdict of verifyClaims(input.readLines())) {
        cli.signal.throwIfAborted();
        if (verdict.verdict === 'supported') supported += 1;
        else unsupported += 1;
        yield `${JSON.stringify(verdict)}\n`;
      }
    }
    try {
      await pipeline(judge, out, { end: options.out !== undefined });
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      throw error.code === 'invalid-request'
        ? new FootnoteError('invalid-request', `${file}: ${error.message}`, { cause: error })
        : error;
    }
    if (options.out !== undefined) {
      terminal.value({ claims: supported + unsupported, supported, unsupported, out: options.out });
      terminal.line(
        `${supported + unsupported} claims: ${supported} supported, ${unsupported} unsupported. Verdicts in ${options.out}.`,
      );
    }
  });
}
