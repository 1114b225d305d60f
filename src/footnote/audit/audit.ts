// Who did what, noted in one place: around the facade, which every door and the program itself calls. Invariants: a call of the facade that is not
// named here is taken for a change, and the row of a change is durable before its caller is answered; of what was asked the log has a hash
// unless the operator wants its text.
import type { Credentials } from '../../auth/credentials.ts';
import type { Config } from '../../config.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { sha256, systemClock } from '../../core/ids.ts';
import { localScope, type Scope, tenantScope } from '../../core/scope.ts';
import { defined } from '../../core/values/defined.ts';
import type { AuditEntry, AuditLog } from '../../db/repositories/audit.ts';
import type { AuditCalls } from '../facade/audit.ts';
import { createAuditWriter } from './audit-writer.ts';

/** How a call came in. */
export interface Via {
  /** The route or the command. */
  readonly via: string;
  readonly requestId?: string;
}
export interface Actor extends Via {
  readonly scope: Scope;
}

/** Which calls of the facade are what, by their names, such as `documents.get`. */
export interface CallKinds {
  /** Leave no row. */
  readonly silent: ReadonlySet<string>;
  /** Ask for words that a person wrote; they are reads, too. */
  readonly questions: ReadonlySet<string>;
  readonly reads: ReadonlySet<string>;
}

const mostTargets = 100;
const longestId = 256;
const longestQuery = 10_000;

type Facts = Readonly<Record<string, unknown>>;
const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null;

/** Ids in what a call was given or gave: of itself, or of a few things in a row. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length <= longestId ? [value] : [];
  if (Array.isArray(value)) return value.slice(0, mostTargets).flatMap((one) => (isFacts(one) ? idsIn(one) : []));
  if (!isFacts(value)) return [];
  const { id, name, traceId, documentId, memory } = value;
  return [
    ...[id ?? name ?? traceId ?? documentId].filter((one) => typeof one === 'string'),
    ...(memory ? idsIn(memory) : []),
  ];
}

function questionIn([given, second]: readonly unknown[]): string | undefined {
  const request = isFacts(given) ? given : isFacts(second) ? second : {};
  const { messages, question, query, content, subject } = request;
  const last = Array.isArray(messages) ? (messages.at(-1) as Facts | undefined)?.['content'] : undefined;
  return [question, query, content, subject, last].find((one) => typeof one === 'string') as string | undefined;
}

export interface Audit {
  /** The facade of a scope, whose calls are noted. */
  noting<Facade extends object>(
    forScope: (scope: Scope) => Facade,
  ): { noted(scope: Scope, via?: Via): Facade; scheduled(scope: Scope): Facade };
  repairing<T>(work: () => Promise<T>): Promise<T>;
  keys(keys: Credentials): AuditedKeys;
  callsOf(scope: Scope): AuditCalls;
  /** Removes rows that are older than their time, up to the last midnight before it: the log says so, and verifies from there on. */
  prune(): Promise<number>;
  /** Which settings are not as they come, where they are others than at the last start. */
  noteSettings(): Promise<void>;
  close(): Promise<void>;
}

/** As the credentials, and who asks for it: without one, whoever started this process. */
export interface AuditedKeys extends Credentials {
  create(key: Parameters<Credentials['create']>[0], by?: Actor): ReturnType<Credentials['create']>;
  rotate(id: string, overlapSeconds?: number, by?: Actor): ReturnType<Credentials['rotate']>;
  revoke(id: string, by?: Actor): Promise<boolean>;
}

const prunedTogether = 5000;

export interface AuditOptions extends CallKinds {
  /** What this process does. */
  readonly command: string | undefined;
}

export function createAudit(
  log: AuditLog,
  config: Pick<Config, 'telemetry' | 'effective'>,
  { silent, questions, reads, command = 'footnote' }: AuditOptions,
): Audit {
  const { logQueries, auditRetentionDays } = config.telemetry;
  const writer = createAuditWriter(log);
  const self: Actor = { scope: localScope(), via: command };

  type Did = Pick<AuditEntry, 'at' | 'operation' | 'targets' | 'outcome' | 'ms'> & {
    readonly query?: string | undefined;
  };
  const entryOf = ({ scope, via, requestId }: Actor, did: Did): AuditEntry =>
    defined({ ...did, requestId, tenant: scope.tenant, principal: scope.principal.id, via });

  async function noted<T>(
    actor: Actor,
    operation: string,
    {
      given,
      targets,
      work,
    }: { given: readonly unknown[]; targets: (result?: T) => readonly string[]; work: () => Promise<T> },
  ): Promise<T> {
    const at = systemClock.now();
    const from = systemClock.elapsedMs();
    const end = (outcome: string, result?: T): AuditEntry => {
      const asked = questions.has(operation) ? questionIn(given) : undefined;
      const query = asked && (logQueries ? asked.slice(0, longestQuery) : sha256(asked));
      const ms = Math.round((systemClock.elapsedMs() - from) * 10) / 10;
      return entryOf(actor, {
        at,
        operation,
        targets: [...new Set(targets(result))].slice(0, mostTargets),
        outcome,
        ms,
        query,
      });
    };
    const isRead = reads.has(operation);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      const entry = end(toFootnoteError(error).code);
      if (isRead) writer.note(entry);
      else await writer.write(entry).catch(() => undefined);
      throw error;
    }
    // A part that is made elsewhere, or not at all: then it is read here.
    if (result === undefined && (operation === 'documents.print' || operation === 'documents.view')) return result;
    if (isRead) writer.note(end('done', result));
    else await writer.write(end('done', result));
    return result;
  }

  function around<Part extends object>(part: Part, actor: Actor, path = ''): Part {
    return new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        const operation = `${path}${String(name)}`;
        if (typeof name === 'symbol' || silent.has(operation)) return value;
        if (typeof value === 'function')
          return (...given: readonly unknown[]) =>
            noted(actor, operation, {
              given,
              targets: (result) => [
                ...given.slice(0, operation === 'answers.verifyReport' ? 0 : 2).flatMap(idsIn),
                ...(isFacts(result) ? idsIn(result) : []),
              ],
              work: async () => (await Reflect.apply(value, target, given)) as unknown,
            });
        return isFacts(value) ? around(value, actor, `${operation}.`) : value;
      },
    });
  }

  interface Change<T> {
    readonly operation: string;
    readonly targets: (result: T) => readonly string[];
  }
  const changing = <T>(actor: Actor, { operation, targets }: Change<T>, work: () => Promise<T>): Promise<T> =>
    noted(actor, operation, { given: [], targets: (result) => (result === undefined ? [] : targets(result)), work });

  return {
    noting(forScope) {
      const noted = (scope: Scope, { via, requestId }: Via = self) =>
        around(forScope(scope), defined({ scope, via, requestId }));
      return { noted, scheduled: (scope) => noted(scope, { via: 'schedule' }) };
    },
    repairing: (work) => changing(self, { operation: 'repair', targets: () => [] }, work),
    keys: (keys) => ({
      ...keys,
      create: (key, by = self) =>
        changing(by, { operation: 'keys.create', targets: (made) => [made.key.id] }, () => keys.create(key)),
      rotate: (id, seconds, by = self) =>
        changing(by, { operation: 'keys.rotate', targets: () => [id] }, () => keys.rotate(id, seconds)),
      revoke: (id, by = self) => changing(by, { operation: 'keys.revoke', targets: () => [id] }, () => keys.revoke(id)),
      open: () => changing(self, { operation: 'keys.open', targets: (count) => [String(count)] }, () => keys.open()),
    }),
    callsOf: ({ tenant, principal }) => ({
      async list(query) {
        await writer.flush();
        return log.list({ ...query, tenant: principal.id === self.scope.principal.id ? undefined : tenant });
      },
      async verify(query) {
        await writer.flush();
        return log.verify(query);
      },
    }),
    async prune() {
      const before = new Date(Date.parse(systemClock.now()) - auditRetentionDays * 86_400_000);
      const midnight = `${before.toISOString().slice(0, 10)}T00:00:00.000Z`;
      const actor: Actor = { ...self, scope: tenantScope(self.scope.tenant, 'upkeep') };
      const entry = entryOf(actor, {
        at: systemClock.now(),
        operation: 'audit.cut',
        targets: [],
        outcome: 'done',
        ms: 0,
      });
      return log.cut(entry, midnight, prunedTogether);
    },
    async noteSettings() {
      const targets = config.effective
        .filter(({ origin, unused }) => origin !== 'default' && origin !== 'not set' && !unused)
        .map(({ name, value }) => `${name}=${value}`.slice(0, longestId));
      const did = { at: systemClock.now(), operation: 'settings', targets, outcome: 'done', ms: 0 };
      await log.noteSettings(entryOf(self, did));
    },
    close: () => writer.flush(),
  };
}
