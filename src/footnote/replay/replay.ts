// A request run again from its trace alone: the same program around played ports, the same clock, the same ids, and nothing kept. What it says
// must be what was said then, to the byte; where the program of today goes another way, the first steps of that are told.

import { createArchiveChat } from '../../agent/archive-chat/archive-chat.ts';
import { createRunner } from '../../agent/run.ts';
import { expansions } from '../../config/settings.ts';
import { version } from '../../config/version.ts';
import { loadConfig } from '../../config.ts';
import type { Answer } from '../../core/answer.ts';
import type { Replay } from '../../core/answers/replays.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Environment, FootnoteEvent, LoggedEvent } from '../../core/events.ts';
import { tenantScope } from '../../core/scope.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import { turnUrlAt } from '../keeping/archives.ts';
import { createRequestPorts } from '../requests/request-ports.ts';
import { chatSettings, portSettings, runnerSettings } from '../requests/request-settings.ts';
import { openModelSteps } from '../roles/model-steps.ts';
import { decidesAnswers, type PortFacts } from './environment.ts';
import {
  playedAnswers,
  playedArchive,
  playedBudget,
  playedFeedback,
  playedMemory,
  playedModels,
  playedPassageScorer,
  playedRecord,
  playedReranker,
  playedSemantics,
  playedSessions,
  playedSpans,
  playedStore,
  playedWeb,
  playedWorkspace,
} from './played-ports.ts';
import { createPlayer } from './player.ts';
import { toRequestKey } from './recorded-calls.ts';
import { nowhere, runAgain } from './run-again.ts';

/** Words of the scope are nowhere in an answer: whoever replays a trace may read it. */
const nobody = tenantScope('replay', 'replay');

export function environmentIn({ trace, events }: SavedTrace): Environment {
  const found = events.find(({ event }) => event.type === 'environment')?.event;
  if (found?.type === 'environment') return found;
  const erased = events.some(({ event }) => event.type === 'erased');
  throw new FootnoteError(
    'conflict',
    erased
      ? `Trace ${trace.id} cannot be replayed: a document that it spoke of was deleted, and its words with it.`
      : `Trace ${trace.id} cannot be replayed: it was recorded before traces held what a replay needs.`,
  );
}

/** Settings of a trace as the environment of a process, which is nobody's. */
const toEnvironment = ({ settings }: Pick<Environment, 'settings'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      decidesAnswers(name) ? [[name, name === 'QUERY_EXPANSION' ? knownExpansions(String(value)) : String(value)]] : [],
    ),
  );

/** Traces may name ways to widen a query that were removed: the recorded searches are played all the same. */
const knownExpansions = (recorded: string): string =>
  expansions.filter((name) => recorded.split(',').includes(name)).join(',') || 'none';

/** The last word of a log: what whoever asked was given. */
const outcomes: ReadonlySet<FootnoteEvent['type']> = new Set(['done', 'searched', 'chatted', 'housekeeping', 'error']);

/** Fields in the order of their names: a file that passed through other hands has the same values in another order. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const outcomeIn = (events: readonly LoggedEvent[]): FootnoteEvent | undefined =>
  events.findLast(({ event }) => outcomes.has(event.type))?.event;

const printed = (outcome: FootnoteEvent | undefined): string => JSON.stringify(outcome ?? null, inOrder);

/** An answer has a shape beside what it says: one of then has the version of then, and its marks only where there were marks then. */
function inShapeOf<Given extends Pick<Answer, 'version' | 'marks'>>(
  recorded: FootnoteEvent | undefined,
  given: Given,
): Given {
  if (recorded?.type !== 'done' && recorded?.type !== 'chatted') return given;
  const then = recorded.answer as Pick<Answer, 'version' | 'marks'>;
  if (given.version === then.version && then.marks) return given;
  const { version: _, marks, ...others } = given;
  return {
    ...others,
    ...(then.version !== undefined && { version: then.version }),
    ...(then.marks && { marks }),
  } as Given;
}

const shownLength = 120;

/** The first place at which two texts of JSON differ. */
function differenceOf(recorded: string, replayed: string): Replay['difference'] {
  if (recorded === replayed) return undefined;
  let at = 0;
  while (at < recorded.length && recorded[at] === replayed[at]) at += 1;
  const from = Math.max(0, at - 40);
  const cut = (text: string): string => text.slice(from, from + shownLength);
  return { at: `character ${at}`, recorded: cut(recorded), replayed: cut(replayed) };
}

/** Whether answers that were given before were looked up: not where stores beside the record are asked. */
const hasCache = (events: readonly LoggedEvent[]): boolean =>
  events.some(({ event }) => event.type === 'call' && event.call.port === 'answer-cache');
/** Older traces do not say what was read of a message for memory. */
const hasReadMemory = (events: readonly LoggedEvent[]): boolean =>
  events.some(({ event }) => event.type === 'call' && event.call.port === 'memories' && event.call.method === 'read');

/** In no order: what ended at the same time may stand in another. */
const callsIn = (events: readonly LoggedEvent[]): string =>
  events
    .flatMap(({ event }) =>
      event.type === 'call' ? [`${event.call.port}.${event.call.method} ${toRequestKey(event.call.request)}`] : [],
    )
    .toSorted()
    .join('\n');

/** Throws `conflict` for a trace that holds too little. Whatever else goes another way is in the result. */
export async function replayTrace(saved: SavedTrace): Promise<Replay> {
  const { trace, events } = saved;
  const environment = environmentIn(saved);
  const request = events[0]?.event;
  if (request?.type !== 'request')
    throw new FootnoteError('conflict', `Trace ${trace.id} does not say what was asked.`);
  const facts = environment.ports as PortFacts;
  const config = loadConfig({ folder: nowhere, environment: toEnvironment(environment) });
  const player = createPlayer(events);
  const steps = await openModelSteps(config, {
    played: { language: playedModels(player, facts.models), reranker: playedReranker(player, facts.models.reranker) },
  });
  const spanUrl = (documentId: string, span: { start: number; end: number }): string =>
    `${facts.address}/v1/documents/${encodeURIComponent(documentId)}/view?start=${span.start}&end=${span.end}`;
  let replayed: readonly LoggedEvent[] = [];
  const keep = async (_: unknown, logged: readonly LoggedEvent[]): Promise<void> => {
    replayed = [...logged];
  };
  const { timeoutMs, program } = environment;
  const tracing = {
    scope: nobody,
    record: { answers: { save: async () => undefined }, traces: { save: keep, saveSoon: keep } },
    openBudget: async () => playedBudget(player),
    clock: player.tape.clock,
    ids: player.tape.ids,
    openTape: () => player.tape,
    timeoutMs,
  };
  const passageScorer = playedPassageScorer(player, facts);
  const chat = createArchiveChat({
    ...tracing,
    ...playedArchive(player),
    passageScorer,
    ...chatSettings(config, steps),
  });
  const runner = createRunner({
    ...tracing,
    answerCache: config.agent.isCachingAnswers && hasCache(events) ? playedAnswers(player) : undefined,
    openPorts: createRequestPorts({
      record: playedRecord(player, nobody),
      feedback: playedFeedback(player),
      embedded: playedStore(player, facts.store),
      beside: facts.beside.map(({ kind, modes, ...store }) => ({ kind, modes, searcher: playedStore(player, store) })),
      semantics: playedSemantics(player, facts),
      past: { ...playedArchive(player), limits: config.chat, urlOf: turnUrlAt(() => facts.address) },
      passageScorer,
      ...portSettings(config, steps),
      spanUrl,
      readSpan: playedSpans(player),
      openWorkspace: playedWorkspace(player),
      ...(facts.web && { openWeb: () => playedWeb(player) }),
    }),
    ...runnerSettings(config, steps),
    sessions: playedSessions(player, async (turn) => ({ ...turn, ordinal: 0, createdAt: trace.startedAt })),
    ...(config.memory.isOn && {
      memoryOf: playedMemory(player, { address: facts.address, isRead: hasReadMemory(events) }),
    }),
    spanUrl,
  });
  const again = { kind: request.kind, body: request.body, sessionId: trace.sessionId ?? '' };
  let given: Answer | undefined;
  try {
    const value = await player.play(runAgain({ runner, chat }, again, { signal: player.left, timeoutMs }));
    if (request.kind === 'ask' || request.kind === 'message') given = value as Answer;
  } catch {
    // An error is the end of a log like any other.
  } finally {
    await steps.close();
  }
  const [recorded, outcome] = [outcomeIn(events), outcomeIn(replayed)];
  const shaped =
    outcome?.type === 'done' || outcome?.type === 'chatted'
      ? { ...outcome, answer: inShapeOf(recorded, outcome.answer as Answer) }
      : outcome;
  const difference = differenceOf(printed(recorded), printed(shaped));
  return {
    against: 'record',
    traceId: trace.id,
    same: difference === undefined,
    sameCalls: callsIn(events) === callsIn(replayed),
    recordedBy: program,
    replayedBy: version,
    divergences: [...player.divergences()],
    ...(given && { answer: inShapeOf(recorded, given) }),
    ...(difference && { difference }),
  };
}
