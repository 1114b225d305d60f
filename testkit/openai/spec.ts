// Checks requests and replies of a stand-in against the vendor's own specification (OpenAPI 3.1), where that stands beside this checkout.
// Invariant: an operation that the specification does not have is a violation too, so that the stand-in invents nothing.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { sharedData } from '../shared-data.ts';

type Json = Readonly<Record<string, unknown>>;

export interface SpecCheck {
  /** What is wrong with a call, in words; empty: nothing. */
  request(call: SpecRequest): readonly string[];
  reply(call: Pick<SpecRequest, 'path' | 'method'>, body: unknown): readonly string[];
}

export interface SpecRequest {
  readonly method: string;
  /** As the specification writes it: `/vector_stores/{vector_store_id}/search`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

interface Spec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

let loaded: SpecCheck | undefined;

/** Undefined, with a line that says so, where the specification is not there. */
export function openSpec(): SpecCheck | undefined {
  const file = sharedData('../specs/openai.openapi.json');
  if (file === undefined) return undefined;
  loaded ??= createSpecCheck(JSON.parse(readFileSync(file, 'utf8')) as Spec);
  return loaded;
}

/** The draft's successor calls it otherwise; here it always means the schema that it stands in. */
function withoutRecursiveRefs(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutRecursiveRefs(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      if (key === '$recursiveAnchor') return [];
      if (key === '$recursiveRef') return [['$ref', `#/components/schemas/${name}`]];
      // The vendor says "one of" where several may fit: a message of a user is of two forms at once.
      return [[key === 'oneOf' ? 'anyOf' : key, withoutRecursiveRefs(member, name)]];
    }),
  );
}

function createSpecCheck(spec: Spec): SpecCheck {
  const schemas = Object.fromEntries(
    Object.entries(spec.components.schemas).map(([name, schema]) => [name, withoutRecursiveRefs(schema, name)]),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'spec', components: { schemas } });
  const compiled = new Map<Json, ValidateFunction>();

  function faults(schema: Json, value: unknown): readonly string[] {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"spec#/components')) as Json;
    const validate = compiled.get(schema) ?? ajv.compile(absolute);
    compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }

  const operationOf = ({ path, method }: Pick<SpecRequest, 'path' | 'method'>): Operation | undefined =>
    spec.paths[path]?.[method.toLowerCase()];

  return {
    request({ path, method, query, body }) {
      const operation = operationOf({ path, method });
      if (!operation) return [`${method} ${path} is not in the specification`];
      const said = (what: string): string => `${method} ${path}: ${what}`;
      const known = (operation.parameters ?? []).filter((one) => one.in === 'query');
      const asked = [...query].flatMap(([name, value]): readonly string[] => {
        const parameter = known.find((one) => one.name === name);
        if (!parameter) return [`the parameter ${name} is not known`];
        return faults(parameter.schema, parameter.schema['type'] === 'integer' ? Number(value) : value);
      });
      const wanted = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
      const sent = wanted ? faults(wanted, body) : body === undefined ? [] : ['a body is not expected'];
      return [...asked, ...sent].map(said);
    },
    reply({ path, method }, body) {
      const schema = operationOf({ path, method })?.responses['200']?.content?.['application/json']?.schema;
      if (!schema) return [`${method} ${path} has no reply in the specification`];
      return faults(schema, body).map((fault) => `reply of ${method} ${path}: ${fault}`);
    },
  };
}
