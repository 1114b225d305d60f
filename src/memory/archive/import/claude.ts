// Claude's export: `conversations.json`, an array of conversations with their messages in order. Text stands in `content` and, in older
// exports, in `text` alone; what was attached is read where its text was taken out.
import { type ImportNotes, type IncomingPiece, isRecord, textOf } from './incoming.ts';
import { jsonMembers } from './json-stream.ts';
import { type IncomingMessage, pairTurns } from './pair-turns.ts';
import { readTime } from './times.ts';

export const isClaudeConversation = (value: unknown): boolean =>
  isRecord(value) && Array.isArray(value['chat_messages']);

export async function* readClaude(bytes: AsyncIterable<Uint8Array>, notes: ImportNotes): AsyncGenerator<IncomingPiece> {
  for await (const value of jsonMembers(bytes, notes)) {
    if (!isRecord(value)) continue;
    const id = textOf(value['uuid']);
    const list = value['chat_messages'];
    if (id === undefined || !Array.isArray(list)) {
      notes.warn('A conversation without an id or without its messages is left out.');
      continue;
    }
    const messages = list.flatMap((message: unknown) => readMessage(message, notes));
    const title = textOf(value['name']);
    const turns = pairTurns(messages);
    if (turns.length > 0) yield { conversation: { id, ...(title !== undefined && { title }) }, turns };
  }
}

function readMessage(value: unknown, { timeZone, warn }: ImportNotes): readonly IncomingMessage[] {
  if (!isRecord(value)) return [];
  const key = textOf(value['uuid']);
  const role = value['sender'] === 'human' ? 'user' : value['sender'] === 'assistant' ? 'assistant' : undefined;
  if (key === undefined || role === undefined) {
    warn('A message without an id, or of a sender that is neither human nor assistant, is left out.');
    return [];
  }
  const parts = Array.isArray(value['content']) ? value['content'] : [];
  const said = parts.flatMap((part: unknown) =>
    isRecord(part) && part['type'] === 'text' ? (textOf(part['text']) ?? []) : [],
  );
  const attached = [value['attachments']].flat().flatMap((file: unknown) => {
    const content = isRecord(file) ? textOf(file['extracted_content']) : undefined;
    return isRecord(file) && content !== undefined ? [`${textOf(file['file_name']) ?? 'Attachment'}:\n${content}`] : [];
  });
  const text = [...(said.length > 0 ? said : [textOf(value['text']) ?? '']), ...attached].filter(Boolean).join('\n\n');
  return text.trim() === '' ? [] : [{ key, role, text, atMs: readTime(value['created_at'], timeZone) }];
}
