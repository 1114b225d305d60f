// One turn of a model that says what to look up: asked within its share of the time, and each of its calls read as one of a tool that it was
// offered, or told what is wrong with it.
import type { ModelBudget } from '../../core/budget.ts';
import type { Deadline } from '../../core/deadline.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import type { Message, ToolCall } from '../../models/language/messages.ts';
import { readToolCall, type ToolForm } from '../../models/language/tools/read-call.ts';
import type { ToolAsker } from '../../models/language/tools/tool-turn.ts';

export interface AskingForCalls {
  readonly ask: ToolAsker;
  /** Each call of it is recorded. */
  readonly model: LanguageModel;
  readonly budget: ModelBudget;
  readonly deadline: Deadline;
  /** Of the model. */
  readonly share: Deadline;
}

export type AskedForCalls =
  | { readonly ok: true; readonly turn: Awaited<ReturnType<ToolAsker>> }
  | { readonly ok: false; readonly isLate: boolean; readonly error: FootnoteError };

/** Throws only the request's own `cancelled` and `deadline-exceeded`. */
export async function askForCalls(
  request: Parameters<ToolAsker>[1],
  { ask, model, budget, deadline, share }: AskingForCalls,
): Promise<AskedForCalls> {
  try {
    const asked = ask(model, request, { deadline: share, signal: share.signal, budget });
    return { ok: true, turn: await untilAborted(asked, share.signal) };
  } catch (thrown) {
    deadline.check();
    const isLate = share.isOver();
    return { ok: false, isLate, error: toFootnoteError(thrown) };
  }
}

export type OfferedCall<Tool> =
  | { readonly ok: true; readonly tool: Tool; readonly value: unknown }
  | { readonly ok: false; readonly detail: string };

export function readOffered<Tool extends { readonly form: ToolForm<unknown> }>(
  call: ToolCall,
  tools: ReadonlyMap<string, Tool>,
): OfferedCall<Tool> {
  const tool = tools.get(call.name);
  if (!tool) return { ok: false, detail: `There is no tool of this name. There are ${[...tools.keys()].join(', ')}.` };
  const given = readToolCall(call, tool.form);
  return given.ok ? { ok: true, tool, value: given.value } : { ok: false, detail: given.detail };
}

/** What a call came to, as the model is shown it. */
export const resultOf = (call: ToolCall, tools: ReadonlyMap<string, unknown>, content: string): Message => ({
  role: 'tool',
  callId: call.id,
  tool: tools.has(call.name) ? call.name : 'unknown',
  content,
});
