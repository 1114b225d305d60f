// An object without what is undefined in it: an optional field is given or it is absent, for whoever prints, compares or spreads the object.

export type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Fields keep their order. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const given: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) given[name] = fields[name];
  return given as unknown as Defined<T>;
}
