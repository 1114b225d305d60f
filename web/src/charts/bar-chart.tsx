// Bars over time, with the same figures as a table. A part of them can be chosen with the pointer; whoever uses none has fields beside the chart for it.
import './charts.css';
import { useMemo, useRef, useState } from 'preact/hooks';
import { type Bar, barAt, type DrawnBar, drawnBars, summaryOf } from './bars.ts';
import { Figures } from './figures.tsx';

/** A line beneath the bars, over those from `first` to `last`. */
export interface Band {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

interface BarChartProps {
  /** What the bars count, such as `Hits`. */
  readonly name: string;
  readonly bars: readonly Bar[];
  /** Values are shares of it; absent: the highest is that which is. */
  readonly top?: number;
  /** What marked bars are called. */
  readonly markedAs?: string;
  readonly bands?: readonly Band[];
  write?(value: number): string;
  onChoose?(first: number, last: number): void;
}

const barWidth = 10;
const barsHeight = 100;
const bandHeight = 9;
/** They are not drawn over the whole width. */
const fewBars = 6;
const numbers = new Intl.NumberFormat();

export function BarChart(props: BarChartProps) {
  const { name, bars, top, markedAs = 'peak', bands = [], write = (value) => numbers.format(value), onChoose } = props;
  // Whoever drags over bars has them drawn anew with each move, but for what stays as it is.
  const drawn = useMemo(() => drawnBars(bars, { areShares: top !== undefined }), [bars, top]);
  const summary = useMemo(() => summaryOf(name, bars, write), [bars]);
  const highest = Math.max(1e-9, ...drawn.map(({ value = 0 }) => value));
  const written = (value: number | undefined): string => (value === undefined ? '–' : write(value));
  const picture = useRef<SVGSVGElement>(null);
  const marks = useMemo(
    () =>
      drawn.map((bar, index) => (
        <BarMark key={bar.first} {...bar} index={index} top={top ?? highest} write={written} />
      )),
    [drawn],
  );
  const table = useMemo(
    () => (
      <details>
        <summary>{`${name} as a table`}</summary>
        <Figures
          name={`${name} as a table`}
          columns={['Time', name]}
          rows={drawn.map(({ label, value, marked, first }) => ({
            key: first,
            head: label,
            cells: [`${written(value)}${marked ? ` (${markedAs})` : ''}`],
          }))}
        />
      </details>
    ),
    [drawn],
  );
  const [chosen, setChosen] = useState<readonly [from: number, to: number]>();
  if (drawn.length === 0) return null;
  const width = drawn.length * barWidth;
  const height = barsHeight + bands.length * bandHeight;
  const at = (event: PointerEvent): number =>
    barAt(event.clientX, picture.current?.getBoundingClientRect() ?? { left: 0, width: 1 }, drawn.length);
  const begin = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    picture.current?.setPointerCapture(event.pointerId);
    setChosen([at(event), at(event)]);
  };
  const end = (event: PointerEvent): void => {
    if (!chosen) return;
    const [low, high] = [chosen[0], at(event)].sort((one, other) => one - other) as [number, number];
    setChosen(undefined);
    onChoose?.(drawn[low]?.first ?? 0, drawn[high]?.last ?? 0);
  };
  const place = (index: number): number => drawn.findIndex(({ last }) => last >= index);
  return (
    <figure class={drawn.length < fewBars ? 'chart few' : 'chart'}>
      <svg
        ref={picture}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        class={`${onChoose ? 'choosable' : ''} ${bands.length > 0 ? 'banded' : ''}`}
        {...(onChoose && {
          onPointerDown: begin,
          onPointerMove: (event: PointerEvent) => chosen && setChosen([chosen[0], at(event)]),
          onPointerUp: end,
          onPointerCancel: () => setChosen(undefined),
        })}
      >
        {chosen && (
          <rect
            class="chosen"
            x={Math.min(...chosen) * barWidth}
            y={0}
            width={(Math.abs(chosen[1] - chosen[0]) + 1) * barWidth}
            height={height}
          />
        )}
        {marks}
        {bands.map(({ name: called, first, last }, index) => {
          const [from, to] = [place(first), place(last)];
          return (
            <rect
              key={called}
              class="band"
              x={from * barWidth + 1}
              y={barsHeight + index * bandHeight + 3}
              width={(to - from + 1) * barWidth - 2}
              height={bandHeight - 4}
            >
              <title>{called}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="axis">
        <span>{drawn[0]?.label}</span>
        <span>{`highest: ${write(Math.max(...drawn.map(({ value = 0 }) => value)))}`}</span>
        {drawn.length > 1 && <span>{drawn.at(-1)?.label}</span>}
      </figcaption>
      {table}
    </figure>
  );
}

interface BarMarkProps extends DrawnBar {
  readonly index: number;
  readonly top: number;
  write(value: number | undefined): string;
}

function BarMark({ label, value, marked, index, top, write }: BarMarkProps) {
  const tall = value !== undefined && value > 0 ? Math.max(2, (value / top) * (barsHeight - 12)) : 0;
  const x = index * barWidth + 1;
  return (
    <g>
      <rect class="reach" x={index * barWidth} y={0} width={barWidth} height={barsHeight}>
        <title>{`${label}: ${write(value)}`}</title>
      </rect>
      <rect class={marked ? 'bar marked' : 'bar'} x={x} y={barsHeight - tall} width={barWidth - 2} height={tall} />
      {marked && <path class="peak" d={`M${x} ${barsHeight - tall - 9}h${barWidth - 2}l${1 - barWidth / 2} 6z`} />}
    </g>
  );
}

/** The course of a row of a table, beside its figure. */
export function SmallBars({ values }: { readonly values: readonly number[] }) {
  const drawn = drawnBars(
    values.map((value) => ({ label: '', value })),
    { most: 60 },
  );
  const highest = Math.max(1e-9, ...drawn.map(({ value = 0 }) => value));
  return (
    <svg class="small" viewBox={`0 0 ${drawn.length * 4} 20`} preserveAspectRatio="none" aria-hidden="true">
      {drawn.map(({ value = 0, first }, index) => {
        const tall = value > 0 ? Math.max(1.5, (value / highest) * 20) : 0;
        return <rect key={first} class="bar marked" x={index * 4} y={20 - tall} width={3} height={tall} />;
      })}
    </svg>
  );
}
