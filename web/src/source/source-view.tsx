// A quote where it stands: the page with its boxes, or the text with the quote highlighted; where neither can be shown, the quote and why.
import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../shared/address.ts';
import { failureOf, home, keyVersion } from '../shared/api.ts';
import { inOrder } from '../shared/text.ts';
import { filePath, loadDocument, type ShownDocument } from './load.ts';
import { PdfView } from './pdf-view.tsx';
import { TextView } from './text-view.tsx';

export interface SourceViewProps {
  readonly id: string;
  readonly span: { readonly start: number; readonly end: number };
  /** Where the quote is from, as the citation says it. */
  readonly place?: string;
  /** Shown where its document cannot be. */
  readonly quote?: string;
  /** The page of its own links to no other tab. */
  readonly alone?: true;
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export function SourceView({ id, span, place, quote, alone }: SourceViewProps) {
  const [shown, setShown] = useState<ShownDocument & { readonly version: number }>();
  const [failure, setFailure] = useState<string>();
  const [asText, setAsText] = useState(false);
  const [reason, setReason] = useState<string>();
  const version = keyVersion.value;

  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    setReason(undefined);
    setAsText(false);
    loadDocument(id).then(
      (document) => isCurrent && setShown({ ...document, version }),
      (error: unknown) => isCurrent && setFailure(`${failureOf(error).title}. ${failureOf(error).detail}`),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, span.start, span.end, version]);

  if (failure)
    return (
      <>
        <p class="notice">{inOrder(failure)}</p>
        {quote && <blockquote>{inOrder(quote)}</blockquote>}
      </>
    );
  if (shown?.id !== id || shown.version !== version) return <p class="place">Opening…</p>;
  const isPdf = shown.mime === 'application/pdf';
  return (
    <>
      <p class="place">
        <bdi>{inOrder([shown.source, shown.uri, place].filter(Boolean).join(' · '))}</bdi>
        {` · read ${day.format(new Date(shown.updatedAt))}`}
      </p>
      <div class="row">
        {isPdf && !reason && (
          <button type="button" aria-pressed={asText} onClick={() => setAsText(!asText)}>
            As text
          </button>
        )}
        {!alone && (
          <a
            id="own-tab"
            href={hrefOf({ page: 'document', id, start: span.start, end: span.end })}
            target="_blank"
            rel="noopener opener"
          >
            Own tab
          </a>
        )}
        <a href={new URL(filePath(id), home).href} target="_blank" rel="noopener opener">
          Original file
        </a>
      </div>
      {reason && <p class="notice">{inOrder(`${reason} The text is shown instead.`)}</p>}
      {isPdf && !asText && !reason ? (
        <PdfView document={shown} span={span} onFailed={setReason} />
      ) : (
        <TextView document={shown} span={span} />
      )}
    </>
  );
}
