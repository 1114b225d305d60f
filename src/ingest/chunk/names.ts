// What lines of a collection are called where nobody says so, and which ids of callers can be ids of ours.

const safeId = /^[A-Za-z0-9._:@-]{1,128}$/;

/** Whether a caller's id can be the id of a document. */
export const isSafeId = (id: string): boolean => safeId.test(id);

/** What a line is called where it names no id, and its uri unless it has one of its own. */
export function namesOfLine(
  { id, lineNumber }: { readonly id?: string; readonly lineNumber: number },
  fileUri: string,
): { readonly name: string; readonly ownUri: string } {
  const name = id ?? `line-${lineNumber}`;
  return { name, ownUri: `${fileUri}#${name}` };
}
