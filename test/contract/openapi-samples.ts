// Requests and replies made from the OpenAPI document alone: the smallest that a schema allows, with a word of the test's wherever a text may stand. So a
// suite over all routes needs no list of them, and a new one is in it from its first day.
import type { HttpApp } from '../../src/http/wire/http-types.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface SampledRoute {
  /** `POST /v1/stores/{store}/sync`. */
  readonly name: string;
  request(word: string): { readonly method: 'POST'; readonly url: string; readonly payload?: object };
  /** What a good reply looks like; undefined: it has no body. */
  readonly reply: unknown;
}

/** Every route that is not read by, as the document names them. */
export async function sampledRoutes(app: HttpApp, key: string): Promise<readonly SampledRoute[]> {
  const { paths, components } = (
    await app.inject({ url: '/openapi.json', headers: { authorization: `Bearer ${key}` } })
  ).json<{
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    components: { schemas: Readonly<Record<string, Schema>> };
  }>();

  function sample(schema: Schema | undefined, word: string): unknown {
    if (schema === undefined) return word;
    const { $ref, type, anyOf, oneOf, allOf } = schema;
    if ($ref !== undefined) return sample(components.schemas[$ref.split('/').at(-1) ?? ''], word);
    if ('const' in schema) return schema.const;
    if (schema.enum) return schema.enum[0];
    const [first] = anyOf ?? oneOf ?? [];
    if (first) return sample(first, word);
    if (allOf) return Object.assign({}, ...allOf.map((part) => sample(part, word)));
    const kind = typeof type === 'string' ? type : type?.[0];
    if (kind === 'object')
      return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties?.[name], word)]));
    if (kind === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items, word));
    if (kind === 'number' || kind === 'integer')
      return Math.min(Math.max(schema.minimum ?? 0, 1), schema.maximum ?? Number.POSITIVE_INFINITY);
    if (kind === 'boolean') return false;
    if (kind === 'null') return null;
    if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z';
    return schema.format === 'uri' ? `https://example.org/${word}` : word;
  }

  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], requestBody, responses }]): SampledRoute[] => {
      if (method === 'get') return [];
      const [status = '', reply] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
      const body = requestBody?.content['application/json']?.schema;
      const hasPlace = body !== undefined || path.includes('{');
      const query = parameters.find((one) => one.in === 'query' && (one.required === true || !hasPlace));
      return [
        {
          name: `${method.toUpperCase()} ${path}`,
          request: (word) => ({
            method: method.toUpperCase() as 'POST',
            url: `${path.replaceAll(/\{\w+\}/gu, word)}${query ? `?${query.name}=${word}` : ''}`,
            ...(body && { payload: sample(body, word) as object }),
          }),
          reply: status === '204' ? undefined : sample(reply?.content?.['application/json']?.schema, 'told'),
        },
      ];
    }),
  );
}
