// What the name of a file says: a title, and under the marks of a copy the kind of the file.

export const titleFromName = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,8}$/, '') || name;

/** What people and programs add to the name of a copy, and rotation to that of a log: `a.conf.bak`, `main.c.~1~`, `app.log.1`, `app.log-20260311`, `a.md~`. */
const copyMark =
  /(?:\.(?:bak\d{0,2}|old|orig|backup|save|prev|copy|dist|sample|example|template|rpmsave|rpmnew|dpkg-\w{3,8}|\d{1,3}|~\d{1,3}~)|-\d{8}|(?<=[^~])~)$/iu;

/** The name without marks of a copy, two at most: it tells of what kind the file is. */
export function nameBeneath(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const beneath = file.replace(copyMark, '').replace(copyMark, '');
  return beneath === '' || beneath === '.' ? file : beneath;
}
