// What the server holds, and what this key may do with it: so that an empty one says how to fill it, and nothing is offered that would be refused.
import { computed, signal } from '@preact/signals';
import { type GivenSource, isBundled } from '../documents/facts.ts';
import { callJson } from '../shared/api.ts';

interface Holdings {
  readonly text: string;
  readonly documents: number;
  readonly sources: readonly GivenSource[];
}
export const holdings = signal<Holdings | undefined>(undefined);
/** Nobody added anything of their own yet. */
export const isNew = computed(() => holdings.value?.sources.every(isBundled) ?? false);

export const role = signal<'reader' | 'writer' | 'admin' | undefined>(undefined);
export const mayWrite = computed(() => role.value === 'writer' || role.value === 'admin');

export async function loadHoldings(): Promise<void> {
  const { data } = await callJson<{ data: GivenSource[] }>('v1/sources');
  const documents = data.reduce((sum, source) => sum + source.documents, 0);
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const text = `${count(documents, 'document')} in ${count(data.length, 'source')}`;
  holdings.value = { text, documents, sources: data };
}

export async function loadRole(): Promise<void> {
  role.value = undefined;
  role.value = (await callJson<{ role: 'reader' | 'writer' | 'admin' }>('v1/me')).role;
}
