// Whose words a message has, by whatever an export calls it: a name is a person's.
import type { ArchiveRole } from '../../../core/archive.ts';

const roles: Readonly<Record<string, ArchiveRole>> = {
  user: 'user',
  human: 'user',
  person: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  chatgpt: 'assistant',
  claude: 'assistant',
  gpt: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
};

export function toRole(
  name: string,
  author?: string | undefined,
): { readonly role: ArchiveRole; readonly author?: string } {
  const lower = name.trim().toLowerCase();
  const known = Object.hasOwn(roles, lower) ? roles[lower] : undefined;
  const shown = author ?? (known === undefined ? name.trim().slice(0, 200) : undefined);
  return { role: known ?? 'user', ...(shown !== undefined && shown !== '' && { author: shown }) };
}
