// From a request to ranked evidence: asks the legs of the mode inside the caller's scope (legs/), orders their hits by what they are of
// (rank.ts), makes evidence of them (hydrate.ts) and lets a reranker order the best of it. What could not serve is disclosed; an error is no "nothing".
import type { CallContext } from '../core/context.ts';
import type { DocumentRecord, SourceType } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { EventSink } from '../core/events.ts';
import { isOutage } from '../core/outages.ts';
import {
  allOf,
  type Degradation,
  type Evidence,
  type Filter,
  type Mode,
  type Routing,
  type SearchOptions,
  type SearchResponse,
} from '../core/search.ts';
import { ownTurn } from '../core/waiting/pieces.ts';
import type { SourceKind } from '../db/repositories/sources.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import type { PassageScorer } from '../models/encoder/passage-scorer.ts';
import { factsPass } from '../stores/document-facts.ts';
import type { StoreStatistics } from '../stores/embedded/port.ts';
import { type AskKind, type FederatedResult, federate } from './federate.ts';
import { keepOnPage, shownAlone } from './fusion/keep-on-page.ts';
import { hydrate, readRows } from './hydrate.ts';
import { createLeavingOut } from './left-out.ts';
import { failuresOf, nothingSearched } from './legs/failures-told.ts';
import { type JoinedResult, searchLegs } from './legs/join-legs.ts';
import type { Leg } from './legs/leg.ts';
import { allDropped, enough } from './legs/nearness.ts';
import { headLength, orderByPassages } from './order-by-passages.ts';
import { type OrderedHit, type RankedRow, type RankTerm, rankHits, reachableDepth } from './rank.ts';
import { relate } from './relate.ts';
import { represent } from './represent.ts';
import { type Reranking, rerank } from './rerank.ts';
import type { RouteJudge } from './route/by-model.ts';
import { planSearch, type SearchPlan } from './route/plan.ts';
import { authorityOf, createSourceTerms, type SourceWeights } from './source-terms.ts';
import { toldKept, toldOfKinds } from './told-routing.ts';

export interface RetrievalRequest extends SearchOptions {
  readonly query: string;
  readonly mode: Mode;
  /** Evidence wanted, 0..1000. */
  readonly topK: number;
  readonly explain?: boolean | undefined;
  /** It is the first look for an answer: whoever helps with answers alone is asked too. */
  readonly isForAnswer?: boolean | undefined;
}

export interface Retrieval {
  readonly evidence: readonly Evidence[];
  readonly routing: Routing;
  readonly degraded: readonly Degradation[];
  /** Another store served than the one that the mode names. */
  readonly usedFallback?: true;
  /** With `explain`, where meaning took part: the chunks that each leg asked would have returned alone, best first. */
  readonly legs?: NonNullable<SearchResponse['legs']>;
}

export interface RetrieveOptions {
  /** Where the events of this search go. Default: where those of the request do. */
  readonly sink?: EventSink;
  /** Default: that of the request. */
  readonly signal?: AbortSignal;
}

export interface Retriever {
  /** Throws `not-found` for an unknown source, `cancelled` when aborted; without meaning, words serve every mode (`degraded`). */
  retrieve(request: RetrievalRequest, options?: RetrieveOptions): Promise<Retrieval>;
  /** How rare the words of a query are in the whole collection; undefined where no store knows. */
  statistics?(query: string, signal?: AbortSignal): Promise<StoreStatistics | undefined>;
}

export interface RetrieverOptions {
  readonly record: Pick<TenantRecord, 'documents'> & {
    readonly sources: Pick<TenantRecord['sources'], 'get' | 'list'>;
  };
  /** Who is asked, each in its modes. */
  readonly legs: readonly Leg[];
  /** Who is asked too in a search for an answer: made for each, as a model that searches by itself is asked once for it. */
  readonly forAnswers?: ((request: RetrievalRequest) => readonly Leg[]) | undefined;
  /** How rare words are; absent where no store knows. */
  readonly statistics?: Retriever['statistics'] | undefined;
  /** Reads what hits are of that the record does not hold. */
  readonly elsewhere?: (chunkIds: readonly string[]) => Promise<readonly RankedRow[]>;
  /** What the order rests on beside the scores of the legs. Default: nothing. */
  readonly rankTerms?: readonly RankTerm[];
  /** The same for one query. */
  readonly termsFor?: ((query: string) => Promise<readonly RankTerm[]>) | undefined;
  /** What orders several kinds of source beside the search. Default: nothing. */
  readonly sourceWeights?: SourceWeights | undefined;
  /** Orders the best evidence anew; without it the order of the search stands. */
  readonly reranking?: Reranking;
  /** How near passages are to a query in meaning; absent: nobody can say. */
  readonly passageScorer?: PassageScorer | undefined;
  /** A source whose documents the store leaves out, for the reason that is told. */
  readonly setAside?: string;
  /** What there is to be told apart; without it everything is searched as a whole. */
  readonly kinds?: () => Promise<readonly SourceKind[]>;
  /** Says by a model what a question needs, where patterns only guess. Default: the guess stands. */
  readonly routeBy?: RouteJudge | undefined;
  /** Of the request that this retriever is made for: a reranker takes at most half of what is left. */
  readonly context: CallContext;
  /** Makes the address that opens a span highlighted. */
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
}

/** Hits fetched beyond `topK`, so that folding equal texts still fills the page. */
const foldingReserve = 10;
/** Hits that are looked at where more than their scores orders them: what is low among them may become the best. */
const rankedDepth = 50;

export function createRetriever(options: RetrieverOptions): Retriever {
  const {
    record,
    legs,
    forAnswers,
    sourceWeights,
    spanUrl,
    elsewhere,
    rankTerms = [],
    reranking,
    setAside,
    context,
    kinds,
    routeBy,
  } = options;
  const outer = legs.filter(({ sourceType, isLast }) => sourceType !== undefined && isLast);
  const isOuter = (name: string): boolean => outer.some(({ source }) => source === name);
  const { deadline, clock } = context;

  /** The sources that a request names, and nothing else. */
  async function named(sources: readonly string[]): Promise<Routing> {
    const found = await Promise.all(sources.map((name) => record.sources.get(name)));
    const unknown = sources.filter((name, index) => found[index] === undefined && !isOuter(name));
    if (unknown.length > 0) {
      // Only a mistake pays for the list, which counts the documents of every source.
      const known = (await record.sources.list()).map((source) => source.name);
      throw new FootnoteError(
        'not-found',
        `There is no source ${unknown.map((name) => `"${name}"`).join(', ')}. Known sources: ${known.sort().join(', ') || 'none yet'}.`,
      );
    }
    return { sources: [...sources], reason: 'the sources that the request named' };
  }

  /** Kinds that somebody outside may be asked for: as far as the request names it, and its filter does not leave it out. */
  function outsideOf(wanted: Routing | undefined, filter: Filter | undefined): readonly SourceType[] {
    const asked = outer.flatMap(({ source = '', sourceType = 'web' }) => {
      if (wanted && !wanted.sources.includes(source)) return [];
      const mayPass = !filter || factsPass({ fields: { source, sourceType }, metadata: [], keys: [] }, filter);
      return mayPass ? [sourceType] : [];
    });
    return [...new Set(asked)];
  }

  async function plan({ query, sources = [], filter }: RetrievalRequest, degraded: Degradation[]): Promise<Planned> {
    const wanted = sources.length > 0 ? await named(sources) : undefined;
    const outside = outsideOf(wanted, filter);
    // What was kept of somebody outside is found by asking them.
    const there = ((await kinds?.()) ?? []).filter(
      ({ name }) => !isOuter(name) && (wanted ? wanted.sources.includes(name) : name !== setAside),
    );
    const but = setAside === undefined ? '' : ` but ${setAside}`;
    if (!kinds || (there.length === 0 && outside.length === 0))
      return {
        routing: wanted ?? { sources: [], reason: `all sources${but}: none was named` },
        ...{ first: [], later: [], preferred: [] },
      };
    // Who names sources has decided; the kinds among them are still searched each by itself.
    const judged = wanted || !routeBy ? undefined : await routeBy(query, there, context);
    if (judged?.degraded) degraded.push(judged.degraded);
    const planned = planSearch(query, {
      sources: there,
      outside,
      ...(wanted && { decision: nothingPreferred }),
      ...(judged && { decision: judged.decision }),
    });
    const routing = wanted
      ? { ...planned.routing, ...wanted }
      : {
          ...planned.routing,
          reason: `${planned.routing.reason}${setAside === undefined ? '' : `; all sources${but}`}`,
        };
    const declared = new Map(
      there.flatMap(({ name, authority }) => (authority === undefined ? [] : [[name, authority] as const])),
    );
    return { ...planned, routing, declared };
  }

  function termsOf({ preferred, declared = new Map() }: Planned): SourceOrder {
    const input = { preferred, declared, now: clock.now() };
    return {
      sourceTerms: sourceWeights ? createSourceTerms(sourceWeights, input) : [],
      authority: (document) => authorityOf(document, input),
    };
  }

  /** Hits in the order of the terms; those that cannot come among the best `limit` stay unread, and are left out. */
  async function ranked(
    hits: readonly OrderedHit[],
    { limit, terms, kinds, keep }: Omit<OrderOptions, 'minScore'>,
    read: (hits: readonly OrderedHit[]) => Promise<ReadonlyMap<string, RankedRow>>,
  ): Promise<readonly OrderedHit[]> {
    // The best of a kind that is heard, or of a store, may stand behind all of them.
    const near = kinds.length > 0 || keep.size > 0 ? hits : hits.slice(0, reachableDepth(hits, terms, limit));
    const rows = await read(near);
    if (near.length === hits.length || near.every(({ chunkId }) => rows.has(chunkId)))
      return rankHits(near, rows, terms);
    // Something is gone: what stood behind moves up.
    return rankHits(hits, await read(hits.slice(near.length)), terms);
  }

  /** The order that the terms give, cut to what is wanted with the best of `kinds` in it; without terms nothing needs to be read for it. */
  async function order(
    hits: readonly OrderedHit[],
    { limit, minScore, terms, kinds, keep }: OrderOptions,
    read: (hits: readonly OrderedHit[]) => Promise<ReadonlyMap<string, RankedRow>>,
  ): Promise<readonly OrderedHit[]> {
    const ordered = terms.length === 0 ? hits : await ranked(hits, { limit, terms, kinds, keep }, read);
    const page = limit - foldingReserve;
    return keepOnPage(represent(enough(ordered, minScore), kinds, page), keep, page).slice(0, limit);
  }

  return {
    async statistics(query, signal) {
      return options.statistics?.(query, signal);
    },
    // oxlint-disable-next-line complexity, house/own-lines -- The stages of a search stand in their order and share its plan and its degradations.
    async retrieve(request, { sink = context.sink, signal = deadline.signal } = {}) {
      const startedAt = clock.elapsedMs();
      const degraded: Degradation[] = [];
      const planned = await plan(request, degraded);
      const isFederated = planned.first.length > 0 || planned.outside !== undefined;
      let { routing } = planned;
      sink({ type: 'routing', ...routing });
      const filter = withSources(request.filter, request.sources);
      const explain = request.explain === true;
      let evidence: Evidence[] = [];
      let found: JoinedResult | undefined;
      if (request.topK > 0) {
        const byPassages = reranking || request.isForAnswer ? undefined : options.passageScorer;
        const wanted = Math.max(request.topK, reranking?.topK ?? (byPassages ? headLength : 0));
        const limit = Math.min(1000, wanted + foldingReserve);
        const { sourceTerms, authority } = isFederated ? termsOf(planned) : noTerms;
        const terms = [...rankTerms, ...((await options.termsFor?.(request.query)) ?? []), ...sourceTerms];
        const depth = terms.length === 0 ? limit : Math.max(rankedDepth, limit);
        const { query: text, mode, sources, minScore } = request;
        const { storesHolding } = record.documents;
        const asked = { text, mode, filter, limit: depth, needed: limit, explain, sources, storesHolding };
        const all = request.isForAnswer && forAnswers ? [...legs, ...forAnswers({ ...request, filter })] : legs;
        const failed = (thrown: unknown): JoinedResult => {
          const error = toFootnoteError(thrown);
          // Who asks for an answer is told that nothing is known; who searches is told the error, for unknown is never empty.
          if (!request.isForAnswer || signal.aborted || !isOutage(error)) throw error;
          degraded.push(...failuresOf(error), nothingSearched(error));
          return { hits: [], degraded: [], usedFallback: true };
        };
        if (isFederated) {
          const inner = all.filter((leg) => !outer.includes(leg));
          const ask: AskKind = (sourceType, own, isOutside) =>
            searchLegs(isOutside ? outer : inner, { ...asked, sourceType, filter: withKind(filter, sourceType) }, own);
          const within = { wanted, limit: depth, explain, deadline, clock };
          const joined = await federate(planned, ask, within, signal).catch(failed);
          if (isOfKinds(joined)) routing = toldOfKinds(routing, joined.kinds, explain);
          found = joined;
        } else {
          // What was named is weighed by itself, as if there were nothing else.
          const sourceType = sources?.length ? planned.only : undefined;
          found = await searchLegs(all, { ...asked, ...(sourceType && { sourceType }) }, signal).catch(failed);
          if (found.kept && planned.only) routing = { ...routing, kept: toldKept(planned.only, found.kept) };
        }
        await ownTurn();
        degraded.push(...found.degraded);
        const ports = {
          documents: record.documents,
          spanUrl,
          elsewhere,
          authorityOf: authority,
          onDamage: ({ code, message }: FootnoteError) =>
            degraded.push({ component: 'record', code, detail: message, effect: 'The damaged passage was left out.' }),
        };
        let known: ReadonlyMap<string, RankedRow> | undefined;
        const { kinds = [] } = request.isForAnswer && isOfKinds(found) ? found : {};
        const keep = shownAlone(found.hits, found.alone ?? new Set(), request.topK);
        const hits = await order(found.hits, { limit, minScore, terms, kinds, keep }, async (some) => {
          known = await readRows(some, { ...ports, known });
          return known;
        });
        if (hits.length === 0 && found.hits.length > 0) degraded.push(allDropped(found.hits.length, minScore));
        const leaving = createLeavingOut(found.hits);
        leaving.keep(hits, ({ score }) =>
          minScore !== undefined && score < minScore ? 'below the score that was asked for' : 'not among the best',
        );
        // What a threshold drops is not made up for by evidence that nothing judged.
        evidence = await hydrate(hits, { ...ports, known }, { wanted, explain });
        leaving.keep(evidence, (_, place) =>
          place < wanted ? 'says what another one says, or is gone' : 'not among the best',
        );
        if (reranking) {
          const run = { query: text, reranking, context: { deadline, sink, clock } };
          const reranked = await rerank(evidence, run, signal);
          evidence = [...reranked.evidence];
          leaving.keep(evidence, () => 'below the threshold of the reranker');
          if (reranked.degraded) degraded.push(reranked.degraded);
        }
        // An answer orders passages itself.
        else if (byPassages) {
          const ordered = await orderByPassages(evidence, { ...options, query: text, scorer: byPassages }, signal);
          evidence = [...ordered.evidence];
          if (ordered.degraded) degraded.push(ordered.degraded);
        }
        evidence = keepOnPage(evidence, keep, request.topK).slice(0, request.topK);
        leaving.keep(evidence, () => 'not among the best');
        leaving.tell(sink);
        if (isFederated) evidence = relate(evidence);
      }
      const usedFallback = found?.usedFallback === true ? ({ usedFallback: true } as const) : {};
      for (const degradation of degraded) sink({ type: 'degraded', degradation });
      sink({
        type: 'retrieval',
        mode: request.mode,
        resultCount: evidence.length,
        latencyMs: clock.elapsedMs() - startedAt,
        ...usedFallback,
        ...scoresOf(evidence),
      });
      return {
        evidence,
        routing,
        degraded,
        ...usedFallback,
        ...(found?.legs && { legs: toTop(found.legs, request.topK) }),
      };
    },
  };
}

const isOfKinds = (joined: JoinedResult): joined is FederatedResult => 'kinds' in joined;

interface OrderOptions {
  readonly limit: number;
  readonly minScore: number | undefined;
  readonly terms: readonly RankTerm[];
  readonly kinds: FederatedResult['kinds'];
  readonly keep: ReadonlySet<string>;
}

interface Planned extends SearchPlan {
  /** Authority of sources that declare one. */
  readonly declared?: ReadonlyMap<string, number>;
}

interface SourceOrder {
  readonly sourceTerms: readonly RankTerm[];
  readonly authority: ((document: DocumentRecord) => number) | undefined;
}

const noTerms: SourceOrder = { sourceTerms: [], authority: undefined };
/** The request itself says where to look. */
const nothingPreferred = { types: [], isCertain: false, reason: '' };

const withKind = (filter: Filter | undefined, value: SourceType): Filter | undefined =>
  allOf([{ op: 'eq', field: 'sourceType', value }, filter]);

const withSources = (filter: Filter | undefined, sources: readonly string[] = []): Filter | undefined =>
  allOf([sources.length === 0 ? undefined : { op: 'in', field: 'source', values: sources }, filter]);

/** The reserve is for folding alone. */
function toTop(
  { lexical, vector, lists }: NonNullable<JoinedResult['legs']>,
  topK: number,
): NonNullable<Retrieval['legs']> {
  const named = lists && Object.entries(lists).map(([name, ids]) => [name, ids.slice(0, topK)] as const);
  return {
    ...(lexical && { lexical: lexical.slice(0, topK) }),
    ...(vector && { vector: vector.slice(0, topK) }),
    ...(named && { lists: Object.fromEntries(named) }),
  };
}

/** What a log says of results without naming them. */
function scoresOf(evidence: readonly Evidence[]) {
  const [best] = evidence;
  if (!best) return {};
  const avgScore = evidence.reduce((total, { score }) => total + score, 0) / evidence.length;
  return { topScore: best.score, avgScore, sources: [...new Set(evidence.map(({ source }) => source))] };
}
