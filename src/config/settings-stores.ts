// Settings of stores beside the record. A store exists where its address or its key does; a key that serves models too makes none.
import { oneOf, type Setting, text } from './setting-kinds.ts';

export const hostedStores = ['embedded', 'openai', 'azure', 'postgres', 'firestore'] as const;

export const storeSettings: readonly Setting[] = [
  {
    name: 'VECTOR_STORE',
    schema: oneOf(hostedStores),
    meaning:
      'Store that serves mode vector; not set: the first of openai, azure, postgres and firestore that is configured, else the one inside the record. `openai` sends every document to OpenAI, where OPENAI_API_KEY is set',
  },
  {
    name: 'OPENAI_VECTOR_STORE_ID',
    schema: text.regex(/^[\w-]{1,200}$/u, 'must be the id of a vector store, such as vs_abc123'),
    meaning:
      'Vector store of OpenAI that documents are sent to and searched in; with VECTOR_STORE=openai and without this, one is made and found again by its name',
  },
];
