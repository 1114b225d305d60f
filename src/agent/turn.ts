// One turn from question to checked answer, as steps over what is known of it (turn-state.ts): understand, plan, gather, compose, verify,
// finish. What asks several things is gathered and composed part by part.
// Where a step looks at the draft before it is released (revise/), nothing of it is shown until then.
// Each step reports to the event log as it happens; text streams claim by claim, each after its check, and is never taken back.
import type { Answer } from '../core/answer.ts';
import type { RequestContext } from '../core/context.ts';
import type { RecalledMemory } from '../core/memory.ts';
import type { IntentDepths } from './intent/depths.ts';
import { answerParts } from './parts/answer-parts.ts';
import { reviseTurn, teamFor, tellUndone, type WritePorts, type Written, withTeam } from './revise-turn.ts';
import { type ComposeOptions, compose } from './steps/compose.ts';
import { finish } from './steps/finish.ts';
import { type GatherPorts, gather } from './steps/gather.ts';
import { answerUngrounded, greet, type TalkPorts } from './steps/greet.ts';
import { type PlanPorts, plan } from './steps/plan.ts';
import {
  allRecalled,
  answerFromMemory,
  answerFromRecalled,
  besideMemories,
  type RecallPorts,
  recall,
  takeNote,
  withoutMemorySources,
} from './steps/recall.ts';
import { type FurtherPorts, searchFurther } from './steps/search-further.ts';
import { type UnderstandPorts, understand } from './steps/understand.ts';
import { verify } from './steps/verify.ts';
import { type ConversationPorts, fromConversation } from './talk/from-conversation.ts';
import { fromPast, type PastPorts } from './talk/from-past.ts';
import { timeSteps } from './turn/step-times.ts';
import type { TurnRequest } from './turn/turn-state.ts';

export type TurnPorts = UnderstandPorts &
  PlanPorts &
  GatherPorts &
  WritePorts &
  FurtherPorts &
  RecallPorts &
  TalkPorts &
  PastPorts &
  ConversationPorts & {
    /** Of each intent, in the place of `contextTokens`. */
    readonly contextTokensOf?: IntentDepths['contextTokens'] | undefined;
    /** Told which memories the answer rests on, or a model was shown. */
    readonly onUsed?: (memories: readonly RecalledMemory[]) => void;
  };

export async function runTurn(request: TurnRequest, given: TurnPorts, context: RequestContext): Promise<Answer> {
  const { turn, timings } = timeSteps(context);

  const understood = await understand(request, given, turn);
  const ofIntent = given.contextTokensOf?.[understood.intent];
  const { contextTokens, modelContextTokens } = given;
  const ports = {
    ...given,
    contextTokens: ofIntent ?? contextTokens,
    modelContextTokens: ofIntent ?? modelContextTokens,
  };
  const said = (await fromPast(understood, ports, turn)) ?? (await fromConversation(understood, ports, turn));
  if (said) return finish(said, timings, turn);
  if (understood.intent === 'conversational') return finish(await greet(understood, ports, turn), timings, turn);
  const noted = await ports.memory?.read(request.content ?? request.question);
  if (noted?.isAll)
    return finish(
      takeNote(
        understood,
        noted.statements.map(({ text }) => text),
        turn.sink,
      ),
      timings,
      turn,
    );
  const recalled = await recall(understood, ports, turn);
  const thought = await plan(understood, ports, turn);
  const own = await answerFromMemory(thought, ports, turn);
  if (own) {
    ports.onUsed?.(own.told);
    return finish(own.state, timings, turn);
  }
  const planned = tellUndone(thought, ports, turn);
  const team = teamFor(planned, ports);
  const isByModel = (): boolean => ports.composerFor?.(planned.intent)?.isByModel === true;
  let isBeside = false;
  const write = async (options: ComposeOptions): Promise<Written> => {
    const own = withTeam(ports, team);
    if (planned.plan) {
      const composed = await answerParts({ ...planned, plan: planned.plan }, { ...own, ...options }, turn);
      return { composed, ports: own };
    }
    // What was recalled lies beside what was found.
    const gathered = await gather(planned, own, turn);
    const beside = besideMemories(gathered, allRecalled(recalled, ports), ports);
    isBeside = beside.state !== gathered;
    const writing = withTeam(beside.ports, team);
    // A team has a worker for the web.
    const composing = { ...writing, ...options, further: team ? [] : ports.further };
    const composed = await compose(beside.state, composing, turn);
    return { composed: await searchFurther(composed, composing, turn), ports: writing };
  };
  const shape = { isPlanned: planned.plan !== undefined, isByModel, team };
  const composed = await reviseTurn(shape, write, { ports, context: turn });
  // Of a draft that a model saw with memories, and of parts, what they say was weighed already.
  const fromRecalled = isBeside || planned.plan ? undefined : await answerFromRecalled(composed, recalled, ports, turn);
  if (fromRecalled) {
    ports.onUsed?.(fromRecalled.told);
    return finish(fromRecalled.state, timings, turn);
  }
  const guessed = await answerUngrounded(composed, ports, turn);
  if (guessed.said) return finish(guessed.said, timings, turn);
  const all = allRecalled(recalled, ports);
  // What was read by nobody was not used.
  ports.onUsed?.(isBeside ? all : allRecalled([], ports));
  const told = { ...composed, degraded: [...composed.degraded, ...guessed.degraded] };
  return finish(withoutMemorySources(verify(told, ports, turn), all), timings, turn);
}
