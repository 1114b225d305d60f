// Config in, one Footnote out: the only file that imports adapters. Opening takes the data folder's lock, so that one
// process owns the record; closing gives everything back in order.
import { randomUUID } from 'node:crypto';
import { createArchiveChat } from '../agent/archive-chat/archive-chat.ts';
import { createRunner } from '../agent/run.ts';
import { createCredentials } from '../auth/credentials.ts';
import { createMeter } from '../auth/meter.ts';
import type { Config } from '../config.ts';
import { webSearchSource } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { randomIds, systemClock } from '../core/ids.ts';
import { defaultTenant, hasSource, isOwner, type Scope, tenantScope } from '../core/scope.ts';
import { defined } from '../core/values/defined.ts';
import { createDemand } from '../core/waiting/demand.ts';
import { withReserve } from '../db/sqlite/sqlite.ts';
import { createPipeline, type Pipeline } from '../ingest/pipeline.ts';
import { createPreviews } from '../ingest/preview.ts';
import { createParserPool } from '../ingest/read/parser-pool.ts';
import { noMeaning } from '../memory/facts/fitted/meaning.ts';
import { createSessions } from '../memory/sessions.ts';
import { createModelWatch } from '../models/calls/watch.ts';
import { createSpendingLedger } from '../models/money/spending-ledger.ts';
import { createAudit } from './audit/audit.ts';
import * as auditedCalls from './audited-calls.ts';
import { createGivenVectors, isLearnedHere } from './beside/given-vectors.ts';
import { openKeepSearches } from './beside/kept-searches.ts';
import { staysHere, tellUndelivered } from './beside/undelivered.ts';
import { createOpenBeside, createStoreDelivery, createStoreReconciler, wholeTenant } from './configured-stores.ts';
import { createConnectors } from './connectors.ts';
import { openOnlineEvals, sampled } from './evals/online-evals.ts';
import type { Footnote } from './facade.ts';
import { createIngestionRuns } from './handle/ingestion-runs.ts';
import { createHandle } from './handle.ts';
import { createHealth } from './health.ts';
import { createArchives, turnUrlAt } from './keeping/archives.ts';
import { createPassageShelves } from './keeping/encoded-passages.ts';
import { openLongTermMemory, openRequestMemory } from './keeping/memories.ts';
import { createOpenCounts } from './keeping/open-counts.ts';
import { createTracesUpkeep } from './keeping/traces-upkeep.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { OpenedFootnote, OpenOptions } from './opened.ts';
import { createOpenings } from './openings.ts';
import { openRecord } from './parts/open-record.ts';
import { createTrials } from './replay/against.ts';
import { createEnvironment } from './replay/environment.ts';
import { openAnswerCache } from './requests/kept-answers.ts';
import { createRequestPorts } from './requests/request-ports.ts';
import { chatSettings, portSettings, runnerSettings } from './requests/request-settings.ts';
import { openEncoder } from './roles/encoders.ts';
import { modelSettingsOf } from './roles/language-models.ts';
import { modelsHealth, namedRoles } from './roles/model-health.ts';
import { openModelSteps } from './roles/model-steps.ts';
import { openSilentModels } from './roles/silent-models.ts';
import { readSpendingLimits } from './roles/spending-limits.ts';
import { createScopedHandles } from './scoped-handles.ts';
import { createUpkeep } from './sources/upkeep.ts';
import { openWeb } from './sources/web.ts';
import { workspaceReader } from './sources/workspace.ts';
import { openStores } from './stores.ts';
import { openTokens, withTokens } from './tokens.ts';
import { toldEmbedding } from './told-embedding.ts';
import { createUsage } from './usage.ts';
import { createWebReader } from './web/request-web.ts';
import { openWebSearch } from './web/web-search.ts';

export type { OpenedFootnote, OpenOptions } from './opened.ts';

/** On a full disk the few bytes that a lock takes come out of the reserve. */
async function lockFolder(folder: string, command: string): Promise<Lock> {
  const lock = await withReserve(folder, () => acquireLock(folder, command));
  return {
    get owner() {
      return lock.owner;
    },
    announce: (server) => withReserve(folder, () => lock.announce(server)),
    announceStop: () => withReserve(folder, () => lock.announceStop()),
    release: () => lock.release(),
  };
}

/** Whoever looks at how the stores stand. */
const healthScope = tenantScope(defaultTenant, 'health');

function unlessFull(error: unknown): void {
  if (toFootnoteError(error).code !== 'storage-full') throw error;
}

/** Throws `already-running` when another process owns the folder, `data-corrupt`, `migration-needed`, `storage-denied`, `storage-full`. */
// oxlint-disable-next-line house/own-lines -- This is the composition: one part is made after another, each for those below.
export async function openFootnote(config: Config, options: OpenOptions = {}): Promise<OpenedFootnote> {
  const { clock = systemClock, ids = randomIds } = options;
  const limits = readSpendingLimits(config);
  const silences = openSilentModels(config.data, clock);
  const watch = createModelWatch({ now: clock.now, elapsedMs: systemClock.elapsedMs, log: options.log, silences });
  const { keep, undo } = createOpenings();
  try {
    const steps = keep(await openModelSteps(config, { models: options.models, watch }));
    const lock = await lockFolder(config.data, options.command ?? 'footnote');
    keep({ close: () => lock.release() });
    const givenVectors = async () => {
      const model = await embedders.fixed?.();
      if (!model) throw new FootnoteError('unsupported', 'There is no fixed embedding model.');
      return { space: model.id, dimensions: model.dimensions };
    };
    const hosted = await openStores(
      config,
      (scope) => database.forScope(scope).documents,
      isLearnedHere(config.models.embed) ? undefined : givenVectors,
    );
    for (const one of hosted) keep(one);
    const parts = await openRecord(config, { create: options.create ?? true });
    const { database, thread, storeOf, leases, servers, archives: records } = parts;
    for (const one of [database, thread]) keep(one);
    const parsers = keep(options.parsers ?? createParserPool({ recognition: defined(config.recognition) }));
    const encoder = options.encoder === 'none' ? undefined : keep(options.encoder ?? openEncoder(config));
    const web = keep(openWeb(config, clock));
    const [webSearch, tokens] = [keep(openWebSearch(config)), keep(openTokens(config))];
    const shelves = keep(createPassageShelves((tenant) => database.encodedPassagesOf(tenant), clock));
    const runs = keep(createIngestionRuns(clock, ids, { leases, others: database.others }));
    const ledger = createSpendingLedger({
      limits,
      clock,
      batchId: randomUUID,
      repositoryOf: (scope) => database.forScope(scope).spending,
    });
    const meter = keep(createMeter({ keys: database.keys, clock, usual: config.keyLimits }));
    // One for all: they share the event loop, whichever tenant asks.
    const demand = createDemand({ elapsedMs: systemClock.elapsedMs });
    const embedders = keep(
      parts.openEmbedders({
        models: config.models,
        clock,
        providers: { ...modelSettingsOf(config), prices: config.language.prices },
        openBudget: (scope) => ledger.budgetFor({ scope, isIndexing: true }),
        remote: { watch },
        encoderOf: encoder && ((tenant) => encoder.chunksOf(tenant, () => demand.giveWay())),
        announce: config.models.isEmbedByKey ? (estimate) => options.tell?.(toldEmbedding(estimate)) : undefined,
      }),
    );
    let address = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const spanUrl = (documentId: string, span: { start: number; end: number }): string =>
      `${address}/v1/documents/${encodeURIComponent(documentId)}/view?start=${span.start}&end=${span.end}`;
    // On a full disk runs that were cut off are marked by the next start: what was recorded can be read and asked all the same.
    await database.markInterrupted().catch(unlessFull);
    const roles = namedRoles(config, options.models);
    const beside = [...(options.stores ?? []), ...hosted];
    const openBeside = createOpenBeside(beside, {
      vectorStore: config.stores.vector,
      elapsedMs: systemClock.elapsedMs,
      queueOf: (tenant) => database.deliveriesOf(tenant),
      keep: openKeepSearches(config.stores),
    });
    const { fixed } = embedders;
    const vectors =
      fixed &&
      createGivenVectors({
        model: fixed,
        embedderOf: (tenant) => embedders.of(tenant),
        embedded: storeOf,
        wholeTenant,
      });
    const delivery = keep(await createStoreDelivery(beside, { database, clock, vectors }));
    const reconciler = createStoreReconciler(beside, { database, clock, vectors, delivery });
    const audit = keep(createAudit(database.audit, config, { ...auditedCalls, command: options.command }));
    await audit.noteSettings().catch(unlessFull);
    const archives = createArchives({ records, parsers, folder: config.data, clock, ids, encoder: encoder?.ofTurns });
    const erasing = parts.openErasing({ embedderOf: (tenant) => embedders.of(tenant), demand });

    const telemetry = options.withTelemetry
      ? (await import('./telemetry.ts')).openServerTelemetry(config, {
          clock: { elapsedMs: systemClock.elapsedMs },
          stores: () => forScope(healthScope).stores.list(),
          memoriesHeld: database.memoriesHeld,
          log: options.log,
        })
      : undefined;

    const openCounts = createOpenCounts((tenant, counts) =>
      database.forScope(tenantScope(tenant, 'open-counts')).documentOpens.add(counts, clock.now()),
    );
    const traces = createTracesUpkeep({
      upkeep: database.traceUpkeep,
      clock,
      retentionDays: config.traceRetentionDays,
      leases,
      demand,
      also: audit.prune,
    });

    const online = openOnlineEvals(config, {
      elapsedMs: systemClock.elapsedMs,
      giveWay: () => demand.giveWay(),
      judged: telemetry?.judged,
    });
    for (const one of [ledger, archives, erasing, telemetry, openCounts, traces, online]) keep(one);
    const pipelines = new WeakMap<Footnote, Pipeline>();
    // oxlint-disable-next-line house/own-lines -- This is the composition: one part is made after another, each for those below.
    const open = (scope: Scope): Footnote => {
      const record = database.forScope(scope);
      const embedded = storeOf(scope);
      const embedder = embedders.of(scope.tenant);
      const { stores: others, asked } = openBeside(scope, record);
      const stores = [embedded, ...others];
      const sessions = createSessions(record, clock, ids);
      const meaning = encoder?.meaningOf(scope.tenant, shelves.of(scope.tenant)) ?? noMeaning;
      const memories = openLongTermMemory(record, { clock, ids, meaning, config, told: telemetry?.remembered });
      const roots = { closed: [config.data], ...(!isOwner(scope.principal) && { allowed: config.sourceRoots }) };
      const connectors = createConnectors({ rules: roots, ...web, mirrors: web.mirrorsOf(scope.tenant), parsers });
      const reading = {
        record,
        parsers,
        clock,
        ids,
        chunking: config.chunking,
        connectors,
        maxFileBytes: config.maxFileBytes,
        demand,
      };
      const countBytes = (amount: number) => meter.bytes(scope.principal, amount);
      const pipeline = createPipeline({
        ...reading,
        stores,
        deleteElsewhere: parts.deleteElsewhere(scope),
        countBytes,
        onChange() {
          embedder.schedule();
          delivery.wake(scope.tenant);
        },
      });
      const past = archives.of(scope);
      const passageScorer = encoder?.scorerOf(scope.tenant, shelves.of(scope.tenant));
      const requestPorts = {
        past: { archive: past.archive, limits: config.chat, urlOf: turnUrlAt(() => address) },
        openWorkspace: workspaceReader({ parsers, chunking: config.chunking }),
        record,
        embedded: tellUndelivered(embedded, () => database.deliveriesOf(scope.tenant).lacks(embedded.name, staysHere)),
        beside: asked,
        semantics: fixed ? { ...embedder, fixed } : embedder,
        spanUrl,
        passageScorer,
        ...(webSearch &&
          hasSource(scope.principal, webSearchSource) && {
            openWeb: createWebReader({ ...reading, ...web, ...webSearch.forScope(scope), pipeline }),
          }),
      };
      const openBudget = (sessionId?: string) =>
        ledger.budgetFor({ scope, ...(sessionId !== undefined && { sessionId }) });
      const runnerParts = { scope, openBudget, clock, ids, spanUrl };
      const shown = { store: embedded, beside: asked, isRemote: embedder.isRemote, hasFixed: fixed !== undefined };
      const environment = {
        ...shown,
        passageScorer: passageScorer?.id,
        web: webSearch !== undefined,
        address: () => address,
      };
      const runner = createRunner({
        ...runnerParts,
        record,
        openPorts: createRequestPorts({
          ...requestPorts,
          ...portSettings(config, steps),
        }),
        ...runnerSettings(config, steps),
        sessions,
        answerCache: openAnswerCache(config, { record, beside: asked.length }),
        ...openRequestMemory({ memory: memories, meaning }, config.memory, () => address),
        environment: createEnvironment({ ...environment, config, models: steps.facts }),
        ...(telemetry && { onEnded: telemetry.ended }),
      });
      const requests = sampled(runner, online, { record, clock });
      const tracing = {
        ...runnerParts,
        record,
        environment: createEnvironment({ ...environment, config, models: steps.facts }),
        timeoutMs: config.requestTimeoutMs,
        ...(telemetry && { onEnded: telemetry.ended }),
      };
      const chat = createArchiveChat({ ...tracing, ...past, passageScorer, ...chatSettings(config, steps) });
      const handle = createHandle({
        record,
        connectors,
        openVisitor: web.openVisitor,
        onDeclared: () => upkeep.changed(),
        stores,
        delivery,
        reconciler,
        embedders: { embedded: embedder },
        pipeline,
        countBytes,
        previews: createPreviews({ ...reading, openEmbedPlan: () => embedder.plan() }),
        runs,
        sessions,
        requests,
        memories,
        meaning,
        conversations: { archives, ...past, chat, turnMaxTokens: config.chat.turnMaxTokens },
        runTrial: createTrials({
          config,
          ports: requestPorts,
          runner: runnerParts,
          archive: past.archive,
          environment,
          models: options.models,
          watch,
        }),
        usage: createUsage({ record, ledger, clock }),
        audit: audit.callsOf(scope),
        servers,
        addressOf: () => address,
        clock,
        ids,
        countOpen: (documentId) => openCounts.count(scope.tenant, documentId),
        timeoutMs: config.requestTimeoutMs,
        demand,
        erasing: () => erasing.status(scope.tenant),
        thread,
      });
      pipelines.set(handle, pipeline);
      return handle;
    };
    const forScope = createScopedHandles(open);

    const { noted, scheduled: footnoteOf } = audit.noting(forScope);
    const upkeep = keep(createUpkeep({ sources: database.keptSources, footnoteOf, clock, leases, warn: options.warn }));

    return {
      forScope: noted,
      ...(telemetry && { telemetry }),
      upkeep,
      meter,
      ...(database.others && { others: database.others }),
      keys: withTokens(audit.keys(createCredentials(database.keys, { clock, ids })), tokens),
      idempotency: (scope) => database.forScope(scope).idempotency,
      lock,
      setAddress(url) {
        address = config.publicUrl ?? url.replace(/(?<!\/)\/+$/u, '');
        void servers.announce(address);
        steps.warm();
        encoder?.warm();
      },
      languageModels: steps.resolved,
      async settle(tenant, options) {
        await delivery.settle(tenant);
        await embedders.of(tenant).settle(options);
      },
      settleEvals: async () => online?.settled(),
      settleErasures: () => erasing.settle(),
      estimate: (tenant, model, signal) => embedders.of(tenant).estimate(model, signal),
      check: () => database.check(),
      lost: leases.lost,
      repair: (signal) =>
        audit.repairing(() =>
          parts.repair(
            { footnoteOf: forScope, pipelineOf: (scope) => pipelines.get(forScope(scope)) as Pipeline },
            signal,
          ),
        ),
      health: createHealth({
        stores: () => forScope(healthScope).stores.list(),
        hasHosted: beside.length > 0,
        elapsedMs: systemClock.elapsedMs,
        record: database.info,
        models: () => modelsHealth(roles, watch.standings()),
      }),
      async close() {
        upkeep.close();
        await runs.close();
        await openCounts.close();
        await meter.close();
        await online?.close();
        await telemetry?.close();
        await delivery.close();
        await erasing.close();
        await traces.close();
        await steps.close();
        await Promise.all([archives.close(), encoder?.close()]);
        await shelves.close();
        await embedders.close();
        await parsers.close();
        web.close();
        for (const one of [webSearch, tokens, ...hosted]) one?.close();
        try {
          // On a full disk each answer has said that its cost was not recorded.
          await ledger.close().catch(unlessFull);
        } finally {
          await audit.close().catch(unlessFull);
          await thread.close();
          await database.close();
          await lock.release();
        }
      },
    };
  } catch (error) {
    await undo();
    throw error;
  }
}
