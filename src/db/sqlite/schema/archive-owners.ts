// The step of the schema that remembers who brought in a conversation, also where it is shared: nobody else adds to it. Not known of those
// that were shared before.
export const archiveOwners = `
ALTER TABLE archive_conversation ADD COLUMN brought_by TEXT NOT NULL DEFAULT '';
UPDATE archive_conversation SET brought_by = owner;
`;
