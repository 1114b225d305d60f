// What stands in a turn and is no answer of it: the mail that a mail repeats (lines behind `>`, the line that says who wrote them, all below
// "Original message"), and a question that was asked once where the same is asked again: what came back is. Nothing is taken out of the text.
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

const attribution =
  /^(?:On|Am|Le|El|Il|Em|Op) .{6,200}(?:wrote|schrieb(?: .{1,100})?|a écrit|escribió|ha scritto|escreveu|schreef(?: .{1,100})?)\s?:\s*$/u;
const original = /^[-_ ]*(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)[-_ ]*$/iu;
/** Further lines of a message are its own. */
const mostLines = 20_000;

/** Whether the words at a place of a message are repeated from another. */
export function quotedOf(text: string): (at: number) => boolean {
  if (!/^>|:\s*$|^[-_ ]{0,40}(?:Orig|Urspr|Message d|Mensaje)/imu.test(text)) return () => false;
  const ranges: (readonly [number, number])[] = [];
  let start = 0;
  for (const line of text.split('\n', mostLines)) {
    const end = start + line.length + 1;
    const plain = line.trimEnd();
    if (original.test(plain) && plain !== '') {
      ranges.push([start, text.length]);
      break;
    }
    if (plain.startsWith('>') || attribution.test(plain)) ranges.push([start, end]);
    start = end;
  }
  return (at) => ranges.some(([from, to]) => at >= from && at < to);
}
