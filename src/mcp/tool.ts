// A tool of MCP: its schemas and what it does, for whoever asks. What it throws is told as a result that says what to do.
import type { ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CallOptions } from '../footnote/facade.ts';
import type { Lane } from '../operations/operation.ts';
import type { McpCaller } from './caller.ts';

export interface Asking extends Pick<McpCaller, 'footnote' | 'address'> {
  readonly call: CallOptions;
}

export interface Given<Output> {
  readonly value: Output;
  /** What a client shows that reads no structure. Absent: the same as JSON. */
  readonly text?: string;
  /** Behind the text. */
  readonly links?: readonly ContentBlock[];
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly lane: Lane;
  /** It may ask the web, where that is searched. */
  readonly mayAskTheWeb?: true;
  run(asked: z.output<Input>, asking: Asking): Promise<Given<z.input<Output>>>;
}

/** The same, its types forgotten: what it is given has passed its schema. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(given: Tool<Input, Output>): Tool =>
  given as unknown as Tool;

type JsonSchema = Record<string, unknown>;

/** Every whole number has these bounds: models need not read them. */
function withoutBounds({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  for (const name of ['minimum', 'maximum'])
    if (Math.abs(Number(jsonSchema[name])) === Number.MAX_SAFE_INTEGER) delete jsonSchema[name];
}

type Standard = z.ZodObject['~standard'];
/** A schema that checks, and says what it is in JSON Schema (standardschema.dev). */
interface Published {
  readonly '~standard': Pick<Standard, 'version' | 'vendor' | 'validate'> & {
    readonly jsonSchema: Readonly<Record<'input' | 'output', () => JsonSchema>>;
  };
}

/** The schema of a tool as its clients are told it, made once: a server stands for one request. */
export function published(schema: z.ZodObject, io: 'input' | 'output'): Published {
  let made: JsonSchema | undefined;
  const json = (): JsonSchema => (made ??= z.toJSONSchema(schema, { io, override: withoutBounds }) as JsonSchema);
  const { version, vendor, validate } = schema['~standard'];
  return { '~standard': { version, vendor, validate, jsonSchema: { input: json, output: json } } };
}
