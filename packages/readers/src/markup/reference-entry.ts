// An entry of a file of references, whatever wrote it: its key, its kind and its fields, as plain text.

export interface ReferenceEntry {
  readonly key: string;
  /** `article`, `book`. */
  readonly kind: string;
  /** In the order of the file; a field may come more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}
