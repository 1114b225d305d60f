// Valid requests of every route, made from the product's own OpenAPI document and from what really stands in the server: what a fuzzer
// spoils. A route that the document gains is fuzzed without a change here.
import { below, type Random } from '../../../packages/readers/testkit/mutate.ts';

/** A JSON Schema as the document prints it; only what is read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What stands in the server: real ids by the first part of a route that tells their kind. */
export interface Planted {
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** For routes that remove: else nothing would be left to ask for. */
  readonly victims: Readonly<Record<string, readonly string[]>>;
  /** A whole answer of this server. */
  readonly answer: unknown;
}

export type Part =
  | { readonly field: string; readonly value: string }
  | { readonly file: string; readonly mime: string; readonly bytes: Buffer };

export interface Draft {
  readonly method: string;
  /** The route as the document has it. */
  readonly route: string;
  /** Percent-encoded. */
  path: string;
  query: [name: string, value: string][];
  /** At most one of the two. */
  json?: unknown;
  parts?: Part[];
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const questions = [
  'Who built the lighthouse of Arkvik?',
  'How many passengers does the ferry carry?',
  'When was it built?',
  'lamp kerosene',
  'What is the mass of Jupiter?',
];

/** Values that mean something, by the name of the field; a schema alone would give words that nobody wrote. */
const meant: Readonly<Record<string, (random: Random) => unknown>> = {
  question: (random) => pick(random, questions),
  content: (random) => pick(random, questions),
  query: (random) => pick(random, questions),
  text: (random) => `# Harbour ${below(random, 20)}\n\nThe harbour has ${below(random, 90)} berths and a crane.\n`,
  title: (random) => `Title ${below(random, 9)}`,
  uri: (random) => `fuzzed/${below(random, 40)}.md`,
  mime: (random) => pick(random, ['text/markdown', 'text/plain', 'text/html', 'text/csv']),
  source: (random) => pick(random, ['coast', 'notes', 'default']),
  sources: () => ['coast'],
  store: () => 'embedded',
  stores: () => ['embedded'],
  name: (random) => `name-${below(random, 20)}`,
  tenant: () => 'default',
  groups: () => ['crew'],
  access: () => ['group:crew'],
  version: () => '1.2',
  category: () => 'sea',
  metadata: (random) => ({ region: 'north', depth: below(random, 9), tags: ['a', 'b'] }),
  publishedAt: () => '2024-05-01T10:00:00Z',
  password: () => 'open sesame',
  from: () => '2024-01-01',
  to: () => '2024-12-31',
  start: (random) => below(random, 40),
  end: (random) => 40 + below(random, 20),
  field: (random) => pick(random, ['source', 'title', 'uri', 'path', 'publishedAt', 'metadata.region', 'language']),
  // Relative, and the server's folder of work is its own: no spoiled path reads the machine's disk.
  connector: () => ({ kind: 'folder', path: 'docs', include: ['**/*.md'] }),
};

/** What else the meaning of a name depends on: its route. */
const queryMeant: Readonly<Record<string, Readonly<Record<string, (random: Random) => unknown>>>> = {
  '/v1/documents/{id}/view': { from: (random) => below(random, 50) },
};

const said = (random: Random) => [{ role: 'user', content: pick(random, questions) }];
const model = (): string => 'footnote';
const bodyMeant: typeof queryMeant = {
  '/v1/chat/completions': { model, messages: said },
  '/v1/messages': { model, messages: said },
  '/v1/responses': { model, input: (random) => pick(random, questions) },
};

export function createRequests(contract: Contract, planted: Planted) {
  const operations = Object.entries(contract.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route, method: method.toUpperCase(), operation })),
  );

  function instance(schema: Schema, random: Random, depth = 0): unknown {
    if (schema.$ref !== undefined) {
      const target = contract.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
      return target === undefined ? null : instance(target, random, depth + 1);
    }
    if ('const' in schema) return schema.const;
    if (schema.enum) return pick(random, schema.enum);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches) {
      // Far down only what ends: the first branches of the recursive schemas do.
      const chosen = depth > 6 ? branches[0] : pick(random, branches);
      return chosen ? instance(chosen, random, depth + 1) : null;
    }
    const type = typeof schema.type === 'string' ? schema.type : (schema.type?.[0] ?? 'object');
    if (type === 'object') return objectOf(schema, random, depth);
    if (type === 'array') {
      if (schema.prefixItems) return schema.prefixItems.map((item) => instance(item, random, depth + 1));
      const length = depth > 6 ? 1 : 1 + below(random, 3);
      return Array.from({ length }, () => instance(schema.items ?? {}, random, depth + 1));
    }
    if (type === 'integer' || type === 'number') {
      const lowest = schema.minimum ?? 0;
      return lowest + below(random, Math.min((schema.maximum ?? 50) - lowest, 50) + 1);
    }
    if (type === 'boolean') return random() < 0.5;
    if (type === 'null') return null;
    if (schema.format === 'date-time') return '2024-05-01T10:00:00Z';
    if (schema.format === 'date') return '2024-05-01';
    if (schema.format === 'uri') return 'https://example.org/a';
    return `word${below(random, 99)}`;
  }

  function objectOf(schema: Schema, random: Random, depth: number): Record<string, unknown> {
    const filled: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const needed = schema.required?.includes(name) === true;
      if (!needed && random() < (depth > 4 ? 0.9 : 0.6)) continue;
      const known = depth <= 1 || name === 'field' ? meant[name] : undefined;
      filled[name] = known ? known(random) : instance(property, random, depth + 1);
    }
    return filled;
  }

  function idFor(route: string, method: string, { name, random }: { name: string; random: Random }): string {
    const kind = name === 'file_id' ? 'files' : (route.split('/').find((part) => part in planted.ids) ?? '');
    const known = method === 'DELETE' ? planted.victims[kind] : planted.ids[kind];
    return known === undefined || known.length === 0 ? 'unknown' : pick(random, known);
  }

  function bodyOf(route: string, operation: Operation, random: Random): Pick<Draft, 'json' | 'parts'> {
    const content = operation.requestBody?.content;
    if (!content) return {};
    const json = content['application/json'];
    if (content['multipart/form-data'] !== undefined && random() < 0.4) return { parts: upload(random) };
    if (route === '/v1/answers/verify' && random() < 0.9) return { json: structuredClone(planted.answer) };
    const own = bodyMeant[route];
    // Foreign requests may name much that is refused: half of them say what is needed alone.
    const isWhole = json !== undefined && !(own && random() < 0.5);
    const body = (isWhole ? instance(json.schema, random) : {}) as Record<string, unknown>;
    for (const [name, value] of Object.entries(own ?? {})) body[name] = value(random);
    // A document is a text or an address, and addresses are not configured.
    if (content['multipart/form-data'] !== undefined) {
      delete body['url'];
      body['text'] = meant['text']?.(random);
    }
    return { json: body };
  }

  return {
    operations: operations.map(({ route, method }) => `${method} ${route}`),
    /** A request that fits the document, for the operation at `at` (counted round). */
    draft(at: number, random: Random): Draft {
      const { route, method, operation } = operations[at % operations.length] as (typeof operations)[number];
      const path = route.replace(/\{(\w+)\}/gu, (_, name: string) =>
        encodeURIComponent(idFor(route, method, { name, random })),
      );
      const query: [string, string][] = [];
      for (const { name, in: place, schema } of operation.parameters ?? []) {
        if (place !== 'query' || random() < 0.5 || name === 'cursor') continue;
        const known = queryMeant[route]?.[name] ?? meant[name];
        const filter = contract.components.schemas['Filter'] ?? {};
        const value =
          name === 'filter' ? JSON.stringify(instance(filter, random)) : (known?.(random) ?? instance(schema, random));
        query.push([name, encodeURIComponent(String(value))]);
      }
      return { method, route, path, query, ...bodyOf(route, operation, random) };
    },
  };
}
export type Requests = ReturnType<typeof createRequests>;

/** A sound upload: a file or two, and fields beside them. */
function upload(random: Random): Part[] {
  const parts: Part[] = [];
  if (random() < 0.5) parts.push({ field: 'source', value: 'notes' });
  if (random() < 0.3) parts.push({ field: 'metadata', value: '{"region":"south"}' });
  if (random() < 0.3) parts.push({ field: 'access', value: 'group:crew, group:guests' });
  for (let count = 1 + below(random, 2); count > 0; count--)
    parts.push({
      file: `upload-${below(random, 30)}.md`,
      mime: 'text/markdown',
      bytes: Buffer.from(`# Pier ${below(random, 9)}\n\nThe pier is ${below(random, 90)} metres long.\n`),
    });
  return parts;
}
