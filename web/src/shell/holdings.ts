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

interface Caller {
  readonly role: 'reader' | 'writer' | 'admin';
  /** Absent: all. */
  readonly sources?: readonly string[];
}
export const caller = signal<Caller | undefined>(undefined);
export const mayWrite = computed(() => caller.value !== undefined && caller.value.role !== 'reader');

export async function loadHoldings(): Promise<void> {
  const { data } = await callJson<{ data: GivenSource[] }>('v1/sources');
  const documents = data.reduce((sum, source) => sum + source.documents, 0);
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const text = `${count(documents, 'document')} in ${count(data.length, 'source')}`;
  holdings.value = { text, documents, sources: data };
}

export async function loadCaller(): Promise<void> {
  caller.value = undefined;
  caller.value = await callJson<Caller>('v1/me');
}
