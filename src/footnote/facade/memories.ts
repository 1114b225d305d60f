// What the doors may do with long-term memories: those of the caller, by user where a door serves several.
export type { AddMemory, OfUser, PruneMemories, PruneReport, RecallMemories } from '../../core/memory.ts';
export type { Memories } from '../../memory/facts/long-term.ts';
