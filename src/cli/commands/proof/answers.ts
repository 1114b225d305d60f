// footnote answers: what was answered, and its evidence as one page for whoever has to check.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { toFootnoteError } from '../../../core/errors.ts';
import { readReport } from '../../../footnote/report/check-report.ts';
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
