// Values that nobody may change any more, however deep they lie.

export type Frozen<T> = T extends (...given: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** Freezes plain objects and lists, and all that lies in them. */
export function frozen<const T>(value: T): Frozen<T> {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) frozen(part);
  return value as Frozen<T>;
}
