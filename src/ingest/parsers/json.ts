// JSON to canonical text: "path: value" lines, a block for each element of a list of records or each top-level field.
import type { Block } from '../../core/document.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { canonicalText, parsedDocument, requireText } from './canonical-text.ts';
import { decodeText } from './decode.ts';
import { type JsonValue, jsonLines, parseJson } from './json-text.ts';

export const json: Parser = {
  name: 'json',
  mimes: ['application/json'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    requireText(source, input.name);
    const value = parseJson(source, input.name);
    const { text, blocks } = renderRecords(recordsOf(value, input.name));
    requireText(text, input.name);
    return parsedDocument({ text, mime: 'application/json', title: titleOf(value), blocks, warnings });
  },
};

/** Joins records into a text with a block for each. */
export function renderRecords(records: Iterable<string>): { text: string; blocks: Block[] } {
  const parts: string[] = [];
  const blocks: Block[] = [];
  let length = 0;
  for (const record of records) {
    const content = canonicalText(record).trim();
    if (content === '') continue;
    if (length > 0) {
      parts.push('\n\n');
      length += 2;
    }
    blocks.push({ start: length, end: length + content.length, kind: 'record' });
    parts.push(content);
    length += content.length;
  }
  return { text: parts.join(''), blocks };
}

function* recordsOf(value: JsonValue, name: string): Generator<string> {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    for (const item of value) yield jsonLines(item, '', name).join('\n');
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (Array.isArray(field) && field.some((item) => typeof item === 'object' && item !== null)) {
        for (const [index, item] of field.entries()) yield jsonLines(item, `${key}[${index}]`, name).join('\n');
      } else yield jsonLines(field, key, name).join('\n');
    }
  } else yield jsonLines(value, '', name).join('\n');
}

function titleOf(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const title = Object.hasOwn(value, 'title') ? value['title'] : undefined;
  return typeof title === 'string' && title.length <= 300 ? canonicalText(title).trim() : undefined;
}
