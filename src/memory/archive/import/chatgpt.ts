// ChatGPT's export: `conversations.json`, an array of conversations, each a tree of messages; regenerated answers and edited questions are
// branches. The current branch is read, from `current_node` up to the root; without one, the branch with the latest message.
import { type ImportNotes, type IncomingPiece, type IncomingTurn, isRecord, textOf, toMs } from './incoming.ts';
import { jsonMembers } from './json-stream.ts';
import { type IncomingMessage, pairTurns } from './pair-turns.ts';

type Fields = Readonly<Record<string, unknown>>;

export const isChatGptConversation = (value: unknown): boolean => isRecord(value) && isRecord(value['mapping']);

export async function* readChatGpt(
  bytes: AsyncIterable<Uint8Array>,
  notes: ImportNotes,
): AsyncGenerator<IncomingPiece> {
  for await (const value of jsonMembers(bytes, notes)) {
    if (!isRecord(value)) continue;
    const mapping = value['mapping'];
    const id = textOf(value['conversation_id']) ?? textOf(value['id']);
    if (!isRecord(mapping) || id === undefined) {
      notes.warn('A conversation without an id or without its messages is left out.');
      continue;
    }
    const branch = branchOf(mapping, textOf(value['current_node']));
    const messages = branch.flatMap((node) => readMessage(node, notes));
    const title = textOf(value['title']);
    const turns = withTimes(pairTurns(messages), toMs(value['create_time']));
    if (turns.length > 0) yield { conversation: { id, ...(title !== undefined && { title }) }, turns, isWhole: true };
  }
}

/** A turn without a time of its own is of the time of the one before it, the first ones of that of their conversation. */
function withTimes(turns: readonly IncomingTurn[], beganMs: number | undefined): readonly IncomingTurn[] {
  let knownMs = beganMs;
  return turns.map((turn) => {
    if (turn.atMs !== undefined) {
      knownMs = turn.atMs;
      return turn;
    }
    return knownMs === undefined ? turn : { ...turn, atMs: knownMs, positionMs: turn.positionMs ?? knownMs };
  });
}

/** Nodes from the root to the current one. A tree that runs in a circle ends where it comes back. */
function branchOf(mapping: Fields, current: string | undefined): readonly Fields[] {
  const branch: Fields[] = [];
  const seen = new Set<string>();
  let at = current !== undefined && isRecord(mapping[current]) ? current : latestOf(mapping);
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const node = mapping[at];
    if (!isRecord(node)) break;
    branch.push(node);
    at = textOf(node['parent']);
  }
  return branch.reverse();
}

const timeOf = (node: unknown): number =>
  isRecord(node) && isRecord(node['message']) ? (toMs(node['message']['create_time']) ?? 0) : -1;

/** The leaf that was said last. */
function latestOf(mapping: Fields): string | undefined {
  let best: string | undefined;
  for (const [id, node] of Object.entries(mapping)) {
    const children = isRecord(node) ? node['children'] : undefined;
    if (Array.isArray(children) && children.length > 0) continue;
    if (best === undefined || timeOf(node) > timeOf(mapping[best])) best = id;
  }
  return best;
}

function readMessage(node: Fields, notes: ImportNotes): readonly IncomingMessage[] {
  const { message } = node;
  if (!isRecord(message)) return [];
  const { author, content, metadata, recipient } = message;
  const role = isRecord(author) ? author['role'] : undefined;
  if (role !== 'user' && role !== 'assistant') return [];
  if (isRecord(metadata) && metadata['is_visually_hidden_from_conversation'] === true) return [];
  // What the assistant says to a tool is nobody's answer.
  if (role === 'assistant' && typeof recipient === 'string' && recipient !== 'all') return [];
  const text = isRecord(content) ? textOfContent(content) : '';
  const key = textOf(message['id']) ?? textOf(node['id']);
  if (text !== '' && key === undefined) notes.warn('A message without an id is left out.');
  if (text === '' || key === undefined) return [];
  return [{ key, role, text, atMs: toMs(message['create_time']) }];
}

function textOfContent(content: Fields): string {
  const kind = content['content_type'];
  if (kind === 'user_editable_context' || kind === 'thoughts' || kind === 'reasoning_recap') return '';
  const parts = Array.isArray(content['parts']) ? content['parts'] : [content['text']];
  return parts
    .map((part: unknown) => (isRecord(part) ? textOf(part['text']) : textOf(part)))
    .filter((part) => part !== undefined && part.trim() !== '')
    .join('\n\n');
}
