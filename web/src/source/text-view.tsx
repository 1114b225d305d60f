// The canonical text around a quote. It is one text node, and the quote a range of it that the browser paints (CSS Custom Highlight API): offsets are
// UTF-16 on both sides, so that the range is the quote by construction.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { tell } from '../ask/session.ts';
import { failureOf } from '../shared/api.ts';
import type { Span } from '../shared/marks.ts';
import { inOrder, inPlace } from '../shared/text.ts';
import { loadText, partAround, partLength, type ShownDocument, type TextPart } from './load.ts';

interface TextViewProps {
  readonly document: ShownDocument;
  readonly span: Span;
  /** Parts of the span that stand out; none: all of it does. */
  readonly words: readonly Span[];
}

export function TextView({ document: shown, span, words }: TextViewProps) {
  const [part, setPart] = useState<TextPart>();
  const [from, setFrom] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const [tries, setTries] = useState(0);
  const text = useRef<HTMLPreElement>(null);
  const { id, textLength } = shown;
  const isProse = !shown.citeByLine || /^text\/(?:plain|markdown)/.test(shown.mime);

  useEffect(() => setFrom(undefined), [id, span.start, span.end]);
  useEffect(() => {
    let isCurrent = true;
    const range =
      from === undefined ? partAround(span, textLength) : { start: from, end: Math.min(textLength, from + partLength) };
    setFailure(undefined);
    loadText(id, range).then(
      (loaded) => isCurrent && setPart(loaded),
      (error: unknown) => {
        if (!isCurrent) return;
        const { title, detail } = failureOf(error);
        setFailure(`${title}. ${detail}`);
        tell(`${title}. ${detail}`);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id, span.start, span.end, from, textLength, tries]);

  useLayoutEffect(() => {
    const node = text.current?.firstChild;
    if (!node || !part || span.end <= span.start || span.start < part.start || span.end > part.end) return undefined;
    const rangeOf = ({ start, end }: Span): Range => {
      const range = new Range();
      range.setStart(node, start - part.start);
      range.setEnd(node, end - part.start);
      return range;
    };
    const around = rangeOf(span);
    const [first = around, ...others] = words.map(rangeOf);
    if (first !== around) CSS.highlights.set('around', new Highlight(around));
    // Behind what is around: of two the browser paints the later one above.
    CSS.highlights.set('quote', new Highlight(first, ...others));
    const pane = text.current;
    if (pane)
      pane.scrollTop += first.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
    return () => {
      for (const name of ['quote', 'around']) CSS.highlights.delete(name);
    };
  }, [part, span.start, span.end, JSON.stringify(words)]);

  if (failure)
    return (
      <p class="notice">
        {inOrder(failure)}{' '}
        <button type="button" onClick={() => setTries(tries + 1)}>
          Try again
        </button>
      </p>
    );
  if (!part) return <p class="place">Opening…</p>;
  return (
    <>
      {part.start > 0 && (
        <button type="button" onClick={() => setFrom(Math.max(0, part.start - partLength))}>
          Earlier part
        </button>
      )}
      <pre
        ref={text}
        class={isProse ? 'source-text' : 'source-text lines'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard.
        tabIndex={0}
        dir="auto"
        lang={shown.language}
      >
        {inPlace(part.text)}
      </pre>
      {part.end < textLength && (
        <button type="button" onClick={() => setFrom(part.end)}>
          Later part
        </button>
      )}
    </>
  );
}
