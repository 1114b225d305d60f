// footnote verify: saved answers, checked again against the documents as they are now.
import type { Command } from 'commander';
import { type Answer, answerSchema } from '../../../core/answer.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { looksLikePage } from '../../../footnote/report/check-report.ts';
import { shorten } from '../../render/render.ts';
import { readNamedFile, toJsonValues } from '../../terminal/options.ts';
import { toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

/** An answer, or a line that keeps one under `answer` as `footnote eval answers --out` writes it. */
function toAnswer(value: unknown, place: string): Answer {
  const inner =
    typeof value === 'object' && value !== null && 'answer' in value && typeof value.answer === 'object'
      ? value.answer
      : value;
  const parsed = answerSchema.safeParse(inner);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FootnoteError(
    'invalid-request',
    `${place} is not an Answer (${issue?.path.join('.') || 'the value'}: ${issue?.message ?? 'not valid'}). Save one with "footnote ask … --json".`,
  );
}

export function addVerifyCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('verify')
    .description('Check saved answers and evidence reports again: every citation against the documents as they are now')
    .argument('<file>', 'JSON or JSONL with answers, or a page of "footnote answers export"; "-" reads stdin')
    .addHelpText(
      'after',
      '\nExamples:\n  footnote ask "…" --json > answer.json\n  footnote verify answer.json\n  footnote verify evidence-ans_5f0c….html',
    );

  async function verifyPage(page: string): Promise<void> {
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const check = await footnote.answers.verifyReport(page);
      const { answerId, ok, reasons, citations, citationsHeld } = check;
      terminal.value(check);
      const verdict = ok ? terminal.paint('green', 'verified') : terminal.paint('red', 'NOT verified');
      terminal.line(`${toPrintable(answerId)}: ${verdict}, ${citationsHeld} of ${citations} citations hold`);
      for (const reason of reasons) terminal.line(`  ${shorten(reason, 300)}`);
      if (!ok) cli.exitCode = 1;
    });
  }

  command.action(async (file: string) => {
    const text = await readNamedFile(file);
    if (looksLikePage(text)) return verifyPage(text);
    const values = toJsonValues(text, file);
    if (values.length === 0)
      throw new FootnoteError(
        'invalid-request',
        `${file} holds no answers: there is nothing to verify. Save one with "footnote ask … --json".`,
      );
    const answers = values.map((value, index) =>
      toAnswer(value, values.length === 1 ? file : `${file}, answer ${index + 1}`),
    );
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const checks = [];
      for (const answer of answers) {
        cli.signal.throwIfAborted();
        const check = await footnote.answers.verify(answer);
        checks.push(check);
        const citations = check.citations.filter((one) => one.ok).length;
        const verdict = check.ok ? terminal.paint('green', 'verified') : terminal.paint('red', 'NOT verified');
        terminal.line(
          `${toPrintable(answer.id)}: ${verdict}, ${citations} of ${check.citations.length} citations hold`,
        );
        for (const reason of check.reasons) terminal.line(`  ${shorten(reason, 300)}`);
        for (const one of check.citations)
          if (!one.ok) terminal.line(`  [${one.index}] ${shorten(one.reasons.join('; '), 300)}`);
        for (const one of check.claims)
          if (one.reasons.length > 0)
            terminal.line(`  “${shorten(one.text, 100)}”: ${shorten(one.reasons.join('; '), 300)}`);
      }
      const failed = checks.filter((check) => !check.ok).length;
      terminal.value({ answers: checks, verified: checks.length - failed, failed });
      if (failed > 0) cli.exitCode = 1;
    });
  });
}
