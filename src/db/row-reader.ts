// Reads rows whose columns stand for one field each: columns in snake case, fields in camel case; a column without a value is a field
// that is absent. Other columns of the row are left out.

/** What the statement selected is for its caller to know: a column that it did not select is absent, too. */
export function rowReader<Value>(...fields: readonly (keyof Value & string)[]): (row: object) => Value {
  const columns = fields.map((field) => field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`));
  return (row) => {
    const value: Record<string, unknown> = {};
    for (const [at, field] of fields.entries()) {
      const found = (row as Readonly<Record<string, unknown>>)[columns[at] as string];
      if (found !== null && found !== undefined) value[field] = found;
    }
    return value as Value;
  };
}
