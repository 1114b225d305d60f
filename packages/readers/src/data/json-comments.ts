// JSON with comments (JSONC, as settings of editors and compilers have it) to JSON: comments become spaces, commas before a closing bracket go.
// What stands in strings stays; linear time, and places keep their line.

/** The same length and lines; equal to the text where there is nothing to leave out. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  // A string; a comment; what stands between. What is never closed goes to the end of its line, or of the text: nothing is read twice.
  const pattern = /"(?:[^"\\\n]+|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[^"/]+|[\s\S]/gu;
  for (const [token] of text.matchAll(pattern))
    parts.push(/^\/[/*]/u.test(token) ? token.replace(/[^\n]/gu, ' ') : token);
  return withoutLastCommas(parts);
}

function withoutLastCommas(parts: string[]): string {
  let closes = false;
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] ?? '';
    if (part.startsWith('"')) {
      closes = false;
      continue;
    }
    let result = '';
    let from = part.length;
    for (let at = part.length - 1; at >= 0; at--) {
      const character = part[at] ?? '';
      if (/\s/u.test(character)) continue;
      if (character === ',' && closes) {
        result = ` ${part.slice(at + 1, from)}${result}`;
        from = at;
      }
      closes = character === '}' || character === ']';
    }
    parts[index] = part.slice(0, from) + result;
  }
  return parts.join('');
}
