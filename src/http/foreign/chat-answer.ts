// An answer as the message of a chat: its pieces in foreign text, one for each claim as it is verified, and never taken back; an abstention says that it is
// one, then what comes closest. Invariants: what nothing confirms stands in no text unless it was asked for; a limit of tokens cuts between pieces, and the
// first is always whole.
import { type Answer, type AskRequest, assertedOf, type Citation } from '../../core/answer.ts';
import { abstentionOpening } from '../../core/answers/closest-passages.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import { type MarkedText, marked, marksOf } from '../../core/marked-text.ts';
import type { CallOptions, Footnote } from '../../footnote/facade.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { createForeignText, type ForeignMark, type TextStyle } from './foreign-text.ts';

export interface ChatAnswerOptions {
  readonly style: TextStyle;
  /** Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** What nothing confirms is said, behind words that say so. */
  readonly isTellingUnconfirmed: boolean;
  /** `marks`: those in this piece, with their places in the whole text. */
  readonly onText: (text: string, marks: readonly ForeignMark[]) => void;
  /** Told once all is known, while the answer is being kept: what is written now shares its commit. */
  readonly onAnswered?: ((given: ChatAnswer) => void) | undefined;
}

export interface ChatAnswer {
  readonly answer: Answer;
  readonly content: string;
  readonly marks: readonly ForeignMark[];
  readonly finishReason: 'stop' | 'length';
}

/** What nothing confirms has no way to look so in foreign text: its quotes stand there in its place. */
function unconfirmedPieces(
  { claims, citations }: Answer,
  { marks, isTelling }: { readonly marks: readonly ForeignMark[]; readonly isTelling: boolean },
): readonly MarkedText[] {
  const shown = new Set(marks.map(({ citation }) => citation));
  return claims.slice(assertedOf(claims).length).flatMap(({ text, citations: cited }) => {
    const quoted = citations.filter(({ index }) => cited.includes(index) && !shown.has(index));
    for (const { index } of quoted) shown.add(index);
    return [
      ...(isTelling ? [marked`\n\n(not confirmed) ${text} ${marksOf(cited)}`] : []),
      ...quoted.map(({ index, quote }) => marked`\n\n${toInert(quote)} ${marksOf([index])}`),
    ];
  });
}

export async function answerChat(
  footnote: Pick<Footnote, 'ask'>,
  ask: AskRequest,
  {
    style,
    maxTokens = Number.POSITIVE_INFINITY,
    isTellingUnconfirmed,
    onText,
    onAnswered,
    ...call
  }: ChatAnswerOptions & CallOptions,
): Promise<ChatAnswer> {
  const foreign = createForeignText(style);
  const cited: Citation[] = [];
  let said = 0;
  let tokens = 0;
  let isCut = false;
  const show = (piece: MarkedText): void => {
    tokens += maxTokens === Number.POSITIVE_INFINITY ? 0 : countTokens(piece.text);
    isCut ||= foreign.text !== '' && tokens > maxTokens;
    if (isCut) return;
    const before = foreign.marks.length;
    const text = foreign.write(piece, cited);
    onText(text, foreign.marks.slice(before));
  };
  const finish = (answer: Answer): ChatAnswer => {
    if (!answer.abstained) {
      const isTelling = isTellingUnconfirmed;
      for (const piece of unconfirmedPieces(answer, { marks: foreign.marks, isTelling })) show(piece);
    } else if (foreign.text === '') show({ text: abstentionOpening({ ...answer, passages: [] }), marks: [] });
    return { answer, content: foreign.text, marks: [...foreign.marks], finishReason: isCut ? 'length' : 'stop' };
  };
  let given: ChatAnswer | undefined;
  const answer = await footnote.ask(ask, {
    ...call,
    onEvent(event) {
      call.onEvent?.(event);
      if (event.type === 'citation') cited.push(event.citation);
      if (event.type === 'done' && !given) {
        given = finish(event.answer);
        onAnswered?.(given);
      }
      if (event.type !== 'delta') return;
      const { text, marks = [] } = event;
      const own = marks.map((mark) => ({ ...mark, start: mark.start - said, end: mark.end - said }));
      said += text.length;
      show({ text, marks: own });
    },
  });
  return { ...(given ?? finish(answer)), answer };
}
