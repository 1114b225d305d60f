// Keeps sources fresh while a server runs: those with a schedule are read when they are due, those that are watched when something in their
// folder changed. Invariants: when a source is due follows from the record, so it survives restarts; a source is read by who declared it: as the
// owner where the owner did, else with no more than a key may read; one that is being read waits for the next look.
import { folderOf } from '../../core/connector.ts';
import type { Source } from '../../core/document.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { underKey } from '../../core/keyed/effects.ts';
import { localScope, type Scope, tenantScope } from '../../core/scope.ts';
import type { IngestionRepository } from '../../db/repositories/ingestions.ts';
import type { Lease, Leases } from '../../db/servers/leases.ts';
import { type FolderWatch, watchFolder } from './folder-watch.ts';

export interface KeptSource {
  readonly tenant: string;
  readonly source: Source;
}

/** What the upkeep calls of one tenant. */
interface KeptCalls {
  readonly sources: { startSync(name: string): Promise<unknown> };
  readonly ingestions: Pick<IngestionRepository, 'list'>;
}

export interface UpkeepPorts {
  /** Sources of all tenants with a schedule or a watch. */
  readonly sources: () => Promise<readonly KeptSource[]>;
  readonly footnoteOf: (scope: Scope) => KeptCalls;
  readonly clock: Pick<Clock, 'now'>;
  /** One server at a time keeps the sources of a record fresh, until it ends. */
  readonly leases: Leases;
  /** Told of what could not be begun. */
  readonly warn?: ((message: string) => void) | undefined;
}

export interface Upkeep {
  /** Looks again and again from now on. */
  start(): void;
  /** One look: begins what is due. Resolves with the names of the sources whose reading was begun. */
  look(): Promise<readonly string[]>;
  /** Something was declared or removed. */
  changed(): void;
  close(): void;
}

const lookEveryMs = 20_000;
/** Who declares a source mostly reads it at once: that reading is the one that is due. */
const declaredMs = 2000;
/** Network folders send no events. */
const watchedMinutes = 5;

const scopeOf = ({ tenant, source }: KeptSource): Scope =>
  source.asOwner ? localScope(tenant) : tenantScope(tenant, 'schedule');

export function createUpkeep({ sources, footnoteOf, clock, leases, warn }: UpkeepPorts): Upkeep {
  const watches = new Map<string, { readonly path: string; readonly watch: FolderWatch }>();
  /** Those in which something changed since they were read. */
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let lease: Lease | undefined;
  let looking: Promise<readonly string[]> | undefined;
  const keyOf = ({ tenant, source }: KeptSource): string => `${tenant}\u0000${source.name}`;

  async function isDue(kept: KeptSource, footnote: KeptCalls): Promise<boolean> {
    if (touched.has(keyOf(kept))) return true;
    const { schedule, watch } = kept.source;
    const minutes = schedule?.everyMinutes ?? (watch ? watchedMinutes : undefined);
    if (minutes === undefined) return false;
    const last = await lastStart(footnote, kept.source.name);
    return last === undefined || Date.parse(clock.now()) - Date.parse(last) >= minutes * 60_000;
  }

  function keepWatches(all: readonly KeptSource[]): void {
    const wanted = new Map(
      all.flatMap((kept) => {
        const path = kept.source.watch ? folderOf(kept.source.connector) : undefined;
        return path === undefined ? [] : [[keyOf(kept), path] as const];
      }),
    );
    for (const [key, { path, watch }] of watches)
      if (wanted.get(key) !== path) {
        watch.close();
        watches.delete(key);
      }
    for (const [key, path] of wanted)
      if (!watches.has(key)) {
        const watch = watchFolder(path, () => {
          touched.add(key);
          plan(0);
        });
        watches.set(key, { path, watch });
      }
  }

  async function isMine(): Promise<boolean> {
    if (lease?.signal.aborted) await letGo();
    lease ??= await leases.take('sources');
    return lease !== undefined;
  }
  async function letGo(): Promise<void> {
    for (const { watch } of watches.values()) watch.close();
    watches.clear();
    const held = lease;
    lease = undefined;
    await held?.release();
  }

  async function lookOnce(): Promise<readonly string[]> {
    if (!(await isMine())) return [];
    const all = await sources();
    if (isStarted) keepWatches(all);
    const begun: string[] = [];
    for (const kept of all) {
      const footnote = footnoteOf(scopeOf(kept));
      const { name } = kept.source;
      try {
        if (!(await isDue(kept, footnote))) continue;
        touched.delete(keyOf(kept));
        await footnote.sources.startSync(name);
        begun.push(name);
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        // It is being read: what changed meanwhile is seen by the next look.
        if (error.code === 'conflict') touched.add(keyOf(kept));
        else warn?.(`Source ${name} could not be read on its schedule: ${error.message}`);
      }
    }
    return begun;
  }

  const look = (): Promise<readonly string[]> => {
    const next = (looking ?? Promise.resolve([])).then(lookOnce, lookOnce);
    looking = next;
    return next;
  };

  function plan(afterMs: number): void {
    clearTimeout(timer);
    if (!isStarted) return;
    const lookAgain = (): void => {
      void look()
        .catch((thrown: unknown) => warn?.(toFootnoteError(thrown).message))
        .finally(() => plan(touched.size > 0 ? 1000 : lookEveryMs));
    };
    // What a look begins is no part of the request that declared a source.
    timer = underKey(undefined, () => setTimeout(lookAgain, afterMs).unref());
  }

  return {
    start() {
      isStarted = true;
      plan(0);
    },
    look,
    changed: () => plan(declaredMs),
    close() {
      isStarted = false;
      clearTimeout(timer);
      void letGo();
    },
  };
}

/** When a source was read last; runs come newest first. */
async function lastStart(footnote: KeptCalls, name: string): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const page = await footnote.ingestions.list({ limit: 100, ...(cursor !== undefined && { cursor }) });
    const found = page.data.find(({ source }) => source === name);
    if (found) return found.startedAt;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}
