// What becomes of what is asked, in whichever form of request: it is read and refused before anything streams, and then told piece by piece.
import type { Answer } from '../../core/answer.ts';
import type { CallOptions, Footnote } from '../../footnote/facade.ts';
import type { ChatUsage } from '../../operations/openai.ts';
import { answerChat, type ChatAnswer, type ChatAnswerOptions } from './chat-answer.ts';
import { type Asking, saidIn, toAsk } from './chat-request.ts';
import type { TextStyle } from './foreign-text.ts';
import { housekeepingOf } from './housekeeping.ts';
import { chooseModel } from './models.ts';

/** `of`: absent from what a program asks for itself, such as a title. */
export type Told = Pick<ChatAnswer, 'content' | 'finishReason'> & { readonly of?: ChatAnswer };
export type Tell = (
  call: CallOptions & Pick<ChatAnswerOptions, 'onText'> & { readonly onAnswered?: (told: Told) => void },
) => Promise<Told>;

/** The whole answer, and where its marks stand in the text. */
export const answerIn = ({ answer, marks }: ChatAnswer) => ({
  ...answer,
  contentMarks: marks.map(({ start, end, citation }) => ({ start, end, citation })),
});

export const usageOf = (usage: Answer['usage'] | undefined): ChatUsage => {
  const { inputTokens: prompt_tokens = 0, outputTokens: completion_tokens = 0 } = usage ?? {};
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
};

/** Throws what is refused by name. */
export async function openTelling(
  footnote: Pick<Footnote, 'ask' | 'documents' | 'traces'>,
  asking: Asking,
  usual: TextStyle,
): Promise<Tell> {
  const model = await chooseModel(footnote, asking.model);
  const { asked, hasSources, system } = saidIn(asking);
  const own = housekeepingOf([system, asked]);
  if (own)
    return async ({ onText, ...call }) => {
      await footnote.traces.housekeep?.({ task: own.task }, call);
      onText(own.reply, []);
      return { content: own.reply, finishReason: 'stop' };
    };
  const ask = await toAsk(footnote, asking, model);
  // Of our `[1]` such a program makes a chip of its own first source: a link leads where it should.
  const style = model.style ?? (hasSources ? 'links' : usual);
  const isTellingUnconfirmed = asking.footnote?.unconfirmed === true;
  return async (call) => {
    const given = await answerChat(footnote, ask, {
      ...call,
      style,
      maxTokens: asking.maxTokens,
      isTellingUnconfirmed,
      onAnswered: (told) => call.onAnswered?.({ ...told, of: told }),
    });
    return { ...given, of: given };
  };
}
