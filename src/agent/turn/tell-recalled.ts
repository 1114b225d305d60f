// What was recalled of a user, as whoever follows the request is told it: the beginnings of the memories, never all of them.
import type { EventSink } from '../../core/events.ts';
import type { RecalledMemory } from '../../core/memory.ts';

const shownCharacters = 100;

export function tellRecalled(memories: readonly RecalledMemory[], sink: EventSink): void {
  sink({
    type: 'semantic_memory',
    recalled: memories.length,
    memories: memories.map(({ id, type, text, similarity }) => ({
      id,
      type,
      text: text.slice(0, shownCharacters).toWellFormed(),
      similarity,
    })),
  });
}
