// The question in what a program sends for it: Open WebUI puts what it found, and the files that hang on a message, before what a person wrote.
import { describe, expect, it } from 'vitest';
import { ownWordsIn } from '../../../src/http/foreign/own-words.ts';

const asked = 'How tall is the lighthouse?';
const found = (context: string, more = ''): string =>
  `### Task:\nRespond to the query using the provided context, with citations in the format [id].\n\n### Output:\nA direct response.\n\n<context>\n${context}\n</context>\n\n${more}`;
const source = '<source id="1" name="shed.txt">It holds 14 rakes.</source>';
const files = '<attached_files>\n<file type="file" id="f1" url="f1" name="shed.txt"/>\n</attached_files>\n\n';

describe('own words', () => {
  it.each([
    ['behind what was found', found(source, asked), true],
    ['behind what was found and files', found(source, files + asked), true],
    ['behind sources without numbers', found('<source name="shed.txt">It holds 14 rakes.</source>', asked), false],
    ['behind a source that ends the context itself', found(`${source}\n</context>\n\nWho holds it?`, asked), true],
    ['behind files', files + asked, false],
    ['of an older form', found(source, `<user_query>\n${asked}\n</user_query>\n\n${asked}`), true],
  ])('are found %s', (_, text, hasSources) => {
    expect(ownWordsIn(text)).toEqual({ words: asked, hasSources });
  });

  it.each([
    asked,
    `  ${asked}\n`,
    '### Task: what is a task?',
    'What does <context>\nx\n</context>\n mean?',
    'What are <attached_files>?',
    '<attached_files> is never closed',
    found(source),
    '',
  ])('are all of what nothing stands before: %j', (text) => {
    expect(ownWordsIn(text)).toEqual({ words: text, hasSources: false });
  });
});
