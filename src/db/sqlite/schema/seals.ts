// The step of the schema that seals turns of the archive, memories and traces (file/seals.ts): what is there is sealed as it is.
export const seals = `
ALTER TABLE archive_turn ADD COLUMN seal TEXT;
ALTER TABLE memory ADD COLUMN seal TEXT;
ALTER TABLE trace ADD COLUMN seal TEXT;
`;
