// What is said without a claim: small talk, and, where the operator allows it, what a model says when no document answers. Invariant: it says that it rests
// on no document.
import type { Degradation } from '../../core/search.ts';
import type { Talker } from '../talk/talker.ts';
import { searchRefusal } from '../turn/budgeted-search.ts';
import type { Composed, TurnContext, Understood, Verified } from '../turn/turn-state.ts';
import { unsearched } from './unsearched.ts';

export interface TalkPorts {
  /** Makes small talk; absent: the program does. */
  readonly talk?: Talker | undefined;
  /** Answers where no document does; absent: the answer abstains. */
  readonly guess?: Talker | undefined;
}

const conversationalText =
  'Hello. Ask me something about your documents: every claim of an answer will cite the passage it rests on.';

/** In the words of a model where there is one for it. Throws only the request's own `cancelled` and `deadline-exceeded`. */
export async function greet(state: Understood, { talk }: TalkPorts, context: TurnContext): Promise<Verified> {
  const { content, question, conversation = [] } = state.request;
  const { sink } = context;
  const talked = talk
    ? await context.timed('talkMs', () => talk({ message: content ?? question, conversation }, context))
    : { degraded: [] };
  const { text = conversationalText } = talked;
  for (const degradation of talked.degraded) sink({ type: 'degraded', degradation });
  return unsearched(
    state,
    {
      text,
      reason: 'conversation: nothing was searched',
      degraded: [...state.degraded, ...talked.degraded],
      isByModel: text !== conversationalText,
    },
    sink,
  );
}

/** Where no claim was found and the operator allows it, a model answers from what it knows; else the answer abstains, and says so where the model failed. */
export async function answerUngrounded(
  state: Composed,
  { guess }: TalkPorts,
  context: TurnContext,
): Promise<{ readonly said?: Verified; readonly degraded: readonly Degradation[] }> {
  const { findings, rendered, request, composition } = state;
  if (!guess || rendered.claims.length > 0 || searchRefusal(findings.degraded()) !== undefined) return { degraded: [] };
  const { sink } = context;
  const { content, question, conversation = [] } = request;
  const guessed = await context.timed('guessMs', () => guess({ message: content ?? question, conversation }, context));
  for (const degradation of guessed.degraded) sink({ type: 'degraded', degradation });
  const degraded = [...state.degraded, ...findings.degraded(), ...composition.degraded, ...guessed.degraded];
  if (guessed.text === undefined) return guessed;
  const said = unsearched(
    state,
    { text: guessed.text, reason: findings.routing().reason, degraded, isByModel: true },
    sink,
  );
  const routing = findings.routing();
  const toolCalls = findings.toolCalls();
  return { said: { ...said, routing, toolCalls, usedFallback: findings.usedFallback() }, degraded: [] };
}
