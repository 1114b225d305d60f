// A question to the archive answered by a model: it looks and reads with two tools in several rounds, then writes claims with quotes of what it
// read, each checked against the record before it is said. Invariants: never more turns or tokens than allowed, and no prompt longer than that;
// where the model fails, refuses or finds nothing that holds, nothing of it was said.

import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import type { ArchiveCitation } from '../../core/archive.ts';
import type { ModelBudget } from '../../core/budget.ts';
import type { RequestContext } from '../../core/context.ts';
import { createShare } from '../../core/deadline.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { marked, marksOf } from '../../core/marked-text.ts';
import { namedModel } from '../../core/named-model.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import type { Message, ToolCall } from '../../models/language/messages.ts';
import { modelName } from '../../models/language/model-name.ts';
import { countPromptTokens } from '../../models/language/model-usage.ts';
import { recordedModel } from '../../models/language/recorded-model.ts';
import { tokenizerOf } from '../../models/language/tokenizer-of.ts';
import { toTool } from '../../models/language/tools/read-call.ts';
import type { ToolAsker } from '../../models/language/tools/tool-turn.ts';
import { recordCall } from '../../trace/recorder.ts';
import { askForCalls, readOffered, resultOf } from '../tools/ask-for-calls.ts';
import { createArchiveTools } from './archive-tools.ts';
import { exploreMessages, explorePromptName } from './chat-prompt.ts';
import type { AnswerPorts, ChatOutcome } from './outcome.ts';
import { withoutSaidDates } from './said-dates.ts';
import { openTurnPassages } from './turn-evidence.ts';
import { toDay } from './turn-spans.ts';

/** The model of a chat, for one request. */
export interface ChatModel {
  readonly model: LanguageModel;
  readonly budget: ModelBudget;
  readonly ask: ToolAsker;
  /** Writes from what was read; releases nothing where nothing of the model holds. */
  readonly composerFor: (wordingOfTalk: (text: string) => string) => Composer;
}

export interface ModelPorts extends AnswerPorts {
  readonly context: RequestContext;
  readonly maxTokens: number;
  readonly maxHydrations: number;
}

/** `failed`: why the model did not answer; rules do then, and it is said. */
export type ModelOutcome = ChatOutcome | { readonly failed: string };

const exploring = { rounds: 12, callsOfRound: 16, share: 0.6, longestMs: 120_000, maxOutputTokens: 1_500 } as const;
const portName = 'chat.model';
/** One answer after another that holds nothing of use. */
const mostUseless = 2;
/** Rounds with less room than this could show nothing. */
const leastRoomTokens = 200;
/** Instructions, question and form of the answer. */
const aroundPassagesTokens = 2_000;

export async function answerByModel(question: string, chat: ChatModel, ports: ModelPorts): Promise<ModelOutcome> {
  const stopped = await explore(question, chat, ports);
  const { reading, archive, context, maxTokens, say } = ports;
  const turns = reading.turns();
  const name = modelName(chat.model);
  if (turns.length === 0) return { failed: stopped ?? namedModel(name, 'The model read no turn of the archive.') };
  const passages = await openTurnPassages(turns, { archive });
  const citations: ArchiveCitation[] = [];
  let isFirst = true;
  const release = (claim: VerifiedClaim): void => {
    const fresh: ArchiveCitation[] = [];
    const marks = new Set<number>();
    const days = new Set<string>();
    for (const span of claim.spans) {
      const cited = passages.citationOf(span);
      if (!cited) continue;
      const same = [...citations, ...fresh].find(
        ({ turn_id, conversation_id, quote }) =>
          turn_id === cited.turn_id && conversation_id === cited.conversation_id && quote === cited.quote,
      );
      const citation = same ?? { ...cited, index: citations.length + fresh.length + 1 };
      if (!same) fresh.push(citation);
      marks.add(citation.index);
      if (citation.timestamp !== undefined) days.add(toDay(citation.timestamp));
    }
    // Nothing is said without a turn.
    if (marks.size === 0) return;
    citations.push(...fresh);
    const dated = days.size === 0 ? '' : ` (${[...days].join('; ')})`;
    say(marked`${isFirst ? '' : '\n'}${toInert(claim.text)} ${marksOf([...marks])}${dated}`, fresh);
    isFirst = false;
  };
  const { sink, deadline, clock } = context;
  const times = turns.flatMap(({ timestamp, messages }) => [timestamp, ...messages.map((one) => one.timestamp)]);
  const said = times.filter((time) => time !== undefined);
  const composer = chat.composerFor((text) => withoutSaidDates(text, said));
  const composition = await composer.compose(
    { question, evidence: passages.evidence, contextTokens: Math.max(0, maxTokens - aroundPassagesTokens) },
    {
      readSpan: passages.readSpan,
      statistics: async () => undefined,
      search: async () => [],
      release,
      timed: async (_, work) => {
        deadline.check();
        return work();
      },
      sink,
      deadline,
      clock,
    },
  );
  const told = composition.degraded.map(({ detail, effect }) => `${detail} ${effect}`);
  if (!composition.isByModel) return { failed: composition.degraded[0]?.detail ?? 'The model wrote no answer.' };
  if (citations.length === 0)
    say(marked`The archive touches on this, but what was read of it does not answer the question.`);
  const isAbstained = citations.length === 0;
  return {
    citations,
    abstained: isAbstained,
    weak: isAbstained || composition.coverage < weakBelow,
    coverage: Number(composition.coverage.toFixed(3)),
    degraded: [...(stopped === undefined ? [] : [stopped]), ...told],
    model: name,
  };
}

const weakBelow = 0.5;

/** Lets the model look and read; why it was stopped, if it did not stop by itself. */
async function explore(question: string, chat: ChatModel, ports: ModelPorts): Promise<string | undefined> {
  const { model, budget, ask } = chat;
  const { reading, context, maxTokens, maxHydrations } = ports;
  const { sink, clock, deadline } = context;
  const share = createShare(deadline, Math.min(exploring.longestMs, deadline.remainingMs() * exploring.share), clock);
  const tools = new Map(createArchiveTools(reading, question).map((tool) => [tool.form.name, tool]));
  const offered = [...tools.values()].map(({ form }) => toTool(form));
  const recorded = recordedModel(model, { port: portName, prompt: explorePromptName }, { sink, clock });
  const { count } = await tokenizerOf(model.provider, model.id);
  const now = new Date(ports.nowMs).toISOString();
  const messages: Message[] = [
    ...exploreMessages({ question, now, maxHydrations, maxTokens, rounds: exploring.rounds }),
  ];
  const mostTokens = Math.min(maxTokens, (model.contextTokens ?? Number.POSITIVE_INFINITY) - exploring.maxOutputTokens);
  const roomOf = (pending: readonly Message[]): number =>
    mostTokens - countPromptTokens({ messages: [...messages, ...pending], tools: offered }, count);
  const stopped = (detail: string): string => namedModel(modelName(model), detail);

  const run = async (
    call: ToolCall,
    roomTokens: number,
  ): Promise<{ readonly text: string; readonly isUse: boolean }> => {
    const given = readOffered(call, tools);
    if (!given.ok) return { text: given.detail, isUse: false };
    const { tool } = given;
    if (roomTokens < leastRoomTokens) return { text: 'Not run: there is no room for more. Stop now.', isUse: false };
    const ended = recordCall({ port: 'chat.tools', method: tool.form.name, request: given.value }, { sink, clock });
    try {
      const text = await untilAborted(tool.run(given.value, roomTokens), share.signal);
      ended({ response: { text, callId: call.id } });
      return { text, isUse: true };
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      ended({ error });
      deadline.check();
      return { text: `The tool failed: ${error.code}.`, isUse: false };
    }
  };

  let useless = 0;
  for (let round = 1; round <= exploring.rounds; round += 1) {
    if (roomOf([]) < leastRoomTokens)
      return stopped(`The model had no room for more within ${maxTokens} tokens (CHAT_MAX_TOKENS).`);
    const asked = await askForCalls(
      { messages, tools: offered, maxOutputTokens: exploring.maxOutputTokens },
      { ask, model: recorded, budget, deadline, share },
    );
    if (!asked.ok) {
      const { isLate, error } = asked;
      const detail = isLate ? 'The model did not explore the archive in its share of the time.' : error.message;
      return namedModel(error.details['model'] ?? modelName(model), detail);
    }
    const { turn } = asked;
    if (turn.calls.length === 0) return undefined;
    const results: Message[] = [turn.message];
    // What a model writes is shown to it again, and counts.
    if (roomOf(results) < leastRoomTokens)
      return stopped(`The model had no room for more within ${maxTokens} tokens (CHAT_MAX_TOKENS).`);
    let uses = 0;
    for (const [at, call] of turn.calls.entries()) {
      const { text, isUse } =
        at < exploring.callsOfRound
          ? await run(call, roomOf(results) - leastRoomTokens)
          : { text: 'Not run: too many calls at once.', isUse: false };
      if (isUse) uses += 1;
      results.push(resultOf(call, tools, text));
      if (roomOf(results) < 0)
        return stopped(`The model had no room for more within ${maxTokens} tokens (CHAT_MAX_TOKENS).`);
    }
    messages.push(...results);
    useless = uses === 0 ? useless + 1 : 0;
    if (useless >= mostUseless) return stopped(`The model called ${useless} times what there is not.`);
    if (reading.usage().hydrations >= maxHydrations) return undefined;
  }
  return stopped(`The model had its ${exploring.rounds} rounds.`);
}
