// footnote chat: a question to the archive of conversations, and the looks that found its answer.
import type { Command } from 'commander';
import type { ArchiveChatAnswer, ArchiveChatEvent } from '../../../footnote/facade/conversations.ts';
import { drawBins } from '../../render/histogram.ts';
import { plural, withMarks } from '../../render/render.ts';
import { readWords } from '../../terminal/options.ts';
import { type Terminal, toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

function tellStep(terminal: Terminal, event: ArchiveChatEvent): void {
  if (event.type === 'peek') {
    const range = event.time_range;
    const within = range ? ` (${(range.from ?? '…').slice(0, 10)} to ${(range.to ?? '…').slice(0, 10)})` : '';
    terminal.note(toPrintable(`${event.reason}${within}: ${plural(event.hits, 'hit')} for “${event.query}”`));
    for (const line of drawBins(event.histogram ?? [])) terminal.note(toPrintable(`  ${line}`));
  } else if (event.type === 'turn')
    terminal.note(toPrintable(`reads ${event.turn_id} (${plural(event.tokens, 'token')}, ${event.content_used})`));
}

function renderChat(
  terminal: Terminal,
  { answer, marks = [], citations, usage, conversation_id, trace_id, degraded }: ArchiveChatAnswer,
): void {
  terminal.line(withMarks(terminal, { text: answer, marks }));
  terminal.line('');
  for (const { index, title, turn_id, timestamp } of citations)
    terminal.line(toPrintable(`[${index}] ${timestamp?.slice(0, 10) ?? 'no time'}  ${title}  [${turn_id}]`));
  for (const line of degraded) terminal.note(line);
  const trace = trace_id === undefined ? '' : ` · trace ${trace_id}`;
  terminal.line(
    `${plural(usage.peeks, 'look')}, ${plural(usage.hydrations, 'turn')} read (${usage.tokens} of ${usage.max_tokens} tokens) · chat ${conversation_id}${trace}`,
  );
}

export function addChatCommand(program: Command, cli: Cli): void {
  const command = program
    .command('chat')
    .description('Ask the archive of conversations')
    .argument('<question...>', 'the question; "-" reads it from stdin')
    .option('--continue <id>', 'the chat that it goes on from')
    .option(
      '--steps',
      'show each look at the archive with its histogram, and each turn that is read (default: at a terminal)',
    )
    .option('--no-steps', 'show the answer alone')
    .addHelpText(
      'after',
      `
Examples:
  footnote chat "When did I first talk about solar panels, and what did I decide?"
  footnote chat "And who installed them?" --continue chat_1a2b`,
    );
  command.action(async (words: string[], options: { continue?: string; steps?: boolean }) => {
    const content = await readWords(words, 'question');
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const isShown = options.steps ?? (cli.terminal.isInteractive && !cli.terminal.json);
      const answer = await footnote.conversations.chat(
        {
          messages: [{ role: 'user', content }],
          ...(options.continue !== undefined && { conversation_id: options.continue }),
        },
        { signal: cli.signal, ...(isShown && { onEvent: (event) => tellStep(cli.terminal, event) }) },
      );
      cli.terminal.value(answer);
      if (!cli.terminal.json) renderChat(cli.terminal, answer);
    });
  });
}
