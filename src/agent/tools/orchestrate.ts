// A model that says what to look up next, within hard limits: it is shown what a plain search found, calls tools, sees what they found, and stops when
// it has enough. Invariants: it ends within its rounds, calls and share of the time whatever the model does; nothing that it says reaches the answer;
// what was found without it is never lost.
import type { ModelBudget } from '../../core/budget.ts';
import type { RequestContext } from '../../core/context.ts';
import { createShare } from '../../core/deadline.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { namedModel } from '../../core/named-model.ts';
import type { Degradation } from '../../core/search.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import type { Message, ToolCall } from '../../models/language/messages.ts';
import { modelName } from '../../models/language/model-name.ts';
import { recordedModel } from '../../models/language/recorded-model.ts';
import { toTool } from '../../models/language/tools/read-call.ts';
import type { ToolAsker } from '../../models/language/tools/tool-turn.ts';
import type { Retriever } from '../../retrieval/retrieve.ts';
import { recordCall } from '../../trace/recorder.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Gathering, Understood } from '../turn/turn-state.ts';
import { askForCalls, readOffered, resultOf } from './ask-for-calls.ts';
import { orchestratorMessages, orchestratorPromptName } from './orchestrator-prompt.ts';
import { type AgentTool, createPalette, type FurtherSearch, type FurtherTools, type ToolOutcome } from './palette.ts';

export interface OrchestratorLimits {
  /** Turns of the model. */
  readonly rounds: number;
  /** Calls of tools, all together. */
  readonly calls: number;
  /** Calls under way at the same time. */
  readonly atOnce: number;
  /** Of the time that is left. */
  readonly share: number;
  readonly longestMs: number;
  readonly maxOutputTokens: number;
}

export const orchestratorLimits: OrchestratorLimits = {
  rounds: 5,
  calls: 8,
  atOnce: 4,
  share: 0.5,
  longestMs: 30_000,
  maxOutputTokens: 1_500,
};

/** What a request has to be searched. */
export interface OrchestratedPorts {
  /** Searches without a model: what it finds is what the model begins with. */
  readonly plain: Gatherer;
  readonly retriever: Retriever;
  readonly further?: readonly FurtherSearch[] | undefined;
  /** Past conversations and memories, where there are any that may be looked at. */
  readonly beside?: readonly FurtherTools[] | undefined;
}

export interface OrchestratorOptions extends OrchestratedPorts {
  readonly model: LanguageModel;
  readonly budget: ModelBudget;
  readonly ask: ToolAsker;
  readonly summaryCharacters: number;
  readonly limits?: OrchestratorLimits;
}

const component = 'planner';
const portName = 'agent.planner';
/** One answer after another that holds nothing of use. */
const mostUseless = 2;

/** The gatherer of one request. */
export function createOrchestrator(options: OrchestratorOptions): Gatherer {
  const { plain } = options;
  return {
    gather: (state, context) => orchestrate(state, context, options),
    // One look for one claim needs nobody's advice.
    gatherMore: plain.gatherMore,
    statistics: plain.statistics,
  };
}

// oxlint-disable-next-line house/own-lines -- The rounds share the budget, the messages and what was found.
async function orchestrate(
  state: Understood,
  context: RequestContext,
  options: OrchestratorOptions,
): Promise<Gathering> {
  const {
    plain,
    retriever,
    model,
    budget,
    ask,
    further = [],
    beside = [],
    summaryCharacters,
    limits = orchestratorLimits,
  } = options;
  const { sink, clock, deadline } = context;
  const { request } = state;
  const first = await plain.gather(state, context);
  const palette = createPalette({ retriever, request, further, summaryCharacters });
  const { shown } = palette;
  const others = await Promise.all(beside.map((one) => one.tools(request.question, shown)));
  const available = [...palette.tools, ...others.flat()];
  const tools = new Map(available.map((tool) => [tool.form.name, tool]));
  const offered = available.map(({ form }) => toTool(form));
  const share = createShare(deadline, Math.min(limits.longestMs, deadline.remainingMs() * limits.share), clock);
  const own: RequestContext = { ...context, deadline: share };
  const messages: Message[] = [...orchestratorMessages(request.question, shown.show(first), limits)];
  const recorded = recordedModel(model, { port: portName, prompt: orchestratorPromptName }, { sink, clock });
  const told: Degradation[] = [];
  const stop = (code: string, detail: string, effect: string): void => {
    const degradation = { component, code, detail, effect };
    told.push(degradation);
    sink({ type: 'degraded', degradation });
  };

  /** Runs a call that may be run; a mistake of the model is told to the model. */
  const run = async (call: ToolCall, tool: AgentTool, given: unknown): Promise<ToolOutcome> => {
    const startedAt = clock.elapsedMs();
    const ended = recordCall({ port: 'agent.tools', method: tool.form.name, request: given }, { sink, clock });
    try {
      const outcome = await untilAborted(tool.run(given, own), share.signal);
      ended({ response: { text: outcome.text, callId: call.id }, latencyMs: clock.elapsedMs() - startedAt });
      return outcome;
    } catch (thrown) {
      deadline.check();
      const error = toFootnoteError(thrown);
      ended({ error, latencyMs: clock.elapsedMs() - startedAt });
      return { text: `The tool failed: ${error.code}. What it would have found is missing.` };
    }
  };

  let left = limits.calls;
  let useless = 0;
  for (let round = 1; ; round += 1) {
    const asked = await askForCalls(
      { messages, tools: offered, maxOutputTokens: limits.maxOutputTokens },
      { ask, model: recorded, budget, deadline, share },
    );
    if (!asked.ok) {
      const { isLate, error } = asked;
      const detail = isLate ? 'The model did not say in its share of the time what to look up.' : error.message;
      stop(
        isLate ? 'deadline-exceeded' : error.code,
        namedModel(error.details['model'] ?? modelName(model), detail),
        round === 1 ? 'The question was searched by rules alone.' : 'The answer rests on what was found by then.',
      );
      sink({ type: 'assessment', round, verdict: 'caveat', reason: detail });
      break;
    }
    const { turn } = asked;
    messages.push(turn.message);
    if (turn.calls.length === 0) {
      sink({ type: 'assessment', round, verdict: 'answer', reason: 'The model wants nothing more looked up.' });
      break;
    }
    const runs: { readonly call: ToolCall; readonly outcome: () => Promise<ToolOutcome> }[] = [];
    let accepted = 0;
    for (const call of turn.calls) {
      const read = readOffered(call, tools);
      const say = (text: string) => runs.push({ call, outcome: async () => ({ text }) });
      if (!read.ok) say(read.detail);
      else if (left <= 0) say('Not run: no call is left. Answer with what was found.');
      else {
        left -= 1;
        accepted += 1;
        runs.push({ call, outcome: () => run(call, read.tool, read.value) });
      }
    }
    const outcomes = await severalAtOnce(
      runs.map(({ outcome }) => outcome),
      limits.atOnce,
    );
    for (const [at, { call }] of runs.entries()) messages.push(resultOf(call, tools, outcomes[at]?.text ?? ''));
    const queries = outcomes.flatMap(({ query }) => query ?? []);
    useless = accepted === 0 ? useless + 1 : 0;
    const over = whyOver({ round, left, useless, limits });
    if (over) {
      stop(over.code, over.detail, 'The answer rests on what was found by then.');
      sink({ type: 'assessment', round, verdict: 'caveat', reason: over.detail });
      break;
    }
    const next = queries.join(' · ').slice(0, 500);
    const reason = `${accepted} of ${turn.calls.length} calls were run.`;
    sink({ type: 'assessment', round, verdict: 'fill-gap', reason, ...(next !== '' && { query: next }) });
  }
  return {
    evidence: shown.evidence(),
    routing: first.routing,
    degraded: [...shown.degraded(), ...told],
    toolCalls: shown.toolCalls(),
    ...(shown.usedFallback() && { usedFallback: true }),
  };
}

function whyOver({
  round,
  left,
  useless,
  limits,
}: {
  round: number;
  left: number;
  useless: number;
  limits: OrchestratorLimits;
}) {
  if (useless >= mostUseless)
    return { code: 'calls-useless', detail: `The model called ${useless} times what there is not.` };
  if (left <= 0) return { code: 'calls-spent', detail: `The model had its ${limits.calls} calls of tools.` };
  if (round >= limits.rounds) return { code: 'rounds-spent', detail: `The model had its ${limits.rounds} rounds.` };
  return undefined;
}

/** The results in the order of the works, so many under way at the same time. Works do not reject. */
async function severalAtOnce<Result>(
  works: readonly (() => Promise<Result>)[],
  atOnce: number,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < works.length; at = next++) {
      const work = works[at];
      if (work) results[at] = await work();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, works.length) }, lane));
  return results;
}
