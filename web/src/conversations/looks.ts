// The looks at the archive that a chat took: they are drawn where what was looked for is.
import { signal } from '@preact/signals';
import type { ArchiveChatEvent } from '../shared/contract.ts';

export interface Look extends Omit<Extract<ArchiveChatEvent, { readonly type: 'peek' }>, 'type'> {
  /** From 1. */
  readonly number: number;
}
export const looks = signal<readonly Look[]>([]);
