// footnote verify-claims: claims with quotes in, verdicts out. Needs no data folder.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Cli } from '../cli.ts';

export function addVerifyClaimsCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('verify-claims')
    .description('Judge whether quotes support claims')
    .argument('<file>', 'JSONL of {"id", "claim", "quote"}')
    .option('--out <file>', 'write the verdicts there instead of to stdout')
    .addHelpText('after', '\nExample:\n  footnote verify-claims claims.jsonl --out verdicts.jsonl');
  command.action(async (file: string, options: { out?: string }) => {
    const { verifyClaims } = await import('../../footnote/verified-claims.ts');
    const facts = await stat(file).catch((error: unknown) => {
      throw toFootnoteError(error);
    });
    if (!facts.isFile()) throw new FootnoteError('invalid-request', `${file} is not a file. Name a JSONL file.`);
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
    const out = options.out === undefined ? process.stdout : createWriteStream(options.out);
    const written = options.out === undefined ? undefined : finished(out);
    written?.catch(() => undefined);
    let supported = 0;
    let unsupported = 0;
    try {
      for await (const verdict of verifyClaims(lines)) {
        cli.signal.throwIfAborted();
        if (verdict.verdict === 'supported') supported += 1;
        else unsupported += 1;
        if (!out.write(`${JSON.stringify(verdict)}\n`))
          await new Promise<void>((resolve, reject) => {
            out.once('drain', resolve);
            out.once('error', reject);
          });
      }
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      throw error.code === 'invalid-request'
        ? new FootnoteError('invalid-request', `${file}: ${error.message}`, { cause: error })
        : error;
    } finally {
      if (options.out !== undefined) out.end();
    }
    await written?.catch((error: unknown) => {
      throw toFootnoteError(error);
    });
    if (options.out !== undefined) {
      terminal.value({ claims: supported + unsupported, supported, unsupported, out: options.out });
      terminal.line(
        `${supported + unsupported} claims: ${supported} supported, ${unsupported} unsupported. Verdicts in ${options.out}.`,
      );
    }
  });
}
