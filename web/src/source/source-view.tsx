// A quote where it stands: the page with its boxes, or the text with the quote highlighted; where neither can be shown, the quote and why.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { tell } from '../ask/session.ts';
import { hrefOf, ownTab } from '../shared/address.ts';
import { failureOf, home, keyVersion, Problem } from '../shared/api.ts';
import { dayText } from '../shared/instants.ts';
import type { Span } from '../shared/marks.ts';
import { inOrder } from '../shared/text.ts';
import { filePath, loadDocument, loadText, type ShownDocument } from './load.ts';
import { PdfView } from './pdf-view.tsx';
import { TextView } from './text-view.tsx';

export interface SourceViewProps {
  readonly id: string;
  readonly span: Span;
  /** Parts of the span that stand out; none: all of it does. */
  readonly words?: readonly Span[] | undefined;
  /** Where the quote is from, as the citation says it. */
  readonly place?: string;
  /** The words, for readers of the screen and where the document cannot be shown; without them they are loaded. */
  readonly quote?: string;
  /** The page of its own links to no other tab. */
  readonly alone?: true;
  /** What else can be done with it, beside what this offers. */
  readonly tools?: ComponentChildren;
}

/** The record has no place on a page for the words: to ask again helps nothing. */
const isUnplaced = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'unsupported' || error.code === 'invalid-request');

function reasonOf(error: unknown): string {
  if (isUnplaced(error)) return 'It is not recorded where these words stand on a page.';
  if (error instanceof Problem) return `${error.title}. ${error.message}`;
  return 'The page cannot be drawn.';
}

/** Characters of a span that readers of the screen are given at once. */
const longestSpoken = 20_000;

export function SourceView({ id, span, words: marked = [], place, quote, alone, tools }: SourceViewProps) {
  const [shown, setShown] = useState<ShownDocument & { readonly version: number }>();
  const [failure, setFailure] = useState<string>();
  const [asText, setAsText] = useState(false);
  const [undrawn, setUndrawn] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const [loaded, setLoaded] = useState<string>();
  const version = keyVersion.value;

  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    setUndrawn(undefined);
    setAsText(false);
    loadDocument(id).then(
      (document) => isCurrent && setShown({ ...document, version }),
      (error: unknown) => {
        if (!isCurrent) return;
        const { title, detail } = failureOf(error);
        setFailure(`${title}. ${detail}`);
        tell(`${title}. ${detail}`);
      },
    );
    setLoaded(undefined);
    if (quote === undefined && span.end > span.start)
      loadText(id, { start: span.start, end: Math.min(span.end, span.start + longestSpoken) }).then(
        ({ text }) => isCurrent && setLoaded(text),
        // The view of the text says what failed.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [id, span.start, span.end, version, tries]);

  const again = (
    <button type="button" onClick={() => setTries(tries + 1)}>
      Try again
    </button>
  );
  if (failure)
    return (
      <>
        {tools && <div class="row">{tools}</div>}
        <p class="notice">
          {inOrder(failure)} {again}
        </p>
        {quote && (
          <blockquote id="quote" dir="auto">
            {inOrder(quote)}
          </blockquote>
        )}
      </>
    );
  const words = quote ?? loaded;
  const spokenQuote = words && (
    <blockquote id="quote" class="unseen" dir="auto">
      {inOrder(words)}
    </blockquote>
  );
  if (shown?.id !== id || shown.version !== version)
    return (
      <>
        {spokenQuote}
        {tools && <div class="row">{tools}</div>}
        <p class="place">Opening…</p>
      </>
    );
  const reason = undrawn === undefined ? undefined : reasonOf(undrawn);
  const isPdf = shown.mime === 'application/pdf';
  return (
    <>
      {spokenQuote}
      <p class="place">
        <bdi>{inOrder([shown.source, shown.uri, place].filter(Boolean).join(' · '))}</bdi>
        {` · read ${dayText(shown.updatedAt)}`}
      </p>
      <div class="row">
        {tools}
        {isPdf && !reason && (
          <button type="button" aria-pressed={asText} onClick={() => setAsText(!asText)}>
            As text
          </button>
        )}
        {!alone && (
          <a
            id="own-tab"
            href={hrefOf({ page: 'document', id, start: span.start, end: span.end, words: marked })}
            {...ownTab}
          >
            Own tab
          </a>
        )}
        <a href={new URL(filePath(id), home).href} {...ownTab}>
          Original file
        </a>
      </div>
      {reason && (
        <p class="notice">
          {inOrder(`${reason} The text is shown instead.`)} {!isUnplaced(undrawn) && again}
        </p>
      )}
      {isPdf && !asText && !reason ? (
        <PdfView document={shown} span={span} words={marked} onFailed={setUndrawn} />
      ) : (
        <TextView document={shown} span={span} words={marked} />
      )}
    </>
  );
}
