// A commit as the REST interface of Firestore takes it, written out by ourselves: the official client turns every number of a vector into three
// objects, one after the other, which takes two milliseconds of the processor for each chunk. Invariant: what is written out here is what the
// client would send for the same fields.
import type { Row } from './rows.ts';

interface CommitPlace {
  /** `projects/…/documents/…`, of the collection. */
  readonly collection: string;
  /** Where vectors go. */
  readonly field: string | undefined;
}

/** Of rows that are set, and ids of rows that go. Rows are written whole: what stood there before is replaced. */
export function commitOf(parts: readonly (Row | string)[], { collection, field }: CommitPlace): string {
  const writes = parts.map((one) => {
    if (typeof one === 'string') return `{"delete":${JSON.stringify(`${collection}/${one}`)}}`;
    const fields = Object.entries(one.fields).map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`);
    if (field !== undefined && one.vector !== undefined)
      fields.push(`${JSON.stringify(field)}:${vectorOf(one.vector)}`);
    return `{"update":{"name":${JSON.stringify(`${collection}/${one.id}`)},"fields":{${fields.join(',')}}}}`;
  });
  return `{"writes":[${writes.join(',')}]}`;
}

function written(value: Row['fields'][string]): string {
  if (typeof value === 'number') return `{"integerValue":"${value}"}`;
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`;
  return `{"arrayValue":{"values":[${value.map(written).join(',')}]}}`;
}

/** A map of two fields, as the service knows vectors. */
function vectorOf(list: string): string {
  const values = `{"doubleValue":${list.slice(1, -1).replaceAll(',', '},{"doubleValue":')}}`;
  return `{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[${values}]}}}}}`;
}
