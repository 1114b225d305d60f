// What Open WebUI shows as sources, each with its quote; of an annotation it shows the title alone. Invariant: it draws quotes as Markdown, so nothing of a
// document is loaded from elsewhere there, nor leads there.
import type { Citation } from '../../core/answer.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import { defined } from '../../core/values/defined.ts';
import type { ChatAnswer } from '../foreign/chat-answer.ts';

/** By `source` of the metadata it tells sources apart: an address there would stand in the place of the title. Its pages begin at 0. */
const sourceEvent = ({ title: name, url, quote, page, documentId, start, end }: Citation) => ({
  type: 'source',
  data: {
    source: { name, url },
    document: [toInert(quote)],
    metadata: [defined({ source: `${documentId}:${start}-${end}`, name, page: page === undefined ? page : page - 1 })],
  },
});

/** Its n-th source is what it opens at `[n]`, so none is left out before the last that the text has. */
export const sourceEventsOf = ({ answer, marks }: Pick<ChatAnswer, 'answer' | 'marks'>) => {
  const last = Math.max(0, ...marks.map(({ citation }) => citation));
  return answer.citations.filter(({ index }) => index <= last).map(sourceEvent);
};
