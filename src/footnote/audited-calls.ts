// What the audit log makes of the calls of the facade. One that is not named here is taken for a change, whose row is durable before its caller is
// answered: a new operation is noted without being named.
import type { Footnote } from './facade.ts';

/** Calls of the facade by their names, such as `documents.get`. */
type CallName = {
  [Name in keyof Footnote]: Footnote[Name] extends (...given: never) => unknown
    ? Name
    : `${Name}.${keyof NonNullable<Footnote[Name]> & string}`;
}[keyof Footnote];

/** They tell how things stand, and nothing of what documents and people say. */
export const silent: ReadonlySet<string> = new Set([
  'documents.list',
  'documents.preview',
  'sources.list',
  'sources.get',
  'sources.preview',
  'ingestions.get',
  'ingestions.files',
  'ingestions.list',
  'ingestions.parked',
  'ingestions.watch',
  'stores.list',
  'stores.deliveries',
  'memories.stats',
  'conversations.list',
  'conversations.get',
  'usage',
  'traces.housekeep',
  'evals.report',
  'uploads.get',
  'uploads.list',
  'uploads.collections',
  'uploads.attached',
  'uploads.files',
  'uploads.counts',
  'uploads.times',
  'uploads.isRunning',
] satisfies CallName[]);

const questionNames = [
  'search',
  'ask',
  'analyse',
  'sessions.send',
  'memories.recall',
  'conversations.peek',
  'conversations.chat',
] as const satisfies CallName[];
export const questions: ReadonlySet<string> = new Set(questionNames);

export const reads: ReadonlySet<string> = new Set([
  ...questionNames,
  'recommend',
  'documents.get',
  'documents.text',
  'documents.file',
  'documents.chunks',
  'documents.structure',
  'documents.boxes',
  'documents.print',
  'documents.view',
  'sessions.list',
  'sessions.get',
  'sessions.turns',
  'sessions.page',
  'memories.get',
  'memories.list',
  'conversations.turns',
  'conversations.turn',
  'feedback.list',
  'feedback.cases',
  'feedback.opened',
  'feedback.episodes',
  'traces.list',
  'traces.get',
  'traces.ofSession',
  'traces.export',
  'traces.replay',
  'answers.get',
  'answers.verify',
  'answers.using',
  'answers.report',
  'answers.verifyReport',
  'uploads.bytes',
  'audit.list',
  'audit.verify',
  'servers.list',
] satisfies CallName[]);
