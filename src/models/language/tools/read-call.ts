// What a model wrote as the arguments of a tool, checked. Invariant: no value passes that the schema refuses, and what is said of a mistake
// holds nothing that the model wrote but the names of fields that the schema has.
import { z } from 'zod';
import type { Tool, ToolCall } from '../messages.ts';

/** A tool with its arguments as they are checked. */
export interface ToolForm<Arguments> {
  readonly name: string;
  readonly description: string;
  /** A strict object whose every field is required: providers that can, enforce it. */
  readonly schema: z.ZodType<Arguments>;
}

export type ReadCall<Arguments> =
  | { readonly ok: true; readonly value: Arguments }
  /** `detail`: a sentence that the model is told, so that it can call again. */
  | { readonly ok: false; readonly detail: string };

const mostIssues = 5;

/** Total. An empty text stands for no arguments: some servers leave out `{}`. */
export function readToolCall<Arguments>(call: ToolCall, { schema }: ToolForm<Arguments>): ReadCall<Arguments> {
  let written: unknown;
  try {
    written = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments);
  } catch {
    return { ok: false, detail: 'The arguments are not one JSON object.' };
  }
  const parsed = schema.safeParse(written);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.slice(0, mostIssues).map((issue) => {
    // Names of fields that the schema does not have are the model's words.
    if (issue.code === 'unrecognized_keys') return 'there are fields that the tool does not take';
    return `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`;
  });
  return { ok: false, detail: `The arguments do not fit: ${issues.join('; ')}.` };
}

const offered = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/** The tool as the port offers it; its JSON Schema is made once. */
export function toTool({ name, description, schema }: ToolForm<unknown>): Tool {
  let form = offered.get(schema);
  if (!form) {
    const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>;
    form = made;
    offered.set(schema, form);
  }
  return { name, description, schema: form };
}
