// A question that was asked once is no answer to the same question: what came back is. Takes quotes away and raises none above what was asked.
import type { ReadTurn } from '../../core/archive.ts';
import { type Candidate, timeOf } from './told.ts';

const questionEnds = ['?', '？', '؟'];
const isQuestion = ({ quote }: Candidate): boolean => questionEnds.some((end) => quote.trimEnd().endsWith(end));

/** A question that speaks of so much of what is asked repeats it. */
const echoShare = 0.9;
/** What came back speaks of what it was asked, a little less than who says so. */
const replyShare = 0.9;

/** A reply comes within so long. */
const replyMs = 3 * 3_600_000;

/** Of turns that were read the one behind each, in its conversation. */
function followers(turns: readonly ReadTurn[]): ReadonlyMap<ReadTurn, ReadTurn> {
  const next = new Map<ReadTurn, ReadTurn>();
  for (const own of Map.groupBy(turns, ({ conversation_id }) => conversation_id).values()) {
    const ordered = own.toSorted((left, right) => timeOf(left) - timeOf(right));
    for (const [at, turn] of ordered.entries()) {
      const follower = ordered[at + 1];
      if (follower && timeOf(follower) - timeOf(turn) <= replyMs) next.set(turn, follower);
    }
  }
  return next;
}

/** Without questions that were answered or repeat what is asked. `whole`: the weight of all that is asked. */
export function withoutEchoes(
  candidates: readonly Candidate[],
  { turns, whole }: { readonly turns: readonly ReadTurn[]; readonly whole: number },
): readonly Candidate[] {
  const asked = candidates.filter(isQuestion);
  if (asked.length === 0) return candidates;
  const next = followers(turns);
  const isReply = (one: Candidate, question: Candidate): boolean => {
    const { messages } = one.turn;
    if (one.turn === question.turn) return messages.indexOf(one.message) > messages.indexOf(question.message);
    return next.get(question.turn) === one.turn && one.message.author !== question.message.author;
  };
  const said = candidates.filter((one) => !isQuestion(one));
  return candidates.flatMap((one) => {
    if (isQuestion(one)) {
      const isEcho = whole > 0 && one.weight >= echoShare * whole;
      return isEcho || said.some((other) => isReply(other, one)) ? [] : one;
    }
    const before = Math.max(0, ...asked.filter((question) => isReply(one, question)).map(({ weight }) => weight));
    const lift = before > one.weight ? (replyShare * (before + 0.2)) / (one.weight + 0.2) : 1;
    return { ...one, score: one.score * Math.max(1, lift) };
  });
}
