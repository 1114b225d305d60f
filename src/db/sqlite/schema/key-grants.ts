// Step: keys end by themselves, say when they were used last and what they are limited to, and have two secrets while one replaces the other.
export const keyGrants = `
ALTER TABLE api_key ADD COLUMN expires_at TEXT;
ALTER TABLE api_key ADD COLUMN last_used_at TEXT;
ALTER TABLE api_key ADD COLUMN grants TEXT;
ALTER TABLE api_key ADD COLUMN previous_hash TEXT;
ALTER TABLE api_key ADD COLUMN previous_until TEXT;
CREATE INDEX api_key_by_previous ON api_key (previous_hash) WHERE previous_hash IS NOT NULL;
`;
