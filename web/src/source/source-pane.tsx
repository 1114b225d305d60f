// The pane beside an answer that shows the source of one citation, and leads to the one before and after it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt, closeCitation, openCitation, opened, tell } from '../ask/session.ts';
import { call } from '../shared/api.ts';
import type { Citation } from '../shared/contract.ts';
import { placeOf } from '../shared/markdown.ts';
import { inOrder } from '../shared/text.ts';
import { Stepper } from '../shell/stepper.tsx';
import { SourceView } from './source-view.tsx';

/** Begins the ids of files that came with a question and are kept nowhere. */
const passingPrefix = 'wsp_';

/** What is no document of a source stands in another record, which has no page yet, or in none. */
const isDocument = ({ documentId, memoryId, conversationId, turnId }: Citation): boolean =>
  !documentId.startsWith(passingPrefix) &&
  memoryId === undefined &&
  conversationId === undefined &&
  turnId === undefined;

export function SourcePane() {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = opened.value;
  const key = shown && `${shown.answerId} ${shown.citation.index}`;
  useEffect(() => {
    heading.current?.focus();
    // The answer makes room for its source: its mark stays in sight.
    document.querySelector('.mark[aria-expanded="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [key]);
  if (!shown) return null;
  const { answerId, citation, citations, words } = shown;
  const at = citations.indexOf(citation);
  const show = (place: number): void => {
    const other = citations[place - 1];
    if (other) openCitation(answerId, other.index, 'replace');
  };
  const tools = (
    <>
      {citations.length > 1 && <Stepper name="source" at={at + 1} count={citations.length} onStep={show} />}
      <Wrong key={key} answerId={answerId} index={citation.index} />
    </>
  );
  return (
    <aside id="source" aria-labelledby="source-title">
      <div class="source-head">
        <h2 id="source-title" ref={heading} tabIndex={-1} aria-describedby="quote">
          {`${citation.index}. `}
          <bdi>{inOrder(citation.title || citation.uri)}</bdi>
        </h2>
        <button type="button" aria-label="Close the source" onClick={closeCitation}>
          ✕
        </button>
      </div>
      {citation.alsoIn.length > 0 && (
        <p class="place">{inOrder(`Also in ${citation.alsoIn.map(({ source }) => source).join(', ')}`)}</p>
      )}
      {isDocument(citation) ? (
        <SourceView
          id={citation.documentId}
          span={citation}
          words={words}
          place={placeOf(citation)}
          quote={citation.quote}
          tools={tools}
        />
      ) : (
        <>
          <div class="row">{tools}</div>
          <p class="place">{inOrder([citation.source, placeOf(citation)].filter(Boolean).join(' · '))}</p>
          <blockquote id="quote" dir="auto">
            {inOrder(citation.quote)}
          </blockquote>
        </>
      )}
    </aside>
  );
}

function Wrong({ answerId, index }: { readonly answerId: string; readonly index: number }) {
  const [isSaid, setSaid] = useState(false);
  const say = async (): Promise<void> => {
    await call(`v1/answers/${encodeURIComponent(answerId)}/feedback`, { body: { rating: 'down', citation: index } });
    setSaid(true);
    tell('It is noted that this citation is wrong.');
  };
  return (
    <button type="button" aria-pressed={isSaid} onClick={() => attempt(say())}>
      {isSaid ? 'Noted as wrong' : 'This citation is wrong'}
    </button>
  );
}
