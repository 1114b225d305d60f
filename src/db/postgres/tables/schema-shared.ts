// Step of the schema: what each server follows of what the others write. Of what was taken away long ago the last one is left as a mark: whoever did not
// follow it cannot be told what went before. Segments of the archive's index that were written before are made anew from
// the turns.

export const shared = `
CREATE TABLE archive_removed (
  seq bigint GENERATED ALWAYS AS IDENTITY, tenant word NOT NULL, row bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
  is_mark boolean NOT NULL DEFAULT false, PRIMARY KEY (tenant, seq)
);
CREATE INDEX archive_removed_at ON archive_removed (tenant, at);
DELETE FROM archive_segment;
CREATE TABLE model_reservation (
  id uuid PRIMARY KEY, tenant word NOT NULL, day word NOT NULL, principal word NOT NULL, session_id word NOT NULL, calls bigint NOT NULL,
  input_tokens bigint NOT NULL, output_tokens bigint NOT NULL, cost_usd double precision NOT NULL, until timestamptz NOT NULL,
  held_by word DEFAULT current_setting('footnote.server', true)
);
CREATE INDEX model_reservation_of ON model_reservation (tenant, day);
CREATE TABLE browser_login (
  id word PRIMARY KEY, owner word NOT NULL, sealed bytea NOT NULL, begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz NOT NULL
);
CREATE INDEX browser_login_owner ON browser_login (owner, begun_at);
CREATE INDEX browser_login_until ON browser_login (until);
ALTER TABLE ingestion ADD is_cancelled boolean NOT NULL DEFAULT false;
ALTER TABLE archive_segment ADD first_row bigint NOT NULL, ADD last_row bigint NOT NULL;
`;
