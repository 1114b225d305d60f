// Opens the long-term memory of one scope.
import type { Config } from '../config.ts';
import type { Clock, Ids } from '../core/ids.ts';
import type { TenantRecord } from '../db/record.ts';
import { createLongTermMemory, type LongTermMemory } from '../memory/facts/long-term.ts';

export function openLongTermMemory(
  record: TenantRecord,
  { clock, ids, config }: { readonly clock: Clock; readonly ids: Ids; readonly config: Pick<Config, 'memory'> },
): LongTermMemory {
  return createLongTermMemory({
    memoriesOf: record.memoriesOf,
    clock,
    ids,
    pruneAgeDays: config.memory.pruneAgeDays,
  });
}
