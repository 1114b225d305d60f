// The stores beside the record: their settings, and what they say. A store exists where its address or its key does; a key that serves
// models too makes none, and neither does the address of a database, which may be there for another program.
import { flag, integer, oneOf, type SettingKinds, secret, text, url, type ValuesOf } from './setting-kinds.ts';

/** In the order in which they serve mode vector where several are configured. */
export const hostedStores = ['openai', 'azure', 'postgres', 'firestore'] as const;
export const vectorStores = ['embedded', ...hostedStores] as const;

const indexName = text.regex(
  /^[a-z\d](?:[a-z\d]|-(?!-)){0,98}[a-z\d]$/u,
  'must be 2 to 100 small letters, digits and single dashes, with a letter or digit at both ends',
);

export const storeSettings = {
  VECTOR_STORE: oneOf(vectorStores).describe(
    'Store that serves mode vector, and hybrid beside the one inside the record; not set: the first of openai, azure, postgres and firestore that is configured, else `embedded`. With `embedded` no search asks another store; `openai` sends every document to OpenAI, where OPENAI_API_KEY is set',
  ),
  STORE_SEARCH_TIMEOUT_MS: integer(100, 60_000)
    .default(1500)
    .describe(
      'Longest wait of a search for one store beside the record; then the next one serves, and the answer says so',
    ),
  STORE_RESULTS_TTL_SECONDS: integer(0, 2_592_000)
    .default(0)
    .describe(
      'So long, and no longer than `ttlSeconds` of each source that is asked, what a store beside the record found serves the same caller again while nothing here changes, and a quarter of it longer while it is asked for anew; `routing.kept` says how old it is. 0: never',
    ),
  OPENAI_VECTOR_STORE_ID: text
    .regex(/^[\w-]{1,200}$/u, 'must be the id of a vector store, such as vs_abc123')
    .describe(
      'Vector store of OpenAI that documents are sent to and searched in; with VECTOR_STORE=openai and without this, one is made and found again by its name',
    ),
  ENABLE_HOSTED_FILE_SEARCH: flag
    .default(false)
    .describe(
      'Whether, in mode vector, an answering model of OpenAI may search the store at OpenAI by itself (its tool `file_search`), one call of the model more for a question; it is charged for',
    ),
  AZURE_SEARCH_ENDPOINT: url.describe('Address of a service of Azure AI Search; with it the store `azure` exists'),
  AZURE_SEARCH_API_KEY: secret('Admin key of that service; not set: Entra ID'),
  AZURE_SEARCH_INDEX: indexName
    .default('footnote')
    .describe('Index of the default tenant there, made when it is missing; those of other tenants begin with its name'),
  AZURE_SEARCH_SEMANTIC_RANKER: flag
    .default(false)
    .describe(
      'Whether its semantic ranker orders what that store finds by words and vectors together; it is charged for',
    ),
  DATABASE_URL: secret(
    'Address of a PostgreSQL database (15 or newer) that keeps a copy, `postgres://USER:PASSWORD@HOST:5432/DATABASE`: with it the store `postgres` exists',
  ),
  DATABASE_SCHEMA: text
    .regex(/^[A-Za-z][\w-]{0,62}$/u, 'must be a letter and at most 62 letters, digits, - or _')
    .describe('Schema of that database that holds the copy, made when it is missing; not set: `footnote_store`'),
  FIRESTORE_PROJECT_ID: text.describe(
    'Project of Google Cloud whose Firestore keeps a copy; with it the store `firestore` exists',
  ),
  FIRESTORE_COLLECTION: text
    .regex(/^[A-Za-z][\w-]{0,99}$/u, 'must be a letter and at most 99 letters, digits, - or _')
    .default('footnote')
    .describe('Collection of the default tenant there; those of other tenants begin with its name'),
  FIRESTORE_EMULATOR_HOST: text
    .regex(/^[\w.-]+:\d{1,5}$/u, 'must be a host and a port, such as 127.0.0.1:8080')
    .describe('An emulator that is asked instead of the service, without credentials'),
} satisfies SettingKinds;

export function readStores(values: ValuesOf<typeof storeSettings>) {
  const {
    AZURE_SEARCH_ENDPOINT: endpoint,
    FIRESTORE_PROJECT_ID: projectId,
    FIRESTORE_EMULATOR_HOST: emulatorHost,
  } = values;
  const openai: {
    vectorStoreId: string | undefined /** Names of vector stores that are made begin with it; for scratch places. */;
    prefix?: string;
  } = {
    vectorStoreId: values.OPENAI_VECTOR_STORE_ID,
  };
  return {
    /** The one that serves mode vector; undefined: by what is configured. */
    vector: values.VECTOR_STORE,
    openai,
    /** Undefined: not configured. */
    azure:
      endpoint === undefined
        ? undefined
        : { endpoint, index: values.AZURE_SEARCH_INDEX, semantic: values.AZURE_SEARCH_SEMANTIC_RANKER },
    postgres: { schema: values.DATABASE_SCHEMA },
    firestore:
      projectId === undefined
        ? undefined
        : { projectId, collection: values.FIRESTORE_COLLECTION, ...(emulatorHost !== undefined && { emulatorHost }) },
    /** Whether an answering model of OpenAI may search the store there by itself. */
    isHostedSearched: values.ENABLE_HOSTED_FILE_SEARCH,
    /** Longest wait of a search for one of them. */
    searchTimeoutMs: values.STORE_SEARCH_TIMEOUT_MS,
    /** How long their results are kept; 0: never. */
    resultsTtlSeconds: values.STORE_RESULTS_TTL_SECONDS,
  };
}
