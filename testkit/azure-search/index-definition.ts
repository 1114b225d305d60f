// What an index of Azure AI Search is and what its rows may hold. Invariant: what the service would refuse is refused.
export class RefusedRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface IndexField {
  readonly name: string;
  readonly type: string;
  readonly key?: boolean;
  readonly searchable?: boolean;
  readonly filterable?: boolean;
  readonly sortable?: boolean;
  readonly facetable?: boolean;
  readonly retrievable?: boolean;
  readonly analyzer?: string;
  readonly dimensions?: number;
  readonly vectorSearchProfile?: string;
  readonly fields?: readonly IndexField[];
}

export interface IndexDefinition {
  readonly name: string;
  readonly fields: readonly IndexField[];
  readonly vectorSearch?: {
    readonly algorithms?: readonly { readonly name: string }[];
    readonly profiles?: readonly { readonly name: string; readonly algorithm: string }[];
  };
  readonly semantic?: {
    readonly configurations?: readonly {
      readonly name: string;
      readonly prioritizedFields: { readonly prioritizedContentFields?: readonly { readonly fieldName: string }[] };
    }[];
  };
}

const types = /^(?:Collection\()?Edm\.(?:String|Int32|Int64|Double|Boolean|Single|ComplexType)\)?$/u;

export function checkDefinition(definition: IndexDefinition, before: IndexDefinition | undefined): void {
  const refuse = (why: string): RefusedRequest => new RefusedRequest(400, `index: ${why}`);
  const { name, fields, vectorSearch, semantic } = definition;
  if (!/^[a-z\d](?:[a-z\d]|-(?!-)){0,126}[a-z\d]$/u.test(name)) throw refuse(`"${name}" is no name`);
  if (fields.filter(({ key }) => key).length !== 1) throw refuse('one key is needed');
  if (new Set(fields.map((field) => field.name)).size !== fields.length) throw refuse('a field stands there twice');
  for (const field of fields) {
    if (!types.test(field.type)) throw refuse(`${field.type} is no type`);
    if (field.key && field.type !== 'Edm.String') throw refuse('the key is no text');
    if (field.type === 'Collection(Edm.Single)') {
      const profile = vectorSearch?.profiles?.find((one) => one.name === field.vectorSearchProfile);
      if (!profile || !vectorSearch?.algorithms?.some((one) => one.name === profile.algorithm))
        throw refuse(`${field.name} has no profile of vectors`);
      if (!field.searchable || !Number.isInteger(field.dimensions)) throw refuse(`${field.name} has no dimensions`);
    } else if (field.searchable && !field.type.includes('Edm.String')) throw refuse(`${field.name} is no text`);
  }
  for (const { prioritizedFields } of semantic?.configurations ?? [])
    for (const { fieldName } of prioritizedFields.prioritizedContentFields ?? [])
      if (!fields.some((field) => field.name === fieldName && field.searchable && field.retrievable !== false))
        throw refuse(`${fieldName} cannot be ranked`);
  for (const old of before?.fields ?? []) {
    const now = fields.find((field) => field.name === old.name);
    const traits = [
      'type',
      'key',
      'searchable',
      'filterable',
      'sortable',
      'facetable',
      'analyzer',
      'dimensions',
    ] as const;
    if (!now || traits.some((trait) => (now[trait] || undefined) !== (old[trait] || undefined)))
      throw refuse(`the field ${old.name} cannot be changed`);
  }
}

/** Throws for a row that makes the whole request bad; returns why this row alone is refused. */
export function faultOfRow(row: Readonly<Record<string, unknown>>, fields: readonly IndexField[]): string | undefined {
  let fault: string | undefined;
  for (const [name, value] of Object.entries(row)) {
    if (name.startsWith('@search.')) continue;
    const field = fields.find((one) => one.name === name);
    if (!field) throw new RefusedRequest(400, `there is no field ${name}`);
    if (value === null) continue;
    const isList = field.type.startsWith('Collection(');
    if (isList !== Array.isArray(value)) throw new RefusedRequest(400, `${name} is not of type ${field.type}`);
    for (const one of isList ? (value as unknown[]) : [value]) {
      if (field.fields) fault ??= faultOfRow(one as Readonly<Record<string, unknown>>, field.fields);
      else if (!isOf(one, field.type)) throw new RefusedRequest(400, `${name} is not of type ${field.type}`);
      if (field.filterable && typeof one === 'string' && Buffer.byteLength(one) > 32_766)
        fault ??= `${name} is too long`;
    }
    if (field.dimensions !== undefined && (value as unknown[]).length !== field.dimensions)
      throw new RefusedRequest(400, `${name} does not have ${field.dimensions} dimensions`);
    if (field.fields && (value as unknown[]).length > 3000) fault ??= `${name} has too many elements`;
  }
  return fault;
}

function isOf(value: unknown, type: string): boolean {
  if (type.includes('Edm.String')) return typeof value === 'string';
  if (type.includes('Edm.Boolean')) return typeof value === 'boolean';
  if (typeof value !== 'number') return false;
  return type.includes('Int') ? Number.isSafeInteger(value) : Number.isFinite(value);
}
