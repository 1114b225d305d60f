// The line under a title that names who wrote it: "Andreas Gal, Brendan Eich and Mike Shaver", "by Edmund Dulac". Pure.

const marks = /[*∗+⁺#$†‡§¶\p{N}]/gu;
const lead = /^(?:(?:written |posted )?by|authors?:?)\s+/iu;
const name =
  /^(?:(?:Dr|Prof|Mr|Ms|Mrs)\. )?\p{Lu}[\p{L}.'’-]{0,30}(?: (?:(?:de|van|von|der|la|di|du) ){0,2}\p{Lu}[\p{L}.'’-]{0,30}){1,3}$/u;
const longestLine = 400;

/** Two names or more, or one behind "by". */
export function isByline(line: string): boolean {
  if (line.length > longestLine) return false;
  const bare = line.replace(/\s+/gu, ' ').trim();
  const names = bare
    .replace(lead, '')
    // Marks of affiliations part names, as commas do.
    .replace(/[*∗†‡§¶⁺] (?=\p{Lu})/gu, ', ')
    .replace(marks, '')
    .split(/ ?[,;&|] ?| and /u)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return names.length >= (lead.test(bare) ? 1 : 2) && names.every((one) => name.test(one));
}
