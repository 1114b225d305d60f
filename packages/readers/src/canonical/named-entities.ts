// The entities of HTML in XML that does not declare them (`&nbsp;`, `&mdash;`), as books have them: the characters that they mean. Invariant: what comes out
// names no entity but those of XML itself (XML 1.0 §4.6); nothing is resolved that a file defines.
import { parseFragment } from 'parse5';

const known = new Map<string, string>();

function meaningOf(entity: string): string {
  const found = known.get(entity);
  if (found !== undefined) return found;
  const [node] = parseFragment(entity).childNodes;
  const value = node !== undefined && 'value' in node ? node.value : entity;
  // `&copyright;` begins like one that HTML knows without its semicolon: that stays, and tells it.
  const text = value.length > 1 && value.endsWith(';') ? entity : value;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (known.size < 5000) known.set(entity, escaped);
  return escaped;
}

const replaced = (source: string): string =>
  source.replace(/&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z][A-Za-z\d]{0,40};/gu, meaningOf);

/** Entities that HTML does not know stay as they are written, as does what stands in sections of CDATA. Linear, however many begin and do not end. */
export function withNamedEntities(source: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const open = source.indexOf('<![CDATA[', at);
    const close = open < 0 ? -1 : source.indexOf(']]>', open);
    if (close < 0) break;
    parts.push(replaced(source.slice(at, open)), source.slice(open, close));
    at = close;
  }
  parts.push(replaced(source.slice(at)));
  return parts.join('');
}
