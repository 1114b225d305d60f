// Which fields a schema knows at a path, for whoever sent another one. Pure; undefined where the schema names no fields there.
import type { z } from 'zod';

type Schema = z.core.$ZodType;

/** Longer lists help nobody. */
const mostListed = 40;

/** What a schema is, beneath `optional`, defaults and transformations; each branch of a union. */
function branchesOf(schema: Schema): readonly z.core.$ZodTypeDef[] {
  const def = schema._zod.def as z.core.$ZodTypeDef & {
    readonly innerType?: Schema;
    readonly in?: Schema;
    readonly options?: readonly Schema[];
  };
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
  if (inner) return branchesOf(inner);
  return def.options ? def.options.flatMap(branchesOf) : [def];
}

function step(schema: Schema, part: string): readonly Schema[] {
  return branchesOf(schema).flatMap((def) => {
    const { shape, element } = def as { readonly shape?: Readonly<Record<string, Schema>>; readonly element?: Schema };
    const member = element ?? (shape && Object.hasOwn(shape, part) ? shape[part] : undefined);
    return member ? [member] : [];
  });
}

/** `path` leads to the object that has the unknown field. */
export function knownFields(schema: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof schema !== 'object' || schema === null || !('_zod' in schema)) return undefined;
  let at: readonly Schema[] = [schema as Schema];
  for (const part of path) at = at.flatMap((one) => step(one, part));
  const names = at.flatMap(branchesOf).flatMap((def) => Object.keys((def as { readonly shape?: object }).shape ?? {}));
  const known = [...new Set(names)];
  return known.length === 0 || known.length > mostListed ? undefined : known;
}
