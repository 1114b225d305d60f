// A page of a PDF with the quote boxed. pdf.js draws the page; boxes and the text that can be selected come from the record, so that they cannot disagree.
// Without a box for the quote, or with a file that cannot be drawn, `onFailed` is given the error and nothing is marked.
import { useEffect, useRef, useState } from 'preact/hooks';
import { inPlace } from '../shared/text.ts';
import { type Box, type Boxes, boxesOfSpan, type PageSize, wordsOfPage } from './boxes.ts';
import { filePath, loadText, type ShownDocument } from './load.ts';

interface PdfViewProps {
  readonly document: ShownDocument;
  readonly span: { readonly start: number; readonly end: number };
  onFailed(error: unknown): void;
}

export function PdfView({ document: { id }, span, onFailed }: PdfViewProps) {
  const [quoted, setQuoted] = useState<readonly Box[]>([]);
  const [number, setNumber] = useState<number>();
  const [count, setCount] = useState<number>();

  useEffect(() => {
    let isCurrent = true;
    const load = span.end > span.start ? boxesOfSpan(id, span) : Promise.resolve({ boxes: [] as Box[] });
    load.then(
      ({ boxes }) => {
        if (!isCurrent) return;
        setQuoted(boxes);
        setNumber(boxes[0]?.page ?? 1);
      },
      (error: unknown) => isCurrent && onFailed(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, span.start, span.end]);

  if (number === undefined) return <p class="place">Opening…</p>;
  const isLast = count === undefined || number >= count;
  // What has focus is not disabled, or focus would be lost at the first and the last page.
  const turn = (by: number, isEnd: boolean) => () => isEnd || setNumber(number + by);
  return (
    <>
      <div class="row">
        <button type="button" aria-disabled={number <= 1} onClick={turn(-1, number <= 1)}>
          Previous page
        </button>
        <span>{count === undefined ? `Page ${number}` : `Page ${number} of ${count}`}</span>
        <button type="button" aria-disabled={isLast} onClick={turn(1, isLast)}>
          Next page
        </button>
      </div>
      <PageView
        key={`${id} ${number}`}
        id={id}
        number={number}
        quoted={quoted.filter((box) => box.page === number)}
        onCount={setCount}
        onFailed={onFailed}
      />
    </>
  );
}

interface PageViewProps {
  readonly id: string;
  readonly number: number;
  readonly quoted: readonly Box[];
  onCount(pages: number): void;
  onFailed(error: unknown): void;
}

function PageView({ id, number, quoted, onCount, onFailed }: PageViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState<Boxes>();
  const [text, setText] = useState<{ readonly text: string; readonly start: number }>();
  const [isDrawn, setDrawn] = useState(false);
  const page = words?.pages[0];

  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    drawPage({ id, number, signal }, { canvas, frame }).then(
      (pages) => {
        if (signal.aborted) return;
        onCount(pages);
        setDrawn(true);
      },
      (error: unknown) => signal.aborted || onFailed(error),
    );
    loadWords(id, number).then(
      (loaded) => {
        if (signal.aborted) return;
        setWords(loaded.words);
        setText(loaded.part);
      },
      (error: unknown) => signal.aborted || onFailed(error),
    );
    return () => stopped.abort();
  }, [id, number]);

  const isReady = isDrawn && page !== undefined;
  useEffect(() => {
    if (isReady) frame.current?.querySelector('.box')?.scrollIntoView({ block: 'center' });
  }, [quoted[0]?.start, isReady]);

  return (
    <div ref={frame} class="page" data-drawn={isReady} aria-busy={!isReady}>
      <canvas ref={canvas} role="img" aria-label={`Page ${page?.label ?? number} as it looks`} />
      {page &&
        quoted.map((box) => (
          <div key={box.start} class="box" data-start={box.start} data-end={box.end} ref={placed(box, page)} />
        ))}
      {page && text && (
        <div class="words" dir="auto">
          {words?.boxes.map((word) => (
            <span key={word.start} ref={placed(word, page)}>
              {`${inPlace(text.text.slice(word.start - text.start, word.end - text.start))} `}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

interface Drawn {
  readonly id: string;
  readonly number: number;
  readonly signal: AbortSignal;
}
interface Ground {
  readonly canvas: { readonly current: HTMLCanvasElement | null };
  readonly frame: { readonly current: HTMLElement | null };
}

/** How many pages the file has, when this one is drawn. */
async function drawPage({ id, number, signal }: Drawn, { canvas, frame }: Ground): Promise<number> {
  const { drawPdf } = await import('./pdf-file.ts');
  if (!canvas.current || !frame.current) return 0;
  const on = { canvas: canvas.current, width: frame.current.clientWidth };
  return drawPdf(filePath(id), number, { ...on, signal });
}

async function loadWords(id: string, number: number) {
  const words = await wordsOfPage(id, number);
  const start = Math.min(...words.boxes.map((word) => word.start));
  const end = Math.max(...words.boxes.map((word) => word.end));
  return { words, part: words.boxes.length > 0 ? await loadText(id, { start, end }) : undefined };
}

/** Places by script: the policy allows no style in the page's own markup. */
const placed =
  (box: Box, page: PageSize) =>
  (element: HTMLElement | null): void => {
    if (!element) return;
    const percent = (share: number): string => `${share * 100}%`;
    element.style.left = percent(box.x / page.width);
    element.style.top = percent(box.y / page.height);
    element.style.width = percent(box.width / page.width);
    element.style.height = percent(box.height / page.height);
    element.style.fontSize = `${(box.height / page.width) * 80}cqw`;
  };
