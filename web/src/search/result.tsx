// One result: its title, the words that it was found by where they stand, what its score is made of, and why it stands here.
import { useState } from 'preact/hooks';
import type { Evidence } from '../shared/contract.ts';
import { dateText } from '../shared/days.ts';
import { placeOf } from '../shared/markdown.ts';
import { segmentsOf } from '../shared/marks.ts';
import { inOrder } from '../shared/text.ts';
import { partsOf, type ScorePart, snippetOf } from './scores.ts';

const figure = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const exact = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 });

interface ResultProps {
  readonly one: Evidence;
  readonly place: number;
  /** The highest score of the list: bars compare. */
  readonly most: number;
  readonly isOpen: boolean;
  onOpen(): void;
}

export function Result({ one, place, most, isOpen, onOpen }: ResultProps) {
  const where = [one.source, one.uri, placeOf(one), dateText(one.publishedAt ?? '')].filter(Boolean).join(' · ');
  return (
    <>
      <h4>
        <button
          type="button"
          class="link"
          data-place={place}
          aria-expanded={isOpen}
          aria-controls="source"
          onClick={onOpen}
        >
          {`${place}. `}
          <bdi>{inOrder(one.title || one.uri)}</bdi>
        </button>
      </h4>
      <p class="place">
        <bdi>{inOrder(where)}</bdi>
        {one.trust === 'unvetted' && ' · found on the web, chosen by nobody'}
      </p>
      <Passage one={one} />
      <Score one={one} most={most} />
      {one.alsoIn.length > 0 && (
        <p class="place">{inOrder(`Also in ${one.alsoIn.map(({ source }) => source).join(', ')}`)}</p>
      )}
      {one.explanation && <Why one={one} explanation={one.explanation} />}
    </>
  );
}

function Passage({ one: { text, explanation, headingPath } }: { readonly one: Evidence }) {
  const [isWhole, setWhole] = useState(false);
  const matches = explanation?.matches ?? [];
  const part = snippetOf(text, matches);
  const isCut = part.end - part.start < text.length;
  const span = isWhole ? { start: 0, end: text.length } : part;
  return (
    <>
      {headingPath.length > 0 && <p class="path">{inOrder(headingPath.join(' › '))}</p>}
      <p class={isWhole ? 'passage' : 'passage joined'} dir="auto">
        {span.start > 0 && '… '}
        {segmentsOf(text, span, { marks: [], highlights: matches }).map(({ text: words, highlighted }, at) =>
          highlighted ? <mark key={at}>{inOrder(words)}</mark> : inOrder(words),
        )}
        {span.end < text.length && ' …'}
      </p>
      {isCut && (
        <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Less of it' : 'Whole passage'}
        </button>
      )}
    </>
  );
}

const told = ({ name, value }: ScorePart): string => `${name} ${exact.format(value)}`;

function Score({ one, most }: { readonly one: Evidence; readonly most: number }) {
  const parts = partsOf(one);
  const { lexical, vector } = one.explanation?.fusion ?? {};
  const ranks = [
    ...Object.entries(one.ranks).map(([list, rank]) => `${rank} in ${list}`),
    ...(lexical ? [`${lexical.rank} by words alone`] : []),
    ...(vector ? [`${vector.rank} by meaning alone`] : []),
  ];
  // Whole results are put in order by the best of what they hold.
  const placed =
    one.scores.passage === undefined ? '' : `, placed by its best passage (${figure.format(one.scores.passage)})`;
  const text = `Score ${exact.format(one.score)}: ${parts.map(told).join(', ')}`;
  return (
    <div class="score">
      <Bar parts={parts} most={most} label={text} />
      <p class="facts" aria-hidden="true">
        {inOrder(text)}
      </p>
      <p class="facts">{inOrder(`Rank ${ranks.join(', ')}${placed}`)}</p>
    </div>
  );
}

const names = ['words', 'meaning', 'nearness'];

/** What adds to the score side by side; what takes from it hatched at the end of that. */
function Bar({
  parts,
  most,
  label,
}: {
  readonly parts: readonly ScorePart[];
  readonly most: number;
  readonly label: string;
}) {
  let at = 0;
  const drawn = parts.map(({ name, value }) => {
    const width = most > 0 ? (Math.abs(value) / most) * 100 : 0;
    const start = value < 0 ? at - width : at;
    if (value > 0) at += width;
    return { name, isLess: value < 0, start: Math.max(0, start), width };
  });
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={inOrder(label)}>
      {drawn.map(({ name, isLess, start, width }) => (
        <rect
          key={name}
          x={start}
          y={isLess ? 6 : 0}
          width={width}
          height={isLess ? 4 : 10}
          data-part={isLess ? 'less' : names.includes(name) ? name : 'other'}
        />
      ))}
    </svg>
  );
}

type Explanation = NonNullable<Evidence['explanation']>;

function Why({ one, explanation }: { readonly one: Evidence; readonly explanation: Explanation }) {
  const { terms, proximity = [], fusion, lists = [], kind, ranking = [], notes } = explanation;
  const standings = [
    ...(kind ? [{ ...kind, name: `kind ${kind.name}` }] : []),
    ...lists,
    ...(fusion?.lexical ? [{ ...fusion.lexical, name: 'words' }] : []),
    ...(fusion?.vector ? [{ ...fusion.vector, name: 'meaning' }] : []),
  ];
  const { rerank } = one.scores;
  return (
    <details class="why">
      <summary>Why it stands here</summary>
      {standings.length > 0 && (
        <Table
          caption="What each list gave"
          head={['List', 'Rank', 'Score', 'Share', 'Weight', 'Gives']}
          rows={standings.map((of) => [
            of.name,
            ...[of.rank, of.score, of.normalised, of.weight, of.contribution].map(figure.format),
          ])}
        />
      )}
      {terms.length > 0 && (
        <Table
          caption="Words that it was found by"
          head={['Word', 'Gives', 'In title', 'In headings', 'In text', 'Passages with it']}
          rows={terms.map(({ term, weight, fields, tf, df }) => [
            term,
            ...[weight, fields?.title ?? 0, fields?.heading ?? 0, fields?.body ?? tf, df].map(figure.format),
          ])}
        />
      )}
      <ul>
        {proximity.map(({ terms: [first, second], weight, adjacent }) => (
          <li key={`${first} ${second}`}>
            {inOrder(
              `${first} and ${second} near each other: ${figure.format(weight)}${adjacent > 0 ? `, ${adjacent} times side by side` : ''}`,
            )}
          </li>
        ))}
        {ranking.map(({ name, weight }) => (
          <li key={name}>{inOrder(told({ name, value: weight }))}</li>
        ))}
        {rerank !== undefined && <li>{`reranker: ${figure.format(rerank)}`}</li>}
        {notes.map((note, at) => (
          <li key={at}>{inOrder(note)}</li>
        ))}
      </ul>
    </details>
  );
}

interface TableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function Table({ caption, head, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard.
    <section class="scrolls" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {inOrder(cell)}
                  </th>
                ) : (
                  <td key={at}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
