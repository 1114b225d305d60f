// A page of a PDF with the quote boxed. pdf.js draws the page; boxes and the text that can be selected come from the record, so that they cannot disagree.
// The page is as wide as there is room, or larger. Without a box for the quote, or with a file that cannot be drawn, `onFailed` is given the error and nothing is marked.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Span } from '../shared/marks.ts';
import { inPlace } from '../shared/text.ts';
import { Stepper } from '../shell/stepper.tsx';
import { type Box, type Boxes, boxesOfSpan, type PageSize, wordsOfPage } from './boxes.ts';
import { filePath, loadText, type ShownDocument } from './load.ts';

interface PdfViewProps {
  readonly document: ShownDocument;
  readonly span: Span;
  /** Parts of the span that stand out; none: all of it does. */
  readonly words: readonly Span[];
  onFailed(error: unknown): void;
}

/** A box of the words, or of the passage around them. */
interface Quoted extends Box {
  readonly isAround: boolean;
}

/** Widths of the page, as shares of the room that there is for it. What somebody chose is kept from one source to the next. */
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const chosen = signal<number | undefined>(undefined);
const shares = new Intl.NumberFormat(undefined, { style: 'percent' });

export function PdfView({ document: { id }, span, words, onFailed }: PdfViewProps) {
  const [quoted, setQuoted] = useState<readonly Quoted[]>([]);
  const [number, setNumber] = useState<number>();
  const [count, setCount] = useState<number>();
  const [readable, setReadable] = useState(1);
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let isCurrent = true;
    const spans = span.end > span.start ? [span, ...words] : [];
    Promise.all(spans.map((one) => boxesOfSpan(id, one))).then(
      (found) => {
        if (!isCurrent) return;
        const boxes = found.flatMap((one, at) =>
          one.boxes.map((box) => ({ ...box, isAround: at === 0 && found.length > 1 })),
        );
        setQuoted(boxes);
        const [page = 1] = pagesOf(boxes);
        const size = found[0]?.pages.find((one) => one.number === page);
        if (size) setReadable(readableShare(boxes, size, frame.current?.clientWidth ?? 0));
        setNumber(page);
      },
      (error: unknown) => isCurrent && onFailed(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, span.start, span.end, JSON.stringify(words)]);

  const share = chosen.value ?? readable;
  const others = pagesOf(quoted).filter((one) => one !== number);
  return (
    <div ref={frame} class="pdf">
      {number === undefined ? (
        <p class="place">Opening…</p>
      ) : (
        <>
          <div class="row">
            <Stepper name="page" at={number} count={count} onStep={setNumber} />
            <Zoom share={share} />
            {others.map((other) => (
              <button key={other} type="button" class="link" onClick={() => setNumber(other)}>
                {`Quoted on page ${other} too`}
              </button>
            ))}
          </div>
          <PageView
            key={`${id} ${number}`}
            id={id}
            number={number}
            share={share}
            quoted={quoted.filter((box) => box.page === number)}
            onCount={setCount}
            onFailed={onFailed}
          />
        </>
      )}
    </div>
  );
}

/** The pages that the words stand on, the one with most of them first: a quote may begin with the last line of another page. */
function pagesOf(quoted: readonly Quoted[]): number[] {
  const lengths = new Map<number, number>();
  for (const { page, start, end, isAround } of quoted)
    if (!isAround) lengths.set(page, (lengths.get(page) ?? 0) + end - start);
  return [...lengths].sort(([, one], [, other]) => other - one).map(([page]) => page);
}

/** Pixels that lines must be high to be read. */
const readableHeight = 9;

/** The width of the page at which its quoted lines can be read, where the room for it is narrow. */
function readableShare(quoted: readonly Quoted[], page: PageSize, room: number): number {
  const heights = quoted.filter((box) => box.page === page.number && !box.isAround).map(({ height }) => height);
  const line = heights.sort((one, other) => one - other)[heights.length >> 1];
  if (line === undefined || room === 0) return 1;
  const inPixels = (line / page.width) * room;
  return zooms.find((one) => one >= 1 && (one === 2 || one * inPixels >= readableHeight)) ?? 1;
}

function Zoom({ share }: { readonly share: number }) {
  const at = zooms.indexOf(share);
  const to = (place: number) => () => (chosen.value = zooms[place] ?? share);
  return (
    <span class="zoom">
      <button type="button" id="zoom-out" aria-label="Zoom out" aria-disabled={at === 0} onClick={to(at - 1)}>
        −
      </button>
      <button type="button" id="zoom-fit" title="Fit the width" onClick={to(zooms.indexOf(1))}>
        <span class="unseen">Fit the width: now </span>
        {shares.format(share)}
      </button>
      <button
        type="button"
        id="zoom-in"
        aria-label="Zoom in"
        aria-disabled={at === zooms.length - 1}
        onClick={to(at + 1)}
      >
        +
      </button>
    </span>
  );
}

interface PageViewProps {
  readonly id: string;
  readonly number: number;
  readonly share: number;
  readonly quoted: readonly Quoted[];
  onCount(pages: number): void;
  onFailed(error: unknown): void;
}

function PageView({ id, number, share, quoted, onCount, onFailed }: PageViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState<Boxes>();
  const [text, setText] = useState<{ readonly text: string; readonly start: number }>();
  const [isDrawn, setDrawn] = useState(false);
  const page = words?.pages[0];

  useLayoutEffect(() => {
    if (frame.current) frame.current.style.width = `${share * 100}%`;
  }, [share]);
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    setDrawn(false);
    drawPage({ id, number, signal }, { canvas, frame }).then(
      (pages) => {
        if (signal.aborted) return;
        onCount(pages);
        setDrawn(true);
      },
      (error: unknown) => signal.aborted || onFailed(error),
    );
    return () => stopped.abort();
  }, [id, number, share]);
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
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
    const box = frame.current?.querySelector('.box:not(.around)');
    if (isReady && box) bringInSight(box);
  }, [JSON.stringify(quoted), isReady]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard.
    <div class="pages" tabIndex={0}>
      <div ref={frame} class="page" data-drawn={isReady} aria-busy={!isReady}>
        <canvas ref={canvas} role="img" aria-label={`Page ${page?.label ?? number} as it looks`} />
        {page &&
          quoted.map((box) => (
            <div
              key={`${box.start} ${box.isAround}`}
              class={box.isAround ? 'box around' : 'box'}
              data-start={box.start}
              data-end={box.end}
              ref={placed(box, page)}
            />
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
    </div>
  );
}

/** Beside an answer the page scrolls by itself, below what leads through it: then nothing else moves. */
function bringInSight(box: Element): void {
  const pane = box.closest('.pages');
  if (!pane || pane.scrollHeight <= pane.clientHeight) {
    box.scrollIntoView({ block: 'center', inline: 'nearest' });
    return;
  }
  const [of, at] = [pane.getBoundingClientRect(), box.getBoundingClientRect()];
  pane.scrollTop += at.top - of.top - pane.clientHeight / 3;
  if (at.left < of.left || at.right > of.left + pane.clientWidth) pane.scrollLeft += at.left - of.left - 16;
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
