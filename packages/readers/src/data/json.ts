// JSON to canonical text: "path: value" lines, a block for each element of a list of records or each top-level field.

import { canonicalText, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { Block, Place } from '../document.ts';
import { isReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { withoutComments } from './json-comments.ts';
import { type JsonValue, jsonLines, parseJson } from './json-text.ts';

export const json: Parser = {
  name: 'json',
  mimes: ['application/json'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    requireText(source, input.name);
    const { value, records, notes } = readJson(source, input.name);
    const { text, blocks, places } = renderRecords(records);
    requireText(text, input.name);
    return parsedDocument({
      text,
      mime: 'application/json',
      title: titleOf(value),
      blocks,
      places,
      warnings: [...warnings, ...notes],
    });
  },
};

interface ReadJson {
  readonly value: JsonValue;
  readonly records: Iterable<LabelledRecord>;
  readonly notes: readonly string[];
}

function readJson(source: string, name: string): ReadJson {
  try {
    const value = parseJson(source, name);
    return { value, records: recordsOf(value, name), notes: [] };
  } catch (error) {
    if (!isReadError(error) || error.code !== 'invalid-media') throw error;
    const records = readLines(source, name);
    if (records !== undefined)
      return {
        value: null,
        records,
        notes: [`${name} has a value of JSON in each line (JSONL): it was read line by line.`],
      };
    const bare = withoutComments(source);
    if (bare === source) throw error;
    const value = parseJson(bare, name);
    return {
      value,
      records: recordsOf(value, name),
      notes: ['This is JSON with comments: the comments were left out.'],
    };
  }
}

/** Exports and logs that hold a value in each line are often called JSON; undefined where a line is none, or there is only one. */
function readLines(source: string, name: string): LabelledRecord[] | undefined {
  const lines = source.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  if (lines.length < 2 || !lines.every(({ line }) => /^\s*[[{].*[\]}]\s*$/u.test(line))) return undefined;
  try {
    return lines.map(({ line, number }) => ({
      text: jsonLines(parseJson(line, name), '', name).join('\n'),
      label: `line ${number}`,
    }));
  } catch {
    return undefined;
  }
}

/** A record with where it stands: `items[3]`, `line 5`. */
export interface LabelledRecord {
  readonly text: string;
  readonly label: string;
}

/** Joins records into a text with a block and a place for each. */
export function renderRecords(records: Iterable<LabelledRecord>): { text: string; blocks: Block[]; places: Place[] } {
  const parts: string[] = [];
  const blocks: Block[] = [];
  const places: Place[] = [];
  let length = 0;
  for (const { text, label } of records) {
    const content = canonicalText(text).trim();
    if (content === '') continue;
    if (length > 0) {
      parts.push('\n\n');
      length += 2;
    }
    const range = { start: length, end: length + content.length };
    blocks.push({ ...range, kind: 'record' });
    if (label !== '') places.push({ ...range, label });
    parts.push(content);
    length += content.length;
  }
  return { text: parts.join(''), blocks, places };
}

const maxLabelLength = 200;

function* recordsOf(value: JsonValue, name: string): Generator<LabelledRecord> {
  const record = (item: JsonValue, path: string, label = path): LabelledRecord => ({
    text: jsonLines(item, path, name).join('\n'),
    label: canonicalText(label).trim().slice(0, maxLabelLength),
  });
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    for (const [index, item] of value.entries()) yield record(item, '', `[${index}]`);
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (Array.isArray(field) && field.some((item) => typeof item === 'object' && item !== null)) {
        for (const [index, item] of field.entries()) yield record(item, `${key}[${index}]`);
      } else yield record(field, key);
    }
  } else yield record(value, '');
}

function titleOf(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const title = Object.hasOwn(value, 'title') ? value['title'] : undefined;
  return typeof title === 'string' && title.length <= 300 ? canonicalText(title).trim() : undefined;
}
