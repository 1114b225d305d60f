// A recorded request run for real once more: against the documents, stores and models of now, with settings that may be others. Invariant:
// nothing of it is kept but what its models cost: no turn, no answer, no trace; earlier turns of its session are those of then.

import { type ArchiveChatPorts, createArchiveChat } from '../../agent/archive-chat/archive-chat.ts';
import { createRunner, type RunnerOptions } from '../../agent/run.ts';
import { version } from '../../config/version.ts';
import { type Config, loadConfig } from '../../config.ts';
import type { Trial } from '../../core/answers/replays.ts';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { LoggedEvent } from '../../core/events.ts';
import { type Mode, modes } from '../../core/search.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import type { Sessions } from '../../memory/sessions.ts';
import type { ModelWatch } from '../../models/calls/watch.ts';
import type { RoleModels } from '../../models/roles.ts';
import { rowsIn } from '../report/trace-facts.ts';
import { createRequestPorts, type RequestPortsOptions } from '../requests/request-ports.ts';
import { chatSettings, type PortSettings, portSettings, runnerSettings } from '../requests/request-settings.ts';
import { openModelSteps } from '../roles/model-steps.ts';
import { isOfWorkspace, workspaceOf } from '../sources/workspace.ts';
import type { RequestWeb } from '../web/request-web.ts';
import { createEnvironment, decidesAnswers, type EnvironmentParts } from './environment.ts';
import { diffOutcomes, outcomeOf } from './outcome-diff.ts';
import { nowhere, runAgain } from './run-again.ts';

export interface TrialRequest {
  /** By the names of settings. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Another answering model: the same as `settings.MODEL_ANSWER`. */
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TrialParts {
  readonly config: Config;
  /** All but what the settings decide. */
  readonly ports: Omit<RequestPortsOptions, keyof PortSettings>;
  readonly runner: Pick<RunnerOptions, 'scope' | 'openBudget' | 'clock' | 'ids' | 'spanUrl'>;
  readonly archive: ArchiveChatPorts['archive'];
  readonly environment: Omit<EnvironmentParts, 'config' | 'models'>;
  readonly models?: RoleModels | undefined;
  readonly watch: Pick<ModelWatch, 'circuit'>;
}

/** The configuration with other settings. Throws `invalid-request` for those that may not be changed, `config-invalid` for a bad value. */
function changedConfig(config: Config, settings: Readonly<Record<string, string>>): Config {
  const known = new Set(config.effective.map(({ name }) => name));
  const refused = Object.keys(settings).filter((name) => !known.has(name) || !decidesAnswers(name));
  if (refused.length > 0)
    throw new FootnoteError(
      'invalid-request',
      `${refused.join(', ')} cannot be changed for a replay. Settings that decide how a question is answered can: modes, fusion, expansion, context, models of roles, reranking, claim policy.`,
    );
  const environment = Object.fromEntries(config.effective.map(({ name }) => [name, config.secret(name)]));
  // All that is set, wherever it stands, is in the environment: no file is read again.
  const changed = loadConfig({ folder: nowhere, environment: { ...environment, ...settings } });
  return { ...changed, data: config.data, models: { ...changed.models, folder: config.models.folder } };
}

/** The turns that the session had then: the last ones, or as much as was read of it. */
function turnsThen(
  events: readonly LoggedEvent[],
  method: 'recent' | 'turns',
): Awaited<ReturnType<Sessions['recent']>> {
  for (const { event } of events)
    if (event.type === 'call' && event.call.port === 'sessions' && event.call.method === method)
      return (event.call.response ?? []) as Awaited<ReturnType<Sessions['recent']>>;
  return [];
}

/** Pages of the web are read anew, and no document of the record afterwards. */
const withoutKeeping = ({ access, over }: RequestWeb): RequestWeb => ({ access, over });

/** What the chat over the archive had been asked before. */
function lastQuestion(events: readonly LoggedEvent[]): string | undefined {
  const called = events.find(({ event }) => event.type === 'call' && event.call.port === 'chats')?.event;
  return called?.type === 'call' ? (called.call.response as string | undefined) : undefined;
}

export function createTrials({ config, ports, runner, archive, environment, models, watch }: TrialParts) {
  return async (saved: SavedTrace, { settings = {}, model, mode, signal }: TrialRequest): Promise<Trial> => {
    const { trace, events } = saved;
    const asked = events[0]?.event;
    if (asked?.type !== 'request')
      throw new FootnoteError('conflict', `Trace ${trace.id} does not say what was asked: it was erased.`);
    if (mode !== undefined && !modes.includes(mode))
      throw new FootnoteError('invalid-request', `There is no mode "${mode}". There are: ${modes.join(', ')}.`);
    const changed = { ...settings, ...(model !== undefined && { MODEL_ANSWER: model }) };
    const isChanged = Object.keys(changed).length > 0;
    const { own, steps } = await openChanged().catch((thrown: unknown) => {
      // What the caller wants changed is the caller's mistake, not the operator's.
      if (isChanged && isFootnoteError(thrown) && thrown.code === 'config-invalid')
        throw new FootnoteError('invalid-request', thrown.message, { cause: thrown });
      throw thrown;
    });
    async function openChanged() {
      const own = isChanged ? changedConfig(config, changed) : config;
      return { own, steps: await openModelSteps(own, { models, watch }) };
    }
    const { openWeb } = ports;
    let logged: readonly LoggedEvent[] = [];
    const keep = async (_: unknown, log: readonly LoggedEvent[]): Promise<void> => {
      logged = [...log];
    };
    const refuse = async (): Promise<never> => {
      throw new FootnoteError('internal', 'A replay changes no session.');
    };
    const tracing = {
      ...runner,
      record: { answers: { save: async () => undefined }, traces: { save: keep, saveSoon: keep } },
      environment: createEnvironment({ ...environment, config: own, models: steps.facts }),
      timeoutMs: own.requestTimeoutMs,
    };
    const chat = createArchiveChat({
      ...tracing,
      archive,
      passageScorer: ports.passageScorer,
      chats: { add: async () => undefined, lastQuestion: async () => lastQuestion(events) },
      ...chatSettings(own, steps),
    });
    const run = createRunner({
      ...tracing,
      openPorts: createRequestPorts({
        ...ports,
        // The files themselves are not kept: what was found of them then.
        openWorkspace: async () => workspaceOf([...rowsIn(events).values()].filter(isOfWorkspace)),
        ...portSettings(own, steps),
        openWeb: openWeb && ((context) => withoutKeeping(openWeb(context))),
      }),
      ...runnerSettings(own, steps),
      sessions: {
        create: refuse,
        get: refuse,
        delete: refuse,
        turns: async () => turnsThen(events, 'turns'),
        recent: async () => turnsThen(events, 'recent'),
        deletionMark: async () => '0',
        append: async (turn) => ({ ...turn, ordinal: 0, createdAt: runner.clock.now() }),
      },
    });
    const body = { ...(asked.body as object), ...(mode !== undefined && { mode }) };
    const call = signal ? { signal } : {};
    const again = { kind: asked.kind, body, sessionId: trace.sessionId ?? 'replayed' };
    try {
      // An error is an outcome, too; whoever asked for the replay may have left.
      await runAgain({ runner: run, chat }, again, call).catch((thrown: unknown) => {
        if (signal?.aborted) throw thrown;
      });
    } finally {
      await steps.close();
    }
    const found = events.find(({ event }) => event.type === 'environment')?.event;
    const [before, now] = [outcomeOf(events), outcomeOf(logged)];
    return {
      against: 'current',
      traceId: trace.id,
      ...(found?.type === 'environment' && { recordedBy: found.program }),
      replayedBy: version,
      settings: changed,
      before,
      now,
      diff: diffOutcomes(before, now),
    };
  };
}
