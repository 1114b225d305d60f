// The systems whose turns are recorded, by what is special about each: the settings, what stands in for providers and hosted stores, and when
// these fail.
import { FootnoteError } from '../../src/core/errors.ts';
import type { OpenOptions } from '../../src/footnote/compose.ts';
import type { GenerateRequest } from '../../src/models/language/generation.ts';
import type { LanguageModel } from '../../src/models/language/language-model.ts';
import type { Store } from '../../src/stores/store.ts';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import type { FaultKind } from '../../testkit/faulty-server.ts';
import { createMemoryStores } from '../../testkit/memory-store.ts';
import { openWebProvider } from '../../testkit/web/provider.ts';
import { openWebSite, page } from '../../testkit/web-site.ts';
import { openWordEmbeddings } from '../../testkit/word-embeddings.ts';

export const systemKinds = [
  'words',
  'model',
  'prose',
  'roles',
  'stores',
  'budget',
  'silent',
  'expanded',
  'parts',
  'planned',
  'tools',
  'hosted',
  'memory',
  'chat',
  'team',
  'revised',
  'criticised',
  'web',
] as const;
/** Of `file` no golden trace is kept yet. */
export type SystemKind = (typeof systemKinds)[number] | 'file';

export interface Setup {
  readonly environment: Readonly<Record<string, string>>;
  readonly options?: OpenOptions;
  readonly provider: boolean;
  /** Told before each turn. */
  readonly before?: (n: number) => void;
  readonly close?: () => Promise<void>;
}

const answering = { MODEL_ANSWER: 'compatible:fake', ANSWER_FIRST_TOKEN_TIMEOUT_MS: '2000' };

export const isRevised = (kind: SystemKind): boolean => kind === 'revised' || kind === 'criticised';

/** Every step that looks at a draft, and a team on every question that has parts. */
const revising = {
  ENABLE_ASSESSMENT: 'true',
  ENABLE_CRITIC: 'true',
  ENABLE_MULTI_AGENT: 'true',
  MULTI_AGENT_COMPLEXITY_THRESHOLD: '0.6',
};

export async function setupOf(kind: SystemKind): Promise<Setup> {
  if (kind === 'memory') return { environment: { ENABLE_SEMANTIC_MEMORY: 'true' }, provider: false };
  if (kind === 'chat') return { environment: {}, provider: false };
  if (kind === 'team') {
    const looks = { ENABLE_ASSESSMENT: 'true', ENABLE_CRITIC: 'true', ENABLE_MULTI_AGENT: 'true' };
    return { environment: looks, provider: false };
  }
  if (kind === 'prose') return { environment: { ...answering, ANSWER_FORM: 'prose' }, provider: true };
  if (kind === 'file') return { environment: {}, provider: false, options: fileOptions() };
  if (kind === 'parts') return { environment: {}, provider: false };
  if (kind === 'hosted') return hostedSetup();
  if (kind === 'web') return webSetup();
  if (kind === 'planned') {
    const planner = { ENABLE_MODEL_DECOMPOSITION: 'true', MODEL_PLANNER: 'compatible:fake', MODEL_ANSWER: 'none' };
    return { environment: planner, provider: true };
  }
  if (kind === 'tools') {
    const planner = { ENABLE_ORCHESTRATOR: 'true', MODEL_PLANNER: 'compatible:fake', MODEL_ANSWER: 'none' };
    return { environment: planner, provider: true };
  }
  if (kind === 'revised') return { environment: revising, provider: false };
  if (kind === 'criticised') {
    const roles = {
      MODEL_CRITIC: 'compatible:fake',
      MODEL_JUDGE: 'compatible:fake',
      MODEL_CONVERSATIONAL: 'compatible:fake',
    };
    const settings = { ...answering, ...roles, ...revising, ENABLE_UNGROUNDED_ANSWERS: 'true', BUDGET_REQUEST: 'none' };
    return { environment: settings, provider: true };
  }
  if (kind === 'words') return { environment: {}, provider: false };
  if (kind === 'expanded')
    return { environment: { QUERY_EXPANSION: 'acronyms', FUSION_METHOD: 'rrf' }, provider: false };
  if (kind === 'budget') return { environment: { ...answering, BUDGET_REQUEST: 'calls 1' }, provider: true };
  if (kind === 'roles') {
    const roles = { MODEL_JUDGE: 'compatible:fake', MODEL_ROUTER: 'compatible:fake', MODEL_RERANK: 'compatible:fake' };
    return { environment: { ...answering, ...roles, BUDGET_REQUEST: 'none' }, provider: true };
  }
  if (kind === 'stores')
    return { environment: { STORE_SEARCH_TIMEOUT_MS: '100' }, provider: false, options: besideOptions() };
  return { environment: answering, provider: true };
}

/** A file of this machine that writes: it finds nothing at first, writes in other words and judges that, waits for others, or breaks off. */
function fileOptions(): OpenOptions {
  let asked = 0;
  const write = ({ messages, choices }: GenerateRequest): string => {
    if (choices) return asked % 2 === 0 ? '{"Yes":0.95,"No":0.05}' : '{"Yes":0.5,"No":0.5}';
    asked += 1;
    const shown = messages.at(-1)?.content ?? '';
    const cited = /The \w+ of [^.|\n]+ was built in \d+ and is \d+ metres tall\./u.exec(shown)?.[0] ?? 'Nothing of it.';
    const inOtherWords = cited.replace(
      /^The (\w+ of [^.|\n]+) was built in (\d+)/u,
      'In $2 people put up the $1, which',
    );
    return [cited, 'NOT FOUND', inOtherWords, cited.replace(/\d+ metres/u, '999 metres')][asked % 4] ?? '';
  };
  const model: LanguageModel = {
    id: 'small',
    provider: 'gguf',
    leastYes: 0.9,
    async *stream(request, { waits }) {
      if (asked % 3 === 1) for (const ahead of [2, 1, 0]) waits?.(ahead);
      const text = write(request);
      yield { type: 'delta', text: text.slice(0, 9) };
      if (asked % 7 === 6) throw new FootnoteError('upstream-unavailable', 'The process of the local model died.');
      yield { type: 'delta', text: text.slice(9) };
      const usage = { inputTokens: 9, outputTokens: 3, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: false };
      const served = { model: 'gguf:small', attempts: [{ model: 'gguf:small', latencyMs: 1 }] };
      yield { type: 'end', result: { text, finish: 'stop', usage, ...served } };
    },
    async generate(request, options) {
      for await (const part of model.stream(request, options)) if (part.type === 'end') return part.result;
      throw new FootnoteError('internal', 'It has no end.');
    },
  };
  return { models: { of: () => undefined, answering: () => model } };
}

/** A store that answers, is down, or says nothing, in turn. */
function besideOptions(): OpenOptions {
  const memory = createMemoryStores({ name: 'cloud', ownPieces: true });
  let asked = 0;
  const moody = (store: Store): Store => ({
    ...store,
    async search(query, signal) {
      asked += 1;
      if (asked % 5 === 2) throw new FootnoteError('upstream-unavailable', 'The cloud is down.');
      if (asked % 5 === 4)
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      return store.search(query, signal);
    },
  });
  const asks = { kind: 'vector', modes: ['vector', 'hybrid'] } as const;
  return { stores: [{ name: 'cloud', open: (scope) => moody(memory.store(scope)), asked: asks }] };
}

const faults: readonly (FaultKind | undefined)[] = [
  ...[undefined, undefined, 'status-503-told', undefined, 'silent', undefined, 'garbage', 'status-401', 'reset'],
] as const;

/** A hosted store that is given vectors of a provider's model, each of them failing now and then. */
async function hostedSetup(): Promise<Setup> {
  const [azure, provider] = await Promise.all([openAzureSearch(), openWordEmbeddings()]);
  return {
    environment: {
      AZURE_SEARCH_ENDPOINT: azure.address,
      AZURE_SEARCH_API_KEY: azure.apiKey,
      OPENAI_BASE_URL: provider.address,
      MODEL_EMBED: 'compatible:words',
      VECTOR_STORE: 'azure',
      STORE_SEARCH_TIMEOUT_MS: '500',
    },
    provider: false,
    before(n) {
      provider.isDown = n % 7 === 3;
      azure.server.fault = ({ path }) => (path.includes('/docs/search') ? faults[n % faults.length] : undefined);
    },
    async close() {
      await Promise.all([azure.close(), provider.close()]);
    },
  };
}

/** What no document says, what needs the web, and what asks for both. */
export const webQuestions = [
  'What is the latest news on the lighthouse of Oban?',
  'How deep is the submarine trench of Kotor?',
  'Latest news: who bought the winery of Sines, and when was it built?',
  'Which company launched the spaceport of Lindau, and how many rockets start there?',
  'Is there a submarine trench at all?',
] as const;

/** A provider of web search that fails now and then, with pages that are gone, and lists and pages that are kept. */
async function webSetup(): Promise<Setup> {
  const site = await openWebSite({
    '/oban.html': page('Oban', '<p>The latest news on the lighthouse of Oban: it was painted blue.</p>'),
    '/kotor.html': page('Kotor', '<p>The submarine trench of Kotor is 1,233 metres deep.</p>'),
    '/lindau.html': page(
      'Lindau',
      '<p>The spaceport of Lindau was launched by Bodensee Raumfahrt. 4 rockets start there.</p>',
    ),
  });
  const listed = ['oban', 'kotor', 'lindau', 'gone'].map((name) => ({
    url: `${site.origin}/${name}.html`,
    title: name,
    words: `${name} lighthouse submarine trench spaceport rockets winery news`,
  }));
  const provider = await openWebProvider('searxng', listed);
  return {
    environment: {
      ...provider.environment,
      WEB_ALLOW_HOSTS: site.host,
      WEB_HOST_GAP_MS: '0',
      WEB_SEARCH_TIMEOUT_MS: '3000',
      WEB_SEARCH_TTL_SECONDS: '1',
      ENABLE_WEB_RERANKING: 'true',
      ENABLE_SEMANTIC_BOOST: 'true',
    },
    provider: false,
    before(n) {
      provider.fault = () => faults[n % faults.length];
    },
    async close() {
      await Promise.all([provider.close(), site.close()]);
    },
  };
}
