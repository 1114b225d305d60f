// The terms of a turn as the index has them: each message in the language of its conversation, with the bit of its role.
import { type ArchiveMessage, type ArchiveRole, archiveRoles } from '../../../core/archive.ts';
import { analyzeText } from '../../../text/analyze.ts';
import type { TurnTerms } from './postings.ts';

export const roleBit = (role: ArchiveRole): number => 1 << archiveRoles.indexOf(role);

/** Characters that are read at once: some 5 ms. */
const pieceCharacters = 16_384;

/** Between two pieces of what is long others have their turn. */
export async function termsOfTurn(
  messages: readonly ArchiveMessage[],
  language: string,
  pause: () => Promise<void> | undefined,
): Promise<TurnTerms> {
  const terms: TurnTerms[number][] = [];
  for (const { role, text } of messages)
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      terms.push([roleBit(role), analyzeText(text.slice(from, to), { language })]);
      from = to;
      await pause();
    }
  return terms;
}

/** Words are not cut but where there is no space in all of the piece. */
function endOfPiece(text: string, from: number): number {
  if (text.length - from <= pieceCharacters) return text.length;
  const space = Math.max(text.lastIndexOf(' ', from + pieceCharacters), text.lastIndexOf('\n', from + pieceCharacters));
  return space > from ? space : from + pieceCharacters;
}
