// A part of an answer in which each mark is a button that opens what it rests on. Text is set as text alone.

import type { Citation, Mark } from '../shared/contract.ts';
import { placeOf } from '../shared/markdown.ts';
import { type Span, segmentsOf } from '../shared/marks.ts';
import { cut, inOrder } from '../shared/text.ts';
import { flowing } from '../shared/unwrapped.ts';
import { openCitation, opened } from './session.ts';

export interface CitedProps {
  /** Absent while the answer is streamed: marks open as soon as it is whole. */
  readonly answerId: string | undefined;
  readonly citations: readonly Citation[];
}

export function MarkButton({ answerId, citations, index }: CitedProps & { readonly index: number }) {
  const citation = citations.find((one) => one.index === index);
  if (!citation) return <>{`[${index}]`}</>;
  const isOpen = opened.value?.answerId === answerId && opened.value?.citation.index === index;
  const place = placeOf(citation);
  return (
    <button
      type="button"
      class="mark"
      data-citation={index}
      aria-label={`Source ${index}: ${inOrder(citation.title || citation.uri)}${place && `, ${inOrder(place)}`}`}
      aria-expanded={isOpen}
      aria-controls="source"
      title={inOrder(cut(citation.quote, 300))}
      disabled={answerId === undefined}
      onClick={() => answerId !== undefined && openCitation(answerId, index)}
    >
      {`[${index}]`}
    </button>
  );
}

export interface MarkedProps extends CitedProps {
  readonly text: string;
  readonly span: Span;
  readonly marks: readonly Mark[];
  readonly highlights?: readonly Span[];
  /** The citations that it rests on; absent: those of its marks. */
  readonly rests?: readonly number[];
}

export function Marked({ text, span, marks, highlights = [], rests, ...cited }: MarkedProps) {
  const own =
    rests ?? marks.flatMap(({ start, citation }) => (start >= span.start && start < span.end ? citation : []));
  const part = flowing(
    text.slice(span.start, span.end),
    cited.citations.filter(({ index }) => own.includes(index)),
  );
  const whole = text.slice(0, span.start) + part + text.slice(span.end);
  return (
    <>
      {segmentsOf(whole, span, { marks, highlights }).map((segment, at) => {
        if (segment.citation !== undefined) return <MarkButton key={at} index={segment.citation} {...cited} />;
        const shown = inOrder(segment.text);
        return segment.highlighted ? <mark key={at}>{shown}</mark> : shown;
      })}
    </>
  );
}
