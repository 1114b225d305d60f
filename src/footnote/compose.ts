// Config in, one Footnote out: the only file that imports adapters. Opening takes the data folder's lock, so that one
// process owns the record; closing gives everything back in order.
import type { Composer } from '../answer/composer.ts';
import { createModelComposer } from '../answer/model-composer.ts';
import { type Credentials, createCredentials } from '../auth/credentials.ts';
import type { Config } from '../config.ts';
import type { Intent } from '../core/answer.ts';
import { type Clock, type Ids, randomIds, systemClock } from '../core/ids.ts';
import type { Scope } from '../core/scope.ts';
import type { IdempotencyRepository } from '../db/record.ts';
import { openSqliteRecord } from '../db/sqlite.ts';
import type { SettleOptions } from '../ingest/embedder.ts';
import { createParserPool } from '../ingest/parser-pool.ts';
import { createPipeline } from '../ingest/pipeline.ts';
import { createSessions } from '../memory/sessions.ts';
import { createModelBudget } from '../models/model-budget.ts';
import type { ResolvedRoles } from '../models/roles.ts';
import { createEmbeddedStore } from '../stores/embedded.ts';
import { createEmbedders } from './embedders.ts';
import type { Footnote, Health } from './facade.ts';
import { createHandle } from './handle.ts';
import { createIngestionRuns } from './ingestions.ts';
import { openLanguageModels } from './language-models.ts';
import { acquireLock, type Lock } from './lock.ts';
import { createQuestions } from './questions.ts';
import { version } from './version.ts';

/** Calls of models that one request may make: an answer, its retries and its repairs. */
const callsPerRequest = 12;

export interface OpenOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Whether to make a data folder that is not there. Default true. */
  readonly create?: boolean;
  /** What this process does, as others that want the folder are told. */
  readonly command?: string;
}

export interface OpenedFootnote {
  forScope(scope: Scope): Footnote;
  health(): Promise<Health>;
  readonly keys: Credentials;
  idempotency(scope: Scope): IdempotencyRepository;
  /** The lock of the data folder: a server publishes its address there. */
  readonly lock: Lock;
  /** Which model writes what, as the configuration says. */
  readonly languageModels: ResolvedRoles;
  /** Where citations point to: set once the server knows its address. */
  setAddress(url: string): void;
  /** Resolves when every chunk of a tenant has its vector. Throws `cancelled`, or why the vectors cannot be made. */
  settle(tenant: string, options?: SettleOptions): Promise<void>;
  /** Findings of a full check of the record. Empty: sound. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Throws `already-running` when another process owns the folder, `data-corrupt`, `migration-needed`, `storage-denied`, `storage-full`. */
export async function openFootnote(config: Config, options: OpenOptions = {}): Promise<OpenedFootnote> {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? randomIds;
  const language = await openLanguageModels(config);
  const composerFor = (intent: Intent): Composer | undefined => {
    const model = language.models.answering(intent);
    if (!model) return undefined;
    const budget = createModelBudget({ calls: callsPerRequest }, { name: 'this request' });
    return createModelComposer({ model, budget, maxOutputTokens: config.language.maxOutputTokens });
  };
  const lock = await acquireLock(config.data, options.command ?? 'footnote');
  try {
    const database = openSqliteRecord({ folder: config.data, create: options.create ?? true });
    const parsers = createParserPool();
    const runs = createIngestionRuns(clock, ids);
    const embedders = createEmbedders({ database, models: config.models, clock });
    let address = `http://${config.host}:${config.port}`;
    const spanUrl = (documentId: string, span: { start: number; end: number }): string =>
      `${address}/v1/documents/${encodeURIComponent(documentId)}/view?start=${span.start}&end=${span.end}`;
    await database.markInterrupted();

    const handles = new Map<string, Footnote>();
    const open = (scope: Scope): Footnote => {
      const record = database.forScope(scope);
      const embedded = createEmbeddedStore({ database, scope });
      const embedder = embedders.of(scope.tenant);
      const stores = [embedded];
      const sessions = createSessions(record, clock, ids);
      const pipeline = createPipeline({
        record,
        stores,
        parsers,
        clock,
        ids,
        chunking: config.chunking,
        skipFolders: [config.data],
        maxFileBytes: config.maxFileBytes,
        onChange: () => embedder.schedule(),
      });
      const questions = createQuestions({
        record,
        embedded,
        semantics: embedder,
        composerFor,
        fusion: config.fusion,
        expansion: config.expansion,
        sessions,
        clock,
        ids,
        defaultMode: config.defaultMode,
        contextTokens: config.contextMaxTokens,
        timeoutMs: config.requestTimeoutMs,
        spanUrl,
      });
      return createHandle({
        record,
        stores,
        embedders: { embedded: embedder },
        pipeline,
        runs,
        sessions,
        questions,
        clock,
      });
    };
    const forScope = (scope: Scope): Footnote => {
      const key = JSON.stringify([scope.tenant, scope.principal.id, scope.principal.role, scope.principal.groups]);
      const present = handles.get(key);
      if (present !== undefined) return present;
      const handle = open(scope);
      handles.set(key, handle);
      return handle;
    };

    return {
      forScope,
      keys: createCredentials(database.keys, { clock, ids }),
      idempotency: (scope) => database.forScope(scope).idempotency,
      lock,
      setAddress(url) {
        address = url.replace(/\/+$/u, '');
      },
      languageModels: language.resolved,
      settle: (tenant, options) => embedders.of(tenant).settle(options),
      check: () => database.check(),
      async health() {
        const stores = await forScope({
          tenant: 'default',
          principal: { id: 'health', role: 'admin', groups: [] },
        }).stores.list();
        const { path, schemaVersion, sqliteVersion, synchronous } = database.info();
        const status = stores.every((store) => store.status === 'ok') ? 'ok' : 'degraded';
        return { status, version, record: { path, schemaVersion, sqliteVersion, synchronous }, stores };
      },
      async close() {
        await runs.close();
        language.close();
        await embedders.close();
        await parsers.close();
        await database.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
