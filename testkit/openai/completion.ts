// What is wrong with a completion of a chat, told without the code that makes it: its answer is one of ours, each annotation stands at a mark and leads to the
// citation of that mark, and what a reader of marks finds in the text are the marks of the answer.

import { fromMarkdown, gfm, gfmFromMarkdown } from '../../packages/readers/testkit/libraries.ts';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import { faultsOfMarks } from '../marks.ts';

export type ToldAnswer = Answer & {
  readonly contentMarks: readonly { readonly start: number; readonly end: number; readonly citation: number }[];
};

export interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly refusal: string | null;
      readonly annotations?: readonly {
        readonly url_citation: {
          readonly url: string;
          readonly title: string;
          readonly start_index: number;
          readonly end_index: number;
        };
      }[];
    };
  }[];
  readonly citations: readonly string[];
  readonly search_results: readonly { readonly url: string; readonly snippet: string }[];
  readonly footnote?: ToldAnswer;
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Node[];
}
const nodesOf = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)];

/** The links of a text of Markdown, as remark-gfm sees them. */
export const linksIn = (text: string): readonly string[] =>
  nodesOf(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node).flatMap(
    ({ type, url = '' }) => (type === 'link' || type === 'image' ? [url] : []),
  );

/** Numbers in brackets, as front ends make marks of them. */
export const bracketsIn = (text: string): readonly number[] =>
  [...text.matchAll(/[[【［]\s*\^?(\d+)(?:\s*,\s*\d+)*\s*[\]】］]/gu)].map(({ 1: number }) => Number(number));

/** `hasLinks`: the text is Markdown whose links are the marks. */
export function faultsOfCompletion(completion: Completion, hasLinks = false): string[] {
  const { choices, citations, search_results, footnote } = completion;
  const message = choices[0]?.message;
  if (!footnote || !message) return ['there is no answer'];
  const { contentMarks, ...answer } = footnote;
  const faults = answerSchema.safeParse(answer).success ? faultsOfMarks(answer) : ['its answer is none of ours'];
  const { content, annotations = [], refusal } = message;
  const text = content ?? '';
  const points = [...text];
  if (refusal !== null) faults.push('it refuses');
  const expected = answer.abstained ? [] : (answer.marks ?? []).map(({ citation }) => citation);
  const told = contentMarks.map(({ citation }) => citation);
  if (JSON.stringify(told.slice(0, expected.length)) !== JSON.stringify(expected.slice(0, told.length)))
    faults.push(`marks ${told.join()} are not ${expected.join()}`);
  if (annotations.length !== contentMarks.length)
    faults.push(`${annotations.length} annotations, ${contentMarks.length} marks`);
  for (const [at, { start, end, citation }] of contentMarks.entries()) {
    const { url, title, quote } = answer.citations[citation - 1] ?? {};
    const shown = text.slice(start, end);
    const annotated = annotations[at]?.url_citation;
    if (!(hasLinks ? shown.startsWith(`[[\u2060${citation}]](`) : shown === `[${citation}]`))
      faults.push(`${shown} is no mark`);
    if (points.slice(annotated?.start_index, annotated?.end_index).join('') !== shown)
      faults.push(`annotation ${at} stands elsewhere`);
    // A title that a program would draw as a picture has a space where that breaks it.
    const isTitled =
      annotated?.title.replaceAll(' ', '') === title?.replaceAll(' ', '') && !/\]\(\w+:/u.test(annotated?.title ?? '');
    if (annotated?.url !== url || !isTitled || citations[citation - 1] !== url)
      faults.push(`annotation ${at} leads elsewhere`);
    if (search_results[citation - 1]?.snippet !== quote) faults.push(`result ${citation} quotes something else`);
  }
  // Open WebUI makes a source of each address that is new, and opens the n-th at `[n]`.
  const addresses = [...new Set(annotations.map(({ url_citation: { url } }) => url))];
  if (JSON.stringify(addresses) !== JSON.stringify(citations.slice(0, addresses.length)))
    faults.push(`sources stand in the order ${addresses.map((url) => citations.indexOf(url) + 1).join()}`);
  const seen = hasLinks ? linksIn(text).map((url) => citations.indexOf(url) + 1) : bracketsIn(text);
  if (JSON.stringify(seen) !== JSON.stringify(told)) faults.push(`a reader sees ${seen.join()} for ${told.join()}`);
  return faults;
}

interface Part {
  readonly text: string;
  readonly annotations: readonly ({
    readonly type: string;
    readonly file_id?: string;
    readonly index?: number;
  } & NonNullable<Completion['choices'][number]['message']['annotations']>[number]['url_citation'])[];
}
export interface ToldResponse {
  readonly output: readonly object[];
  readonly footnote?: ToldAnswer;
}

/** The same of a response; of its citations of files, that each stands at the mark of the annotation before it and names the document of that. */
export function faultsOfResponse({ output, footnote }: ToldResponse, hasLinks = false): string[] {
  const [part] = (output.at(-1) as { content?: readonly Part[] } | undefined)?.content ?? [];
  if (!footnote || !part) return ['there is no answer'];
  const { citations } = footnote;
  const annotations = part.annotations.flatMap((one) => (one.type === 'url_citation' ? [{ url_citation: one }] : []));
  const faults = part.annotations.flatMap(({ type, file_id, index }, at) => {
    if (type === 'url_citation') return [];
    const { url, start_index } = part.annotations[at - 1] ?? {};
    const isRight =
      start_index === index && citations.some((one) => one.url === url && file_id === `file-${one.documentId}`);
    return isRight ? [] : [`file ${file_id} is cited elsewhere`];
  });
  const completion = {
    choices: [{ message: { content: part.text, refusal: null, annotations } }],
    citations: citations.map(({ url }) => url),
    search_results: citations.map(({ url, quote }) => ({ url, snippet: quote })),
    footnote,
  };
  return [...faults, ...faultsOfCompletion(completion, hasLinks)];
}

export interface ToldMessage {
  readonly content: readonly {
    readonly text: string;
    readonly citations:
      | readonly {
          readonly type: string;
          readonly cited_text: string;
          readonly document_index: number;
          readonly start_char_index: number;
          readonly end_char_index: number;
          readonly url: string;
        }[]
      | null;
  }[];
  readonly footnote?: ToldAnswer;
}

/** The same of a message of Anthropic's: each mark of a block has its citation there, in their order, and the same index is the same document. */
export function faultsOfMessage({ content, footnote }: ToldMessage, hasLinks = false): string[] {
  if (!footnote) return ['there is no answer'];
  const { citations, contentMarks } = footnote;
  const text = content.map((block) => block.text).join('');
  const points = (end: number): number => [...text.slice(0, end)].length;
  const annotations = contentMarks.map(({ start, end, citation }) => ({
    url_citation: {
      ...{ url: citations[citation - 1]?.url ?? '', title: citations[citation - 1]?.title ?? '' },
      ...{ start_index: points(start), end_index: points(end) },
    },
  }));
  const indexes = new Map<string, number>();
  let from = 0;
  const faults = content.flatMap((block, at) => {
    const to = from + block.text.length;
    const expected = contentMarks.flatMap(({ start, citation }) => {
      const cited = citations[citation - 1];
      if (start < from || start >= to || !cited) return [];
      const document_index = indexes.get(cited.documentId) ?? indexes.size;
      indexes.set(cited.documentId, document_index);
      const { quote: cited_text, start: start_char_index, end: end_char_index, url } = cited;
      return [{ type: 'char_location', cited_text, document_index, start_char_index, end_char_index, url }];
    });
    from = to;
    const told = (block.citations ?? []).map(
      ({ type, cited_text, document_index, start_char_index, end_char_index, url }) => ({
        ...{ type, cited_text, document_index, start_char_index, end_char_index, url },
      }),
    );
    return JSON.stringify(told) === JSON.stringify(expected) ? [] : [`block ${at} cites something else`];
  });
  const completion = {
    choices: [{ message: { content: text, refusal: null, annotations } }],
    citations: citations.map(({ url }) => url),
    search_results: citations.map(({ url, quote }) => ({ url, snippet: quote })),
    footnote,
  };
  return [...faults, ...faultsOfCompletion(completion, hasLinks)];
}
