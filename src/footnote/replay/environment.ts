// What a trace keeps of the program around a request: the settings in force, and what the ports looked like. Invariant: no secret, no path of
// this machine; what a replay builds from it asks for the same things in the same order.

import type { Config } from '../../config.ts';
import type { Environment } from '../../core/events.ts';
import type { Mode } from '../../core/search.ts';
import type { StoreCapabilities, StoreMode } from '../../stores/store.ts';
import type { AskedStore } from '../requests/request-legs.ts';
import type { ModelFacts } from '../roles/model-facts.ts';
import { settingFacts } from './setting-facts.ts';

export interface StoreFacts {
  readonly name: string;
  readonly capabilities: StoreCapabilities;
  /** Names of its methods: some have more than others. */
  readonly methods: readonly string[];
}

/** `Environment.ports`. */
export interface PortFacts {
  /** Where citations point to. */
  readonly address: string;
  readonly store: StoreFacts;
  readonly beside: readonly (StoreFacts & { readonly kind: StoreMode; readonly modes: readonly Mode[] })[];
  readonly models: ModelFacts;
  /** Id of what scored passages. */
  readonly passageScorer?: string;
  readonly isRemote?: boolean;
  /** Stores are given the vectors of a fixed model. */
  readonly hasFixed?: true;
  /** The web could be searched. */
  readonly web?: true;
}

/** Settings that decide how a question is answered, and neither where anything lies nor who is sent what. */
const deciding =
  /^(?:DEFAULT_MODE|FUSION_METHOD|SEMANTIC_WEIGHT|RRF_K_CONSTANT|QUERY_EXPANSION|CONTEXT_MAX_TOKENS|FEEDBACK_WEIGHT|CLAIM_POLICY|REQUEST_TIMEOUT_MS|EMBEDDING_TIMEOUT_MS|STORE_\w*TIMEOUT_MS|ANSWER_\w+|LAZY_\w+|RERANKING_TOP_K|RERANKER_THRESHOLD|RERANK_TIMEOUT_MS|DECOMPOSITION_\w+|ORCHESTRATOR_\w+|WEB_SEARCH_(?:RESULTS|TIMEOUT_MS)|SEMANTIC_BOOST_WEIGHT|ASSESSMENT_\w+|INTENT_\w+|CRITIC_\w+|CHAT_\w+|MULTI_AGENT_\w+|ENABLE_\w+|MODEL_(?!EMBED$|PRICES$|CONTEXT_TOKENS$)\w+)$/u;

export const decidesAnswers = (name: string): boolean => deciding.test(name);

interface NamedStore {
  readonly name: string;
  readonly capabilities: StoreCapabilities;
}

const storeFacts = (store: NamedStore): StoreFacts => ({
  name: store.name,
  capabilities: store.capabilities,
  methods: Object.entries(store).flatMap(([name, member]) => (typeof member === 'function' ? [name] : [])),
});

export interface EnvironmentParts {
  readonly config: Config;
  readonly store: NamedStore;
  readonly beside: readonly AskedStore[];
  readonly models: ModelFacts;
  readonly passageScorer?: string | undefined;
  readonly isRemote?: boolean | undefined;
  readonly hasFixed?: boolean;
  readonly web?: boolean | undefined;
  readonly address: () => string;
}

/** Made once for a scope; each request takes it as it is. */
export function createEnvironment({
  config,
  store,
  beside,
  models,
  passageScorer,
  isRemote,
  hasFixed = false,
  web,
  address,
}: EnvironmentParts) {
  const facts = settingFacts(config);
  const ports = {
    store: storeFacts(store),
    beside: beside.map(({ searcher, kind, modes }) => ({ ...storeFacts(searcher), kind, modes })),
    models,
    ...(passageScorer !== undefined && { passageScorer }),
    ...(isRemote !== undefined && { isRemote }),
    ...(hasFixed && { hasFixed }),
    ...(web && { web: true as const }),
  };
  return (): Omit<Environment, 'timeoutMs'> => ({
    ...facts,
    ports: { address: address(), ...ports } satisfies PortFacts,
  });
}
