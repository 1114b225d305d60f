// Settings of stores beside the record. A store exists where its address or its key does; a key that serves models too makes none.
import { flag, integer, oneOf, type Setting, secret, text, url } from './setting-kinds.ts';

/** In the order in which they serve mode vector where several are configured. */
export const hostedStores = ['openai', 'azure', 'postgres', 'firestore'] as const;
export const vectorStores = ['embedded', ...hostedStores] as const;

const indexName = text.regex(
  /^[a-z\d](?:[a-z\d]|-(?!-)){0,98}[a-z\d]$/u,
  'must be 2 to 100 small letters, digits and single dashes, with a letter or digit at both ends',
);

export const storeSettings: readonly Setting[] = [
  {
    name: 'VECTOR_STORE',
    schema: oneOf(vectorStores),
    meaning:
      'Store that serves mode vector, and hybrid beside the one inside the record; not set: the first of openai, azure, postgres and firestore that is configured, else `embedded`. With `embedded` no search asks another store; `openai` sends every document to OpenAI, where OPENAI_API_KEY is set',
  },
  {
    name: 'STORE_SEARCH_TIMEOUT_MS',
    schema: integer(100, 60_000),
    default: '1500',
    meaning:
      'Longest wait of a search for one store beside the record; then the next one serves, and the answer says so',
  },
  {
    name: 'STORE_RESULTS_TTL_SECONDS',
    schema: integer(0, 2_592_000),
    default: '0',
    meaning:
      'So long what a store beside the record found serves the same caller again while nothing here changes, and a quarter of it longer while it is asked for anew; `routing.kept` says how old it is. 0: never',
  },
  {
    name: 'OPENAI_VECTOR_STORE_ID',
    schema: text.regex(/^[\w-]{1,200}$/u, 'must be the id of a vector store, such as vs_abc123'),
    meaning:
      'Vector store of OpenAI that documents are sent to and searched in; with VECTOR_STORE=openai and without this, one is made and found again by its name',
  },
  {
    name: 'ENABLE_HOSTED_FILE_SEARCH',
    schema: flag,
    default: 'false',
    meaning:
      'Whether, in mode vector, an answering model of OpenAI may search the store at OpenAI by itself (its tool `file_search`), one call of the model more for a question; it is charged for',
  },
  {
    name: 'AZURE_SEARCH_ENDPOINT',
    schema: url,
    meaning: 'Address of a service of Azure AI Search; with it the store `azure` exists',
  },
  secret('AZURE_SEARCH_API_KEY', 'Admin key of that service; not set: Entra ID'),
  {
    name: 'AZURE_SEARCH_INDEX',
    schema: indexName,
    default: 'footnote',
    meaning: 'Index of the default tenant there, made when it is missing; those of other tenants begin with its name',
  },
  {
    name: 'AZURE_SEARCH_SEMANTIC_RANKER',
    schema: flag,
    default: 'false',
    meaning:
      'Whether its semantic ranker orders what that store finds by words and vectors together; it is charged for',
  },
  {
    name: 'FIRESTORE_PROJECT_ID',
    schema: text,
    meaning: 'Project of Google Cloud whose Firestore keeps a copy; with it the store `firestore` exists',
  },
  {
    name: 'FIRESTORE_COLLECTION',
    schema: text.regex(/^[A-Za-z][\w-]{0,99}$/u, 'must be a letter and at most 99 letters, digits, - or _'),
    default: 'footnote',
    meaning: 'Collection of the default tenant there; those of other tenants begin with its name',
  },
  {
    name: 'FIRESTORE_EMULATOR_HOST',
    schema: text.regex(/^[\w.-]+:\d{1,5}$/u, 'must be a host and a port, such as 127.0.0.1:8080'),
    meaning: 'An emulator that is asked instead of the service, without credentials',
  },
];
