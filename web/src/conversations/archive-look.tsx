// When something was spoken of: a histogram whose bars can be brushed or dated, what each conversation and role has of it, and pieces of the best turns.
import type { ComponentChildren } from 'preact';
import { BarChart, SmallBars } from '../charts/bar-chart.tsx';
import { Figures } from '../charts/figures.tsx';
import { follow, go, hrefOf } from '../shared/address.ts';
import { callJson } from '../shared/api.ts';
import type { Peek } from '../shared/contract.ts';
import type { Query } from '../shared/router.ts';
import { counted, inOrder } from '../shared/text.ts';
import { Field } from '../shell/fields.tsx';
import { useLoaded } from '../shell/use-loaded.ts';
import { looks } from './chat.ts';
import { barsWithin, binNames, endAfter, firstDay, lastDay, otherwise, ownTimeZone, peekRequestOf } from './range.ts';
import { roleName, timeOf, whoSaid } from './who.ts';

const timeZone = ownTimeZone();
const numbers = new Intl.NumberFormat();

interface ArchiveLookProps {
  readonly query: Query;
  /** Stands between the histogram and what was said. */
  readonly children: ComponentChildren;
}

export function ArchiveLook({ query, children }: ArchiveLookProps) {
  const body = peekRequestOf(query, timeZone);
  const [peek] = useLoaded<Peek | undefined>(
    async (stopped) => (body ? callJson<Peek>('v1/conversations/peek', { body, signal: stopped }) : undefined),
    [JSON.stringify(body)],
  );
  return (
    <>
      <LookForm query={query} />
      {body && peek && <Found peek={peek} query={query} />}
      {body && !peek && <p class="place">Looking…</p>}
      {children}
      {body && peek && <WhatWasSaid peek={peek} query={query} />}
    </>
  );
}

function LookForm({ query }: { readonly query: Query }) {
  const set = (changes: Query): void => go(otherwise(query, changes));
  return (
    <search>
      <form class="fields" onSubmit={(event) => event.preventDefault()}>
        <Field isBroad label="Look for" value={query['q'] ?? ''} onChoose={(q) => set({ q })} />
        <Field
          label="First day"
          type="date"
          value={firstDay(query['from'] ?? '', timeZone)}
          onChoose={(from) => set({ from })}
        />
        <Field
          label="Last day"
          type="date"
          value={lastDay(query['to'] ?? '', timeZone)}
          onChoose={(day) => set({ to: day && endAfter(day) })}
        />
        <label>
          A bar is
          <select value={query['bin'] ?? ''} onChange={({ currentTarget }) => set({ bin: currentTarget.value })}>
            <option value="">as it fits</option>
            {binNames.map((name) => (
              <option key={name} value={name}>
                {`one ${name}`}
              </option>
            ))}
          </select>
        </label>
        <label class="tick">
          <input
            type="checkbox"
            checked={Boolean(query['meaning'])}
            onChange={({ currentTarget }) => set({ meaning: currentTarget.checked ? 'yes' : '' })}
          />{' '}
          By meaning, whatever the words
        </label>
        <button type="submit" class="main">
          Look
        </button>
      </form>
    </search>
  );
}

interface FoundProps {
  readonly peek: Peek;
  readonly query: Query;
}

function Found({ peek: { total, histogram, zoom, meaning }, query }: FoundProps) {
  const bands = looks.value.flatMap(({ number, time_range: range }) => {
    const within = range && barsWithin(histogram, range);
    return within ? [{ name: `Look ${number}`, ...within }] : [];
  });
  const isPart = Boolean(query['from'] ?? query['to'] ?? query['conversation']);
  const whole = otherwise(query, { from: undefined, to: undefined, conversation: undefined });
  return (
    <>
      <p id="found">
        {`${counted(total.hits, 'turn')} of ${numbers.format(total.turns)} in ${counted(total.conversations, 'conversation')}`}
        {total.undated > 0 && `, ${numbers.format(total.undated)} of them without a time`}
        {meaning && `, near in meaning (${counted(meaning.turns, 'turn')} are known by theirs)`}
        {'. '}
        {isPart && (
          <a href={hrefOf(whole)} onClick={follow(whole)}>
            Look at everything
          </a>
        )}
      </p>
      <BarChart
        name="Hits"
        bars={histogram.map(({ label, count, peak }) => ({ label, value: count, marked: peak }))}
        bands={bands}
        onChoose={(first, last) =>
          go(otherwise(query, { from: histogram[first]?.from, to: histogram[last]?.to, bin: undefined }))
        }
      />
      {zoom && <Zoom zoom={zoom} query={query} />}
    </>
  );
}

function WhatWasSaid({ peek, query }: FoundProps) {
  const { snippets, total } = peek;
  return (
    <>
      {total.hits > 0 && <Shares peek={peek} query={query} />}
      <h3>{snippets.length > 0 ? 'What was said' : 'Nobody spoke of it'}</h3>
      <ol class="snippets">
        {snippets.map(({ turn_id, conversation_id, title, timestamp, snippet, ...by }) => {
          const to = { page: 'conversations', id: conversation_id, query: { turn: turn_id } } as const;
          return (
            <li key={`${conversation_id} ${turn_id}`}>
              <a href={hrefOf(to)} onClick={follow(to)}>
                <bdi>{inOrder(title) || 'Without a title'}</bdi>
              </a>
              <p class="place">
                <bdi>{whoSaid(by)}</bdi>
                {` · ${timeOf(timestamp)}`}
              </p>
              <blockquote dir="auto">{inOrder(snippet)}</blockquote>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Zoom({ zoom, query }: { readonly zoom: NonNullable<Peek['zoom']>; readonly query: Query }) {
  const to = otherwise(query, { ...zoom.time_range, bin: zoom.bin });
  if (query['from'] === zoom.time_range.from && query['to'] === zoom.time_range.to) return null;
  return (
    <p>
      {`${inOrder(zoom.reason)} `}
      <a href={hrefOf(to)} onClick={follow(to)}>
        Look closer
      </a>
    </p>
  );
}

function Shares({ peek: { conversations = [], conversations_omitted = 0, roles = [] }, query }: FoundProps) {
  return (
    <details open={conversations.length > 1}>
      <summary>By conversation and role</summary>
      <Figures
        name="By conversation and role"
        columns={['Who, or where', 'Hits', 'Over time']}
        rows={[
          ...roles.map(({ role, count, counts }) => ({
            key: `role ${role}`,
            head: roleName(role),
            cells: [numbers.format(count), <SmallBars key={role} values={counts} />],
          })),
          ...conversations.map(({ conversation_id: id, title, count, counts }) => {
            const to = otherwise(query, { conversation: id });
            const name = inOrder(title) || inOrder(id);
            return {
              key: id,
              head: (
                <a href={hrefOf(to)} onClick={follow(to)} aria-label={`Only in ${name}`}>
                  <bdi>{name}</bdi>
                </a>
              ),
              cells: [numbers.format(count), <SmallBars key={id} values={counts} />],
            };
          }),
        ]}
      />
      {conversations_omitted > 0 && (
        <p class="place">{`And ${counted(conversations_omitted, 'conversation')} more with fewer hits.`}</p>
      )}
    </details>
  );
}
