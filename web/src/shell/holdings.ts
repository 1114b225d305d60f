// What the server holds, and what this key may do with it: so that an empty one says how to fill it, and nothing is offered that would be refused.
import { computed, signal } from '@preact/signals';
import { type GivenSource, isBundled } from '../documents/facts.ts';
import { callJson, keyVersion } from '../shared/api.ts';
import type { KeyLimits } from '../shared/contract.ts';
import { counted } from '../shared/text.ts';

interface Holdings {
  readonly text: string;
  readonly documents: number;
  readonly sources: readonly GivenSource[];
}
export const holdings = signal<Holdings | undefined>(undefined);

export interface Caller {
  readonly tenant: string;
  readonly role: 'reader' | 'writer' | 'admin';
  readonly key?: { readonly id: string; readonly name: string; readonly expiresAt?: string };
  /** The owner of the data folder, at the machine of the server. */
  readonly owner?: true;
  /** Absent: all. */
  readonly sources?: readonly string[];
  readonly doors?: readonly string[];
  readonly limits?: KeyLimits;
  readonly features: {
    /** Steps that a language model does. */
    readonly models: readonly string[];
    readonly webSearch: boolean;
    readonly metrics?: boolean;
    readonly keys?: boolean;
  };
}
const told = signal<{ readonly version: number; readonly caller: Caller } | undefined>(undefined);
/** Undefined while it is not known of the present key: what another one may shows nothing. */
export const caller = computed(() => (told.value?.version === keyVersion.value ? told.value.caller : undefined));
export const isAdmin = computed(() => caller.value?.role === 'admin');
export const mayWrite = computed(() => caller.value !== undefined && caller.value.role !== 'reader');

export async function loadHoldings(): Promise<void> {
  const version = keyVersion.value;
  const { data } = await callJson<{ data: GivenSource[] }>('v1/sources');
  const documents = data.reduce((sum, source) => sum + source.documents, 0);
  const isOwn = data.some((source) => !isBundled(source));
  const where = isOwn || documents === 0 ? `in ${counted(data.length, 'source')}` : 'about Footnote itself';
  const text = `${counted(documents, 'document')} ${where}`;
  if (version === keyVersion.value) holdings.value = { text, documents, sources: data };
}

export async function loadCaller(): Promise<void> {
  const version = keyVersion.value;
  told.value = undefined;
  const one = await callJson<Caller>('v1/me');
  if (version === keyVersion.value) told.value = { version, caller: one };
}
