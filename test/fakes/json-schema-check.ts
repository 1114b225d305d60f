// A small reader of JSON Schema as OpenAPI 3.1 documents use it: says where a value breaks its schema. Keywords that it does not
// know are ignored, but for those that decide nothing here; it can only be too kind, and its own test shows that it refuses.

type Schema = Readonly<Record<string, unknown>>;

/** One line for each place that breaks the schema; empty where it is met. `root` is what `$ref` points into. */
export function schemaMistakes(value: unknown, schema: Schema, root: Schema, path = '$'): string[] {
  const mistakes: string[] = [];
  const say = (what: string): void => void mistakes.push(`${path}: ${what}`);
  const check = (inner: Schema, at: unknown = value, where = path): string[] => schemaMistakes(at, inner, root, where);
  const reference = schema['$ref'];
  if (typeof reference === 'string') return check(resolve(reference, root));
  if (schema['nullable'] === true && value === null) return [];

  for (const part of (schema['allOf'] as readonly Schema[] | undefined) ?? []) mistakes.push(...check(part));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const choices = schema[keyword] as readonly Schema[] | undefined;
    if (!choices) continue;
    const tried = choices.map((choice) => check(choice));
    const best = tried.reduce((least, one) => (one.length < least.length ? one : least), tried[0] ?? []);
    mistakes.push(...best);
  }
  if ('const' in schema && value !== schema['const']) say(`is not ${JSON.stringify(schema['const'])}`);
  const allowed = schema['enum'] as readonly unknown[] | undefined;
  if (allowed && !allowed.includes(value)) say(`${JSON.stringify(value)} is none of ${JSON.stringify(allowed)}`);

  const types = [schema['type'] ?? []].flat() as string[];
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    say(`is not ${types.join(' or ')}`);
    return mistakes;
  }
  if (Array.isArray(value)) {
    const items = schema['items'];
    if (typeof items === 'object' && items !== null)
      for (const [index, item] of value.entries()) mistakes.push(...check(items as Schema, item, `${path}[${index}]`));
    if (typeof schema['minItems'] === 'number' && value.length < schema['minItems']) say('has too few items');
  } else if (typeof value === 'object' && value !== null) {
    const properties = (schema['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {};
    for (const name of (schema['required'] as readonly string[] | undefined) ?? [])
      if (!(name in value)) say(`lacks ${name}`);
    for (const [name, item] of Object.entries(value)) {
      const property = properties[name];
      if (property) mistakes.push(...check(property, item, `${path}.${name}`));
      else if (schema['additionalProperties'] === false) say(`has ${name}, which is not allowed`);
    }
  }
  if (typeof value === 'number' && typeof schema['minimum'] === 'number' && value < schema['minimum'])
    say('is too small');
  return mistakes;
}

function resolve(reference: string, root: Schema): Schema {
  const found = reference
    .replace(/^#\//u, '')
    .split('/')
    .reduce<unknown>((at, name) => (at as Schema | undefined)?.[name], root);
  if (typeof found !== 'object' || found === null) throw new Error(`The document has no ${reference}`);
  return found as Schema;
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
