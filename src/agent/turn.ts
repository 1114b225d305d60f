// One turn from question to checked answer, as steps over what is known of it (turn-state.ts): understand, plan, gather, compose, verify,
// finish. What asks several things is gathered and composed part by part.
// Each step reports to the event log as it happens; text streams claim by claim, each after its check, and is never taken back.
import type { Answer } from '../core/answer.ts';
import type { RequestContext } from '../core/context.ts';
import { answerParts } from './steps/answer-parts.ts';
import { type ComposeStepPorts, compose } from './steps/compose.ts';
import { finish } from './steps/finish.ts';
import { type GatherPorts, gather } from './steps/gather.ts';
import { greet } from './steps/greet.ts';
import { type PlanPorts, plan } from './steps/plan.ts';
import { type UnderstandPorts, understand } from './steps/understand.ts';
import { verify } from './steps/verify.ts';
import type { TurnContext, TurnRequest } from './turn/turn-state.ts';

export type TurnPorts = UnderstandPorts & PlanPorts & GatherPorts & ComposeStepPorts;

export async function runTurn(request: TurnRequest, ports: TurnPorts, context: RequestContext): Promise<Answer> {
  const { deadline, clock } = context;
  const startedAt = clock.elapsedMs();
  const steps: Record<string, number> = {};
  const turn: TurnContext = {
    ...context,
    async timed(name, work) {
      deadline.check();
      const from = clock.elapsedMs();
      const result = await work();
      steps[name] = clock.elapsedMs() - from;
      return result;
    },
  };
  const timings = (): Answer['timings'] => ({ ...steps, totalMs: clock.elapsedMs() - startedAt });

  const understood = await understand(request, ports, turn);
  if (understood.intent === 'conversational') return finish(greet(understood, turn.sink), timings, turn);
  const planned = await plan(understood, ports, turn);
  const composed = planned.plan
    ? await answerParts({ ...planned, plan: planned.plan }, ports, turn)
    : await compose(await gather(planned, ports, turn), ports, turn);
  return finish(verify(composed, turn.sink), timings, turn);
}
