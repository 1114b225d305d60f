// The step of the schema that remembers who brought in a conversation, also where it is shared: nobody else adds to it. Not known of those
// that were shared before.
export const archiveOwners = `
ALTER TABLE archive_conversation ADD COLUMN brought_by TEXT NOT NULL DEFAULT '';
UPDATE archive_conversation SET brought_by = owner;
`;

/** How many turns a conversation has and from when to when is read from this index alone, however long it is. */
export const archiveTimes = `
CREATE INDEX IF NOT EXISTS archive_turn_time ON archive_turn (conversation, at_ms);
`;
