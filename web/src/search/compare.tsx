// Two lists of results side by side, and lines between the places of what both have.
import type { Evidence } from '../shared/contract.ts';
import { cut, inOrder } from '../shared/text.ts';
import { type Movement, movementsOf } from './scores.ts';

export interface NamedList {
  readonly name: string;
  readonly results: readonly Evidence[];
}

interface CompareProps {
  readonly left: NamedList;
  readonly right: NamedList;
  isOpen(one: Evidence): boolean;
  onOpen(one: Evidence): void;
}

/** How a place tells of the other list. */
function moved({ left, right }: Movement): string {
  if (left === undefined || right === undefined) return 'only here';
  if (left === right) return 'same place';
  return left > right ? `up ${left - right}` : `down ${right - left}`;
}

const rowUnits = 10;
const middle = (place: number): number => (place - 0.5) * rowUnits;

export function Compare({ left, right, isOpen, onOpen }: CompareProps) {
  const movements = movementsOf(
    left.results.map(({ chunkId }) => chunkId),
    right.results.map(({ chunkId }) => chunkId),
  );
  const of = new Map(movements.map((one) => [one.chunkId, one]));
  const rows = Math.max(1, left.results.length, right.results.length);
  const column = ({ name, results }: NamedList, side: 'left' | 'right') => (
    <section class="column" aria-label={`By ${name}`}>
      <h4>{`By ${name}`}</h4>
      <ol>
        {results.map((one, at) => {
          const movement = of.get(one.chunkId);
          const told = movement && moved(movement);
          return (
            <li key={one.chunkId} class="claim" tabIndex={-1} data-chunk={one.chunkId}>
              <button
                type="button"
                class="link"
                data-place={side === 'left' ? at + 1 : undefined}
                aria-expanded={isOpen(one)}
                aria-controls="source"
                onClick={() => onOpen(one)}
              >
                {`${at + 1}. `}
                <bdi>{inOrder(cut(one.title || one.uri, 80))}</bdi>
              </button>
              <span class="facts">
                {told === 'only here' || side === 'right' ? <strong>{told}</strong> : `to ${movement?.right ?? ''}`}
                {' · '}
                <bdi>{inOrder(cut(one.text.replace(/\s+/g, ' ').slice(0, 400), 90))}</bdi>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
  return (
    <div class="compare">
      {column(left, 'left')}
      <svg class="movements" viewBox={`0 0 100 ${rows * rowUnits}`} preserveAspectRatio="none" aria-hidden="true">
        {movements.map((movement) =>
          movement.left !== undefined && movement.right !== undefined ? (
            <path
              key={movement.chunkId}
              data-chunk={movement.chunkId}
              data-moved={moved(movement).split(' ')[0]}
              d={`M0 ${middle(movement.left)} C50 ${middle(movement.left)} 50 ${middle(movement.right)} 100 ${middle(movement.right)}`}
            />
          ) : null,
        )}
      </svg>
      {column(right, 'right')}
    </div>
  );
}
