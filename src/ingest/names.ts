// What documents are called where nobody says so: titles, the names of lines, which ids of callers can be ids of ours, and the name under that of a copy.

const safeId = /^[A-Za-z0-9._:@-]{1,128}$/;

/** Whether a caller's id can be the id of a document. */
export const isSafeId = (id: string): boolean => safeId.test(id);

export const titleFromName = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,8}$/, '') || name;

/** What a line is called where it names no id, and its uri unless it has one of its own. */
export function namesOfLine(
  { id, lineNumber }: { readonly id?: string; readonly lineNumber: number },
  fileUri: string,
): { readonly name: string; readonly ownUri: string } {
  const name = id ?? `line-${lineNumber}`;
  return { name, ownUri: `${fileUri}#${name}` };
}

/** What people and programs add to the name of a copy, and rotation to that of a log: `a.conf.bak`, `main.c.~1~`, `app.log.1`, `app.log-20260311`, `a.md~`. */
const copyMark =
  /(?:\.(?:bak\d{0,2}|old|orig|backup|save|prev|copy|dist|sample|example|template|rpmsave|rpmnew|dpkg-\w{3,8}|\d{1,3}|~\d{1,3}~)|-\d{8}|(?<=[^~])~)$/iu;

/** The name without marks of a copy, two at most: it tells of what kind the file is. */
export function nameBeneath(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const beneath = file.replace(copyMark, '').replace(copyMark, '');
  return beneath === '' || beneath === '.' ? file : beneath;
}
