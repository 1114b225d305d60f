// footnote doctor --live: the promises of the store port, asked of each service that is configured, in a scratch place of its own. Invariants:
// nothing that documents stand in is touched, and the scratch place is taken away whatever happens, also when somebody interrupts.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createDeadline } from '../../core/deadline.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import { openSqliteRecord } from '../../db/sqlite/sqlite.ts';
import { type CheckOutcome, checkStore, storeChecks } from '../../stores/conformance/conformance.ts';
import { createWordVectors, withSharedWords, wordDimensions, wordSpace } from '../../stores/conformance/given-words.ts';
import { admin, type StoreHarness, scopeFor, trialTenants } from '../../stores/conformance/harness.ts';
import type { Store } from '../../stores/store.ts';
import { wholeTenant } from '../configured-stores.ts';
import type { Finding } from '../doctor.ts';
import { type HostedStore, openStores } from '../stores.ts';

export interface LiveOptions {
  readonly signal: AbortSignal;
  /** Told of each check as it ends. */
  readonly onOutcome?: (store: string, outcome: CheckOutcome) => void;
  /** Told what is about to be used, and what could not be taken away. */
  readonly tell?: (message: string) => void;
}

type Database = ReturnType<typeof openSqliteRecord>;

/** How long taking the scratch place away may take, whoever interrupts. */
const removingMs = 120_000;
const mostFailures = 3;

/** The services of this configuration, with scratch places in the place of their own. */
function scratchOf(config: Config, name: string): Pick<Config, 'stores' | 'language' | 'secret'> {
  const { stores, language, secret } = config;
  const { azure, firestore, postgres } = stores;
  const isOpenai = stores.vector === 'openai' || stores.openai.vectorStoreId !== undefined;
  return {
    language,
    secret,
    stores: {
      ...stores,
      vector: isOpenai ? 'openai' : undefined,
      openai: { vectorStoreId: undefined, prefix: name },
      azure: azure && { ...azure, index: name },
      postgres: stores.vector === 'postgres' || postgres.schema !== undefined ? { schema: name } : postgres,
      firestore: firestore && { ...firestore, collection: name },
    },
  };
}

/** Throws `cancelled` after a scratch place was taken away; `config-invalid` where a store is named and its key is missing. */
export async function examineLive(config: Config, options: LiveOptions): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-live-'));
  const name = `footnote-doctor-${randomBytes(4).toString('hex')}`;
  const database = openSqliteRecord({ folder });
  try {
    const opened = await openStores(scratchOf(config, name), (scope) => database.forScope(scope).documents, {
      space: wordSpace,
      dimensions: wordDimensions,
    });
    if (opened.length === 0)
      return [
        {
          area: 'live',
          state: 'warning',
          detail: 'No hosted store is configured, so there is none to check.',
          advice: 'Set what one needs (docs/configuration.md), then run this again.',
        },
      ];
    const findings: Finding[] = [];
    for (const hosted of opened) {
      findings.push(...(await examineService(hosted, { ...options, database, name })));
      if (options.signal.aborted) throw abortError(options.signal);
    }
    return findings;
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Examining extends LiveOptions {
  readonly database: Database;
  /** Of the scratch place. */
  readonly name: string;
}

async function examineService(hosted: HostedStore, examining: Examining): Promise<Finding[]> {
  const { signal, tell, onOutcome, name } = examining;
  const area = `live ${hosted.name}`;
  tell?.(
    `${storeChecks.length} checks of ${hosted.name} begin in the scratch place ${name}; it is taken away afterwards.`,
  );
  const findings: Finding[] = [];
  try {
    const { status, detail } = await hosted.open(admin).health(signal);
    if (status === 'ok') {
      const outcomes = await checkStore(() => openHarness(hosted, examining), {
        // A service may go on weighing words of what was deleted.
        without: ['exact-statistics'],
        signal,
        onOutcome: (outcome) => onOutcome?.(hosted.name, outcome),
      });
      findings.push(...findingsOf(area, outcomes));
    } else findings.push({ area, state: 'problem', detail, advice: 'Correct what it says, then run this again.' });
  } catch (thrown) {
    if (!signal.aborted)
      findings.push({ area, state: 'problem', detail: toFootnoteError(thrown).message, advice: 'Run this again.' });
  } finally {
    const left = await takeAway(hosted);
    if (left !== undefined) {
      const detail = `The scratch place ${name} could not be taken away: ${left}`;
      findings.push({ area, state: 'problem', detail, advice: `Take away what is named ${name} there by hand.` });
      tell?.(detail);
    }
    hosted.close();
  }
  return findings;
}

/** Tells what failed; each tenant is tried. */
async function takeAway(hosted: HostedStore): Promise<string | undefined> {
  let failure: string | undefined;
  const { signal } = createDeadline(removingMs);
  for (const tenant of trialTenants)
    await hosted.drop(tenant, signal).catch((thrown: unknown) => {
      failure = toFootnoteError(thrown).message;
    });
  return failure;
}

function findingsOf(area: string, outcomes: readonly CheckOutcome[]): Finding[] {
  const broken = outcomes.filter(({ state }) => state === 'broken');
  const kept = outcomes.filter(({ state }) => state === 'kept').length;
  const leftOut = outcomes.length - kept - broken.length;
  const summary: Finding = {
    area,
    state: broken.length === 0 ? 'ok' : 'problem',
    detail: `${kept} of ${outcomes.length - leftOut} promises are kept; ${leftOut} are not for this store`,
    ...(broken.length > 0 && { advice: 'See the next lines, and docs/adding-a-store.md for what each check is.' }),
  };
  return [
    summary,
    ...broken.map(({ name, detail = '' }): Finding => ({ area, state: 'problem', detail: `${name}: ${detail}` })),
  ];
}

/** One scratch place serves all checks: each leaves it empty. */
async function openHarness(hosted: HostedStore, { database, signal }: Examining): Promise<StoreHarness> {
  const words = createWordVectors();
  const open = (scope: Scope): Store => {
    const store = untilEither(hosted.open(scope), signal);
    if (store.capabilities.vectors !== 'given') return withSharedWords(store);
    return store.capabilities.lexical ? words.filling(store) : words.over(store);
  };
  const recordOf = (scope: Scope) => database.forScope(wholeTenant(scope.tenant));
  const remove = async (scope: Scope, documentIds: readonly string[]): Promise<void> => {
    const outcomes = await open(scope).delete(documentIds.map((documentId) => ({ documentId })));
    for (const { error } of outcomes) if (error) throw error;
    await recordOf(scope).commit(documentIds.map((id) => ({ kind: 'delete-document', id })));
  };
  return {
    store: open,
    async put(scope, documents) {
      const structure = { pages: [], headings: [], words: [] };
      await recordOf(scope).commit(documents.map((one) => ({ kind: 'put-document', write: { ...one, structure } })));
      for (const { error } of await open(scope).upsert(documents)) if (error) throw error;
    },
    remove,
    async close() {
      // After an interruption everything goes anyway.
      if (!signal.aborted) await emptied(0);
    },
  };

  /** A service may fail once in a while, and whoever delivers tries again. */
  async function emptied(failures: number): Promise<void> {
    try {
      for (const tenant of trialTenants) {
        const scope = scopeFor(tenant, 'local', { role: 'admin' });
        const held = (await hosted.open(scope).inventory?.held(signal)) ?? [];
        if (held.length > 0)
          await remove(
            scope,
            held.map(({ documentId }) => documentId),
          );
      }
    } catch (thrown) {
      if (failures >= mostFailures || signal.aborted) throw thrown;
      await emptied(failures + 1);
    }
  }
}

/** Each call ends with the caller's own signal or the one that is given here. */
function untilEither(store: Store, until: AbortSignal): Store {
  const both = (signal: AbortSignal | undefined): AbortSignal => (signal ? AbortSignal.any([signal, until]) : until);
  return {
    ...store,
    search: (query, signal) => store.search(query, both(signal)),
    upsert: (batch, signal) => store.upsert(batch, both(signal)),
    delete: (batch, signal) => store.delete(batch, both(signal)),
    health: (signal) => store.health(both(signal)),
  };
}
