// The seal of a row: SHA-256 over its facts in a fixed order, as they were when it was written.
import { sha256 } from '../core/ids.ts';

export const sealOf = (row: object, fields: readonly string[]): string =>
  sha256(JSON.stringify(fields.map((field) => (row as Readonly<Record<string, unknown>>)[field])));
