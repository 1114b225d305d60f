// The conversation so far as a model is told of it: the last turns word for word, those before them in a sentence each, all with their ids. Invariant: it is
// data with a bound; what is cut says so, and the id says where the whole stands.
import type { ToldTurn } from '../../core/conversation.ts';
import type { SaidTurn } from '../intent/conversation.ts';

const verbatimTurns = 3;
const longest = { said: 1_000, answered: 1_500, summarySaid: 160, summaryAnswered: 240 };

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;

/** `turns` oldest first. Pure. */
export function toldTurns(turns: readonly SaidTurn[]): readonly ToldTurn[] {
  return turns.map(({ id, content, answer }, at): ToldTurn => {
    if (at >= turns.length - verbatimTurns)
      return { id, said: cut(content, longest.said), answered: cut(answer.answer, longest.answered) };
    const first = answer.claims[0]?.text ?? answer.answer;
    return {
      id,
      said: cut(content, longest.summarySaid),
      answered: cut(first, longest.summaryAnswered),
      isSummary: true,
    };
  });
}
