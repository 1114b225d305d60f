// footnote answers and affected: what was answered, with its evidence as one page for whoever has to check, and what rests on a document.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { toFootnoteError } from '../../../core/errors.ts';
import { readReport } from '../../../footnote/report/check-report.ts';
import { toWholeNumber } from '../../terminal/options.ts';
import { toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

export function addAnswersCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const answers = program
    .command('answers')
    .description('Export answers with their evidence')
    .addHelpText('after', '\nExample:\n  footnote answers export ans_5f0c…');

  const save = answers
    .command('export')
    .description('Write an answer with its evidence to one self-contained page of HTML')
    .argument('<id>', 'id of the answer')
    .option('-o, --out <file>', 'default: evidence-<id>.html; "-" writes stdout')
    .addHelpText('after', '\nCheck it later, here or where the record is:\n  footnote verify evidence-ans_5f0c….html');
  cli.onData(save, async ({ footnote }, id: string, { out }: { out?: string }) => {
    const page = await footnote.answers.report(id);
    const path = out ?? `evidence-${id.replace(/[^\w.-]/gu, '_')}.html`;
    if (path === '-') {
      if (terminal.json) terminal.value(readReport(page));
      else terminal.line(page.trimEnd());
      return;
    }
    await writeFile(path, page, { mode: 0o600 }).catch((thrown: unknown) => {
      throw toFootnoteError(thrown);
    });
    terminal.value({ file: path, answerId: id });
    terminal.line(`Wrote the evidence of ${id} to ${path}. Check it with "footnote verify ${path}".`);
  });
}

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
