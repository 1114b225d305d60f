// The terms of a turn as the index has them: each message in the language of its conversation, with the bit of its role.
import { type ArchiveMessage, type ArchiveRole, archiveRoles } from '../../../core/archive.ts';
import { analyzeText } from '../../../text/analyze.ts';
import type { TurnTerms } from './postings.ts';

export const roleBit = (role: ArchiveRole): number => 1 << archiveRoles.indexOf(role);

export function termsOfTurn(messages: readonly ArchiveMessage[], language: string): TurnTerms {
  return messages.map(({ role, text }) => [roleBit(role), analyzeText(text, { language })] as const);
}
