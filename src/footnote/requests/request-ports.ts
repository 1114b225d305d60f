// What one request searches and reads: the record, the store, the models of meaning and of order, each wrapped once, so that what they
// were asked and what they said is in the trace of the request.
import type { ArchivePort } from '../../agent/archive-chat/in-answers.ts';
import type { AskedOfPorts, RequestPorts } from '../../agent/request-ports.ts';
import type { SpanReader } from '../../answer/claims/draft.ts';
import type { RequestContext } from '../../core/context.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { createExpander, type ExpansionName } from '../../retrieval/expand/expand.ts';
import { createFeedbackTerms, type FeedbackShare, feedbackShares } from '../../retrieval/feedback-term.ts';
import type { FusionSettings } from '../../retrieval/fusion/fuse.ts';
import type { AskHosted } from '../../retrieval/hosted-by-model.ts';
import type { RankTerm } from '../../retrieval/rank.ts';
import type { Reranking } from '../../retrieval/rerank.ts';
import { createRetriever, type Retriever } from '../../retrieval/retrieve.ts';
import type { RouteJudge } from '../../retrieval/route/by-model.ts';
import type { SourceWeights } from '../../retrieval/source-terms.ts';
import { withWorkspace } from '../../retrieval/workspace-search.ts';
import type { EmbeddedStore } from '../../stores/embedded/port.ts';
import type { Searcher } from '../../stores/store.ts';
import { withRecorder } from '../../trace/recorder.ts';
import { asksForBundled, bundledSource, findSetAside, withoutSetAside } from '../record/bundled.ts';
import { createSpanReader } from '../record/span-reader.ts';
import { type OpenWorkspace, openWorkspace } from '../sources/workspace.ts';
import type { RequestWeb } from '../web/request-web.ts';
import { openWebPorts, type WebLegSettings } from '../web/web-ports.ts';
import { openHostedLegs } from './hosted-legs.ts';
import { type AskedStore, openLegs } from './request-legs.ts';
import { type RequestSemantics, requestSemantics } from './request-semantics.ts';

/** How far people spoke for and against passages, for a query. */
export interface FeedbackPort {
  shares(query: string): Promise<readonly FeedbackShare[]>;
}

export interface RequestPortsOptions {
  readonly record: TenantRecord;
  readonly embedded: EmbeddedStore;
  /** Stores beside the record, and when they are asked. */
  readonly beside?: readonly AskedStore[];
  /** Longest wait for one of them. */
  readonly storeTimeoutMs?: number;
  readonly semantics: RequestSemantics;
  /** Longest wait of a search for a provider's embedding model. */
  readonly embeddingTimeoutMs?: number;
  readonly fusion: FusionSettings;
  readonly expansion: readonly ExpansionName[];
  /** Orders the best evidence anew; without it the order of the search stands. */
  readonly reranking?: Reranking | undefined;
  /** Says how near passages are to a question in meaning; absent: nobody can say. */
  readonly passageScorer?: PassageScorer | undefined;
  /** What orders several kinds of source beside the search. */
  readonly sourceWeights?: SourceWeights | undefined;
  /** Share of the best score that what people said of answers gives or takes at most; 0: nobody is listened to. */
  readonly feedbackWeight?: number | undefined;
  /** Default: what the record holds now. */
  readonly feedback?: FeedbackPort;
  /** Says which kinds of source a question needs; patterns alone where there is none. */
  readonly routeJudgeFor?: ((budget: RequestContext['budget']) => RouteJudge | undefined) | undefined;
  /** Asks the model that answers to search the provider's store by itself; absent: nobody does. */
  readonly hostedSearchFor?: ((budget: RequestContext['budget']) => AskHosted | undefined) | undefined;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  /** Past conversations that whoever asks may read. */
  readonly past?: ArchivePort;
  /** Opens the files that requests bring along. */
  readonly openWorkspace?: OpenWorkspace;
  /** Reads the web for a request; absent: nobody is asked. */
  readonly openWeb?: ((context: RequestContext) => RequestWeb) | undefined;
  readonly webSettings?: WebLegSettings | undefined;
  /** Default: what the record holds now. */
  readonly readSpan?: SpanReader;
}

/** The newest that are listened to. */
const mostVotes = 500;

/** Makes the ports of one request after another. */
export function createRequestPorts(options: RequestPortsOptions) {
  const { record, embedded, fusion, expansion, embeddingTimeoutMs, storeTimeoutMs, spanUrl } = options;
  // oxlint-disable-next-line complexity -- The functions inside share what this call was given.
  return async (
    context: RequestContext,
    { sources, filter, said, workspace: files = [] }: AskedOfPorts,
  ): Promise<RequestPorts> => {
    const { budget } = context;
    const own = options.openWeb?.(context);
    const workspace =
      files.length > 0 && options.openWorkspace
        ? await openWorkspace(files, options.openWorkspace, context)
        : undefined;
    const recordedOrRead = own ? own.over(record.documents) : record.documents;
    const documents = workspace ? workspace.over(recordedOrRead) : recordedOrRead;
    const recorded: TenantRecord = {
      ...record,
      documents: withRecorder('record.documents', documents, context),
      sources: withRecorder('record.sources', record.sources, context),
    };
    // The reader is wrapped as a whole: it reads whole texts, of which only the spans matter.
    const spans = { readSpan: options.readSpan ?? createSpanReader({ ...record, documents }) };
    const { readSpan } = withRecorder('record.spans', spans, context);
    const aside = await findSetAside(recorded, { isAlone: files.length > 0 });
    // Asked for alone they are found and quoted; what they say is still nobody else's business.
    const staysHere = aside !== undefined && asksForBundled(sources);
    const isAside = aside !== undefined && !staysHere;
    const reranking = staysHere ? undefined : options.reranking;
    // Beneath what sets documents aside: the trace has what the store was asked.
    const ownStore = withRecorder(`store.${embedded.name}`, embedded, context);
    const store = isAside ? withoutSetAside(ownStore, aside) : ownStore;
    const { waiting } = context;
    const openBeside = (searcher: Searcher): Searcher => {
      const waited: Searcher = waiting
        ? { ...searcher, search: (query, signal) => waiting(searcher.search(query, signal)) }
        : searcher;
      const own = withRecorder(`store.${searcher.name}`, waited, context);
      return isAside ? withoutSetAside(own, aside) : own;
    };
    const semantics = requestSemantics(options.semantics, context);
    const settings = options.webSettings;
    const web =
      own && settings && !staysHere
        ? openWebPorts({ web: own, settings, said, sources, filter, semantics }, context)
        : undefined;
    const others = options.beside?.map((one) => ({ ...one, searcher: openBeside(one.searcher) }));
    const legs = openLegs({
      store,
      semantics,
      fusion,
      embeddingTimeoutMs,
      expander: expansion.length > 0 ? createExpander({ store, documents: recorded.documents, expansion }) : undefined,
      documents: recorded.documents,
      beside: others,
      storeTimeoutMs,
      deadline: context.deadline,
      clock: context.clock,
    });
    const passageScorer = options.passageScorer && withRecorder('passage-scorer', options.passageScorer, context);
    const common = {
      record: recorded,
      statistics: (query: string, signal?: AbortSignal) => store.statistics(query, signal),
      kinds: () => recorded.sources.kinds(),
      ...(isAside && { setAside: bundledSource }),
      context,
      spanUrl,
    };
    const searched = createRetriever({
      ...common,
      legs: web ? [...legs, web.leg] : legs,
      forAnswers: openHostedLegs(others, {
        ask: staysHere ? undefined : options.hostedSearchFor?.(budget),
        documents: recorded.documents,
        context,
      }),
      sourceWeights: options.sourceWeights,
      termsFor: feedbackTerms(options, context),
      routeBy: options.routeJudgeFor?.(budget),
      ...(reranking && { reranking: { ...reranking, model: recordedReranker(reranking, context), budget } }),
      passageScorer,
    });
    const withFiles = (one: Retriever): Retriever =>
      workspace ? withWorkspace(one, { search: workspace.search, spanUrl }) : one;
    const retriever = withFiles(searched);
    return {
      readSpan,
      passageScorer,
      retriever,
      here: withFiles(createRetriever({ ...common, legs })),
      staysHere,
      ...(options.past && {
        past: { ...options.past, passageScorer, archive: withRecorder('archive', options.past.archive, context) },
      }),
      ...web?.further(retriever),
      ...web?.keep,
      ...(workspace && { degraded: workspace.degraded }),
    };
  };
}

/** What people said of answers to such a question, for each query; undefined where it has no weight. The trace has no words of theirs. */
function feedbackTerms(
  { record, feedbackWeight: weight = 0, feedback }: RequestPortsOptions,
  context: RequestContext,
): ((query: string) => Promise<readonly RankTerm[]>) | undefined {
  if (weight === 0) return undefined;
  const own: FeedbackPort = {
    shares: async (query) => feedbackShares(query, await record.feedback.votes(mostVotes)),
  };
  const { shares } = withRecorder('feedback', feedback ?? own, context);
  return async (query) => createFeedbackTerms(await shares(query), weight);
}

/** A reranker that is made of a language model records its own prompts: wrapped too, each call would stand in the trace twice. */
function recordedReranker({ model }: Reranking, context: RequestContext): Reranking['model'] {
  return model.method === 'language-model' ? model : withRecorder('reranker', model, context);
}
