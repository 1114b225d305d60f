// Writes the conversation so far for a model, as data between tags, every line of it behind a bar. Pure.
import type { ToldTurn } from '../../core/conversation.ts';
import { fence } from './evidence.ts';

/** Empty where nothing was said; else it ends with an empty line. */
export function renderConversation(turns: readonly ToldTurn[], mode?: string): string {
  if (turns.length === 0) return '';
  const told = turns.map(
    ({ id, said, answered, isSummary }) =>
      `<turn id="${id.replace(/[^\w.:-]/gu, '')}"${isSummary ? ' part="summary"' : ''}>\n<user>\n${fence(said)}\n</user>\n<answered>\n${fence(answered)}\n</answered>\n</turn>`,
  );
  return `<conversation${mode === undefined ? '' : ` mode="${mode}"`}>\n${told.join('\n')}\n</conversation>\n\n`;
}
