// A table of figures: what is wider than the screen scrolls within it, and is reached by the keyboard.
import './charts.css';
import type { ComponentChildren } from 'preact';

export interface FigureRow {
  readonly key: string | number;
  readonly head: ComponentChildren;
  readonly cells: readonly ComponentChildren[];
}

interface FiguresProps {
  readonly name: string;
  /** Of the first column and the others. */
  readonly columns: readonly string[];
  readonly rows: readonly FigureRow[];
}

export function Figures({ name, columns, rows }: FiguresProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard.
    <section class="wide" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, head, cells }) => (
            <tr key={key}>
              <th scope="row">{head}</th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
