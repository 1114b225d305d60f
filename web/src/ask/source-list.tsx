// The sources of an answer, each with its title, its place, and the words that are cited.
import { placeOf } from '../shared/markdown.ts';
import { cut, inOrder } from '../shared/text.ts';
import { flowing } from '../shared/unwrapped.ts';
import { type CitedProps, MarkButton } from './marked.tsx';
import { openCitation } from './session.ts';

export function SourceList({ answerId, citations }: CitedProps) {
  return (
    <ol class="citations" aria-label="Sources">
      {citations.map((citation) => (
        <li key={citation.index} data-index={citation.index}>
          <MarkButton answerId={answerId} citations={citations} index={citation.index} />{' '}
          <button
            type="button"
            class="link"
            onClick={() => answerId !== undefined && openCitation(answerId, citation.index)}
          >
            <bdi>{inOrder(citation.title || citation.uri)}</bdi>
          </button>
          <span class="place">
            {' '}
            <bdi>{inOrder([citation.source, citation.uri, placeOf(citation)].filter(Boolean).join(' · '))}</bdi>
          </span>
          <blockquote>
            <q dir="auto">{inOrder(cut(flowing(citation.quote, [citation]), 240))}</q>
          </blockquote>
        </li>
      ))}
    </ol>
  );
}
