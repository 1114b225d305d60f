// The stores beside the record, as their settings say.
import type { vectorStores } from './settings-stores.ts';

export interface StoresConfig {
  /** The one that serves mode vector; undefined: by what is configured. */
  readonly vector: (typeof vectorStores)[number] | undefined;
  /** `prefix`: what names of vector stores that are made begin with; for scratch places. */
  readonly openai: { readonly vectorStoreId: string | undefined; readonly prefix?: string };
  /** Undefined: not configured. */
  readonly azure: { readonly endpoint: string; readonly index: string; readonly semantic: boolean } | undefined;
  readonly firestore:
    | { readonly projectId: string; readonly collection: string; readonly emulatorHost?: string }
    | undefined;
  /** Whether an answering model of OpenAI may search the store there by itself. */
  readonly isHostedSearched: boolean;
  /** Longest wait of a search for one of them. */
  readonly searchTimeoutMs: number;
  /** How long their results are kept; 0: never. */
  readonly resultsTtlSeconds: number;
}

type Values = ReadonlyMap<string, string | number | boolean>;

export function readStores(values: Values): StoresConfig {
  const string = (name: string): string => String(values.get(name) ?? '');
  const optional = (name: string): string | undefined => (values.has(name) ? string(name) : undefined);
  return Object.freeze({
    vector: optional('VECTOR_STORE') as StoresConfig['vector'],
    openai: Object.freeze({ vectorStoreId: optional('OPENAI_VECTOR_STORE_ID') }),
    azure: values.has('AZURE_SEARCH_ENDPOINT')
      ? Object.freeze({
          endpoint: string('AZURE_SEARCH_ENDPOINT'),
          index: string('AZURE_SEARCH_INDEX'),
          semantic: values.get('AZURE_SEARCH_SEMANTIC_RANKER') === true,
        })
      : undefined,
    firestore: values.has('FIRESTORE_PROJECT_ID')
      ? Object.freeze({
          projectId: string('FIRESTORE_PROJECT_ID'),
          collection: string('FIRESTORE_COLLECTION'),
          ...(values.has('FIRESTORE_EMULATOR_HOST') && { emulatorHost: string('FIRESTORE_EMULATOR_HOST') }),
        })
      : undefined,
    isHostedSearched: values.get('ENABLE_HOSTED_FILE_SEARCH') === true,
    searchTimeoutMs: Number(values.get('STORE_SEARCH_TIMEOUT_MS') ?? 0),
    resultsTtlSeconds: Number(values.get('STORE_RESULTS_TTL_SECONDS') ?? 0),
  });
}
