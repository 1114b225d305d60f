// The events of a response: whatever texts and marks it is made of, its events give them back, each annotation behind the text that it stands in, and what is
// kept of a response gives the same events again.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Citation } from '../../../src/core/answer.ts';
import { type MarkedText, marked, marksOf } from '../../../src/core/marked-text.ts';
import { createForeignText } from '../../../src/http/foreign/foreign-text.ts';
import {
  type Annotation,
  annotationsOf,
  createResponseLog,
  eventsOf,
  outputText,
  type Piece,
  type ResponseEvent,
} from '../../../src/http/openai/response-events.ts';
import type { ResponseObject } from '../../../src/operations/openai-responses.ts';

const citations = Array.from(
  { length: 9 },
  (_, at): Citation => ({
    ...{
      index: at + 1,
      documentId: `doc_${at}`,
      chunkId: `chk_${at}`,
      title: 'T ![x](http://h/p)',
      uri: 'a/t.md',
      url: `http://h/${at}`,
    },
    ...{ source: 's', quote: 'q', start: 0, end: 1, score: 1, alsoIn: [] },
  }),
);
const words = fc.array(
  fc.constantFrom('[1]', '[2][3]', '[^1]', '【1】', '😀', '👩‍🚀', 'e\u0301', 'word', ' ', '\n', '\u2028', '"', ''),
  {
    maxLength: 8,
  },
);
const piece = fc
  .tuple(words, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }))
  .map(([text, cited]): MarkedText => marked`${text.join('')} ${marksOf(cited)}`);

const begun: ResponseObject = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'in_progress', model: 'footnote', output: [] },
  ...{ store: true, previous_response_id: null, completed_at: null, incomplete_details: null, usage: null },
};

it('give back text and marks of 500 random texts, and are the same once more', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 5 }),
      fc.constantFrom('marks', 'links'),
      fc.boolean(),
      (parts, style, isFiled) => {
        const foreign = createForeignText(style);
        const pieces: Piece[] = [];
        const all: Annotation[] = [];
        const events: ResponseEvent[] = [];
        const log = createResponseLog(begun, isFiled, (event) => void events.push(event));
        const call = {
          id: 'fs_1',
          type: 'file_search_call' as const,
          status: 'completed',
          queries: ['q'],
          results: null,
        };
        log.found(isFiled ? call : undefined);
        for (const part of parts) {
          const before = foreign.marks.length;
          const text = foreign.write(part, citations);
          const own = annotationsOf(foreign.marks.slice(before), isFiled);
          pieces.push([text.length, own.length]);
          all.push(...own);
          log.piece(text, own);
        }
        const content = [outputText(foreign.text, all)];
        const message = { id: 'msg_1', type: 'message' as const, role: 'assistant', status: 'completed', content };
        const output = [...(isFiled ? [call] : []), message];
        const response: ResponseObject = { ...begun, status: 'completed', completed_at: 2, output };
        events.push(log.end(response));
        expect(eventsOf({ response, pieces })).toEqual(events);
        expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));

        let said = '';
        const cited: Annotation[] = [];
        for (const event of events as (ResponseEvent & { delta?: string; annotation?: Annotation })[]) {
          said += event.delta ?? '';
          if (!event.annotation) continue;
          cited.push(event.annotation);
          if (event.annotation.type === 'url_citation')
            expect([...said].length).toBeGreaterThanOrEqual(Number(event.annotation['end_index']));
        }
        expect(said).toBe(foreign.text);
        expect(cited).toEqual(all);
        const points = [...said];
        const expected = parts.flatMap(({ marks }) => marks.map(({ citation }) => citation));
        const links = cited.filter(({ type }) => type === 'url_citation');
        for (const { title } of links) expect(title).toBe('T ![x] (http://h/p)');
        expect(links.map(({ url }) => url)).toEqual(expected.map((index) => `http://h/${index - 1}`));
        for (const [at, { start_index, end_index }] of links.entries()) {
          const shown = points.slice(Number(start_index), Number(end_index)).join('');
          expect(style === 'marks' ? shown : shown.slice(0, 6)).toBe(
            style === 'marks' ? `[${expected[at]}]` : `[[\u2060${expected[at]}]]`.slice(0, 6),
          );
        }
        const files = cited.filter(({ type }) => type === 'file_citation');
        expect(files).toEqual(
          isFiled
            ? links.map(({ start_index }, at) => ({
                ...{ type: 'file_citation', file_id: `file-doc_${(expected[at] ?? 0) - 1}`, filename: 't.md' },
                index: start_index,
              }))
            : [],
        );
      },
    ),
    { numRuns: 500 },
  );
});
