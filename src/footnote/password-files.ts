// Password files as doors read them for files that are handed over one by one; folders have theirs read in the run (ingest/read/passwords.ts).
export { passwordsFor, readPasswordLines } from '../ingest/read/passwords.ts';
