// The rows that a filter and the access lists leave, decided in memory over what documents say about themselves: for a record on a network, which
// would have to send all of them at every revision. Facts follow the log of the index in the same moments as its rows.
import { mayReadDocument, type Principal } from '../../../core/scope.ts';
import type { Filter } from '../../../core/search.ts';
import { nextTurn } from '../../../core/waiting/pieces.ts';
import type { IndexDelta, IndexLog, RowRange } from '../../../db/repositories/index-log.ts';
import type { Selection } from '../../../engine/query.ts';
import { createRowSelection } from '../../../engine/select-rows.ts';
import { sliceMs } from '../../../engine/threads/slices.ts';
import { type DocumentFacts, factsOf, factsPass } from '../../document-facts.ts';
import type { Engine, EngineView } from '../engine.ts';
import type { Selected } from '../selection.ts';

interface KeptFacts extends RowRange, DocumentFacts {
  readonly source: string;
  readonly access?: readonly string[];
}

type Log = Pick<IndexLog, 'changes' | 'bytesOf'>;

export interface FollowedFacts {
  /** The log with facts, for a search that needs them. */
  readonly withFacts: Log;
  /** The log for one that needs none; those that are known go with their rows all the same. */
  readonly log: Log;
  /** As of the last delta. */
  all(): Iterable<KeptFacts>;
  /** Documents of which there are facts. */
  count(): number;
  /** They are read again when they are needed. */
  forget(): void;
}

/** Keeps the facts of a tenant by the first row of each document: rows are never used twice. */
export function followFacts(log: Log): FollowedFacts {
  let known = new Map<number, KeptFacts>();
  /** The revision of the facts; -1: none were read. */
  let revision = -1;
  /** What was removed up to this revision is not known any more. */
  let seen = -1;

  function apply({ state, changes, facts }: IndexDelta): void {
    for (const { first } of changes?.removals ?? []) known.delete(first);
    for (const { first, last, document } of facts ?? []) {
      // A document without a passage has no row, and the first of the next one is its own.
      if (last < first) continue;
      const { source, access } = document;
      known.set(first, { first, last, source, ...(access && { access }), ...factsOf(document) });
    }
    if (facts && state) revision = state.revision;
    if (changes && state) seen = state.revision;
  }

  const follow = (wantsFacts: boolean): Log => ({
    async changes(since, version, also) {
      const wanted = () => ({ ...also, ...(wantsFacts && { facts: revision }) });
      let delta = await log.changes(since, version, wanted());
      // Removals that nobody tells any more may be among what came since.
      const { revision: now = -1, purged = -1 } = delta.state ?? {};
      if (revision !== -1 && (now < seen || purged > seen)) {
        known = new Map();
        revision = -1;
        if (wantsFacts) delta = await log.changes(since, version, wanted());
      }
      apply(delta);
      return delta;
    },
    bytesOf: log.bytesOf,
  });
  return {
    withFacts: follow(true),
    log: follow(false),
    all: () => known.values(),
    count: () => known.size,
    forget() {
      known = new Map();
      [revision, seen] = [-1, -1];
    },
  };
}

const keptSelections = 32;

export interface FactsSelector {
  /** Whether `select` will need facts. */
  needsFacts(filter: Filter | undefined): boolean;
  select(facts: FollowedFacts, view: EngineView, filter: Filter | undefined): Selected;
}

export function createFactsSelector({ selections }: Pick<Engine, 'selections'>, principal: Principal): FactsSelector {
  const isRestricted = principal.role !== 'admin';
  const { groups, id, sources } = principal;
  const nameKey = isRestricted ? JSON.stringify([id, groups, sources, principal.role]) : '';

  const remember = (key: string, made: Selection | Promise<Selection>): void => {
    const [oldest] = selections.keys();
    if (selections.size >= keptSelections && oldest !== undefined) selections.delete(oldest);
    selections.set(key, made);
  };

  return {
    needsFacts: (filter) => isRestricted || filter !== undefined,
    select(facts, view, filter) {
      if (filter === undefined && !isRestricted) return undefined;
      const key = `${view.version}\n${nameKey}\n${JSON.stringify(filter ?? null)}`;
      const known = selections.get(key);
      if (known) return known;
      // As of this turn: whatever comes later is of another view.
      const all = [...facts.all()];
      const mayRead = (one: KeptFacts): boolean => !isRestricted || mayReadDocument(principal, one);
      if (filter === undefined && sources === undefined && all.every(mayRead)) return undefined;
      const rows = createRowSelection(view.index.state());
      const made = (async () => {
        let startedMs = performance.now();
        for (const one of all) {
          if (mayRead(one) && (filter === undefined || factsPass(one, filter))) rows.add(one.first, one.last);
          if (performance.now() - startedMs < sliceMs) continue;
          await nextTurn();
          startedMs = performance.now();
        }
        return rows.selection;
      })();
      remember(key, made);
      made.then(
        (selection) => selections.get(key) === made && selections.set(key, selection),
        () => selections.get(key) === made && selections.delete(key),
      );
      return made;
    },
  };
}
