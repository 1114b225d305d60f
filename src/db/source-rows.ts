// Rows of sources to values. What is damaged of a declaration is left out, never guessed, and the source says that it is damaged.
import { z } from 'zod';
import { connectorSchema } from '../core/connector.ts';
import { type Source, type SourceType, sourceTypes } from '../core/document.ts';

export interface SourceRow {
  readonly name: string;
  readonly type: string;
  readonly authority: number | null;
  readonly ttl_seconds: number | null;
  readonly connector: string | null;
  readonly upkeep: string | null;
}

const upkeepSchema = z.object({
  schedule: z.object({ everyMinutes: z.number() }).optional(),
  watch: z.boolean().optional(),
  asOwner: z.literal(true).optional(),
});

/** How a source is kept fresh, as the record keeps it; undefined where nothing is said. */
export function printUpkeep({ schedule, watch, asOwner }: Source): string | undefined {
  if (!schedule && !watch) return undefined;
  return JSON.stringify({ ...(schedule && { schedule }), ...(watch && { watch }), ...(asOwner && { asOwner }) });
}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
};

/** A connector as it was recorded; null where it is damaged, or there is none. */
export const soundConnector = (recorded: unknown): string | null =>
  typeof recorded === 'string' && connectorSchema.safeParse(parsed(recorded)).success ? recorded : null;

/** What is damaged of it is not kept to. */
function upkeepOf({ upkeep }: SourceRow): Pick<Source, 'schedule' | 'watch' | 'asOwner'> {
  const { schedule, watch, asOwner } = upkeepSchema.safeParse(parsed(upkeep)).data ?? {};
  return { ...(schedule && { schedule }), ...(watch && { watch }), ...(asOwner && { asOwner }) };
}

export function toSource(row: SourceRow): Source {
  const type = sourceTypes.find((one) => one === row.type) satisfies SourceType | undefined;
  const connector = row.connector === null ? undefined : connectorSchema.safeParse(parsed(row.connector)).data;
  const isDamaged =
    type === undefined ||
    (row.connector !== null && connector === undefined) ||
    [row.authority, row.ttl_seconds].some((value) => value !== null && !isNumber(value));
  return {
    name: row.name,
    type: type ?? 'docs',
    ...(isNumber(row.authority) && { authority: row.authority }),
    ...(isNumber(row.ttl_seconds) && { ttlSeconds: row.ttl_seconds }),
    ...(connector && { connector }),
    ...upkeepOf(row),
    ...(isDamaged && { damaged: true as const }),
  };
}
