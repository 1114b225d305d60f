// What is wrong with a value by a schema of the vendor's specification; nothing where the specification is not beside this checkout.
import { readFileSync } from 'node:fs';
import { sharedData } from '../../testkit/shared-data.ts';
import { schemaMistakes } from './json-schema-check.ts';

export function createSpecFaults(): (name: string, value: unknown) => readonly string[] {
  const path = sharedData('..', 'specs', 'openai.openapi.json');
  if (path === undefined) return () => [];
  const document = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return (name, value) => schemaMistakes(value, { $ref: `#/components/schemas/${name}` }, document);
}
