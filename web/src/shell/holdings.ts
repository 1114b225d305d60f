// What the server holds, so that an empty one says how to fill it.
import { signal } from '@preact/signals';
import { callJson } from '../shared/api.ts';

export const holdings = signal<{ readonly text: string; readonly documents: number } | undefined>(undefined);

export async function loadHoldings(): Promise<void> {
  const { data } = await callJson<{ data: { documents: number }[] }>('v1/sources');
  const documents = data.reduce((sum, source) => sum + source.documents, 0);
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  holdings.value = { text: `${count(documents, 'document')} in ${count(data.length, 'source')}`, documents };
}
