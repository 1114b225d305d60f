// What the doors may do with long-term memories: those of the caller, by user where a door serves several.
export type {
  AddMemory,
  Memories,
  OfUser,
  PruneMemories,
  PruneReport,
  RecallMemories,
} from '../../memory/facts/long-term.ts';
