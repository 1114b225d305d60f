// What is known of a document beside its text: its pieces, its copies, the stores that hold it, the answers that rest on it; and how to delete it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt } from '../ask/session.ts';
import { address, follow, hrefOf } from '../shared/address.ts';
import { callJson } from '../shared/api.ts';
import type { Answer } from '../shared/contract.ts';
import { dayText, instantText } from '../shared/instants.ts';
import { counted, cut, inOrder } from '../shared/text.ts';
import { isAdmin, mayWrite } from '../shell/holdings.ts';
import { useListed } from '../shell/use-listed.ts';
import { useLoaded } from '../shell/use-loaded.ts';
import { type ShownDocument as Detail, loadDocument } from '../source/load.ts';
import { DeleteDocument } from './delete-document.tsx';
import { kindOf } from './facts.ts';

interface Piece {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly headingPath: readonly string[];
  readonly text: string;
  readonly place?: string;
  readonly pages?: readonly [number, number];
}
interface Use {
  readonly answerId: string;
  readonly createdAt: string;
  readonly chunks: readonly { readonly cited: boolean; readonly isCurrent: boolean }[];
}

const pathOf = (id: string): string => `v1/documents/${encodeURIComponent(id)}`;
const characters = new Intl.NumberFormat();
const shares = new Intl.NumberFormat(undefined, { style: 'percent' });

export function DocumentFacts() {
  const at = address.value;
  return at.page === 'document' ? <FactsOf key={at.id} id={at.id} /> : null;
}

function FactsOf({ id }: { readonly id: string }) {
  const [detail] = useLoaded(() => loadDocument(id), [id]);
  const [receipt, setReceipt] = useState<readonly string[]>();
  if (receipt) return <Receipt lines={receipt} />;
  if (!detail) return null;
  return (
    <section id="facts" aria-labelledby="facts-title">
      <h3 id="facts-title">What is known of it</h3>
      <p class="place">
        {`${kindOf(detail.mime)} · ${characters.format(detail.textLength)} characters · revision ${detail.revision} · read ${dayText(detail.updatedAt)}`}
      </p>
      {detail.warnings.map((warning) => (
        <p key={warning} class="notice">
          {inOrder(warning)}
        </p>
      ))}
      <Deliveries of={detail} />
      <Copies of={detail} />
      <Unfolding name={counted(detail.chunks, 'piece')}>{() => <Pieces id={id} />}</Unfolding>
      <Unfolding name="Answers that rest on it">{() => <Uses id={id} />}</Unfolding>
      {mayWrite.value && <Remove detail={detail} onDone={setReceipt} />}
    </section>
  );
}

/** The button that was pressed is gone, so focus comes here. */
function Receipt({ lines }: { readonly lines: readonly string[] }) {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return (
    <section id="receipt" ref={shown} class="notice" tabIndex={-1} aria-label="What was deleted">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </section>
  );
}

function Deliveries({ of: { deliveries } }: { readonly of: Detail }) {
  return (
    <ul class="uploads" aria-label="Stores that hold it">
      {deliveries.map(({ store, status, attempts, lastError }) => (
        <li key={store}>
          <strong>
            <bdi>{inOrder(store)}</bdi>
          </strong>
          <span class="place">{` ${status}${status === 'delivered' ? '' : ` after ${counted(attempts, 'attempt')}`}`}</span>
          {lastError && <p class="notice failure">{inOrder(lastError)}</p>}
        </li>
      ))}
    </ul>
  );
}

function Copies({ of: { duplicates } }: { readonly of: Detail }) {
  if (duplicates.length === 0) return null;
  return (
    <>
      <h4>Says the same</h4>
      <ul class="uploads" aria-label="Copies">
        {duplicates.map(({ documentId, title, similarity }) => {
          const to = { page: 'document', id: documentId, start: 0, end: 0 } as const;
          return (
            <li key={documentId}>
              <a href={hrefOf(to)} onClick={follow(to)}>
                <bdi>{inOrder(title)}</bdi>
              </a>
              <span class="place">{` ${shares.format(similarity)} of the words`}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What it holds is fetched when it is unfolded. */
function Unfolding({ name, children }: { readonly name: string; children(): preact.JSX.Element }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && children()}
    </details>
  );
}

const mostPieces = 200;

function Pieces({ id }: { readonly id: string }) {
  const [pieces] = useLoaded(
    (signal) => callJson<{ data: readonly Piece[] }>(`${pathOf(id)}/chunks`, { signal }),
    [id],
  );
  const [shown, setShown] = useState(mostPieces);
  const all = pieces?.data ?? [];
  return (
    <>
      <ol class="uploads" aria-label="Pieces">
        {all.slice(0, shown).map(({ id: piece, start, end, headingPath, text, place, pages }) => {
          const to = { page: 'document', id, start, end } as const;
          const name = headingPath.join(' › ') || cut(text.trim(), 80);
          return (
            <li key={piece}>
              <a href={hrefOf(to)} onClick={follow(to)}>
                <bdi>{inOrder(name)}</bdi>
              </a>
              <span class="place">{` ${place ?? (pages ? `page ${pages[0]}` : '')} ${characters.format(end - start)} characters`}</span>
            </li>
          );
        })}
      </ol>
      {all.length > shown && (
        <button type="button" onClick={() => setShown(shown + mostPieces)}>
          More pieces
        </button>
      )}
    </>
  );
}

function Uses({ id }: { readonly id: string }) {
  const [uses, more] = useListed<Use>(`${pathOf(id)}/answers?limit=10`);
  return (
    <>
      {uses?.data.length === 0 && <p>None yet.</p>}
      <ul class="uploads" aria-label="Answers that rest on it">
        {uses?.data.map((use) => (
          <li key={use.answerId}>
            <UseRow use={use} />
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" onClick={() => attempt(more())}>
          More answers
        </button>
      )}
    </>
  );
}

function UseRow({ use: { answerId, createdAt, chunks } }: { readonly use: Use }) {
  const [answer] = useLoaded(
    (signal) => callJson<Answer>(`v1/answers/${encodeURIComponent(answerId)}`, { signal }),
    [answerId],
  );
  const to = { page: 'traces', id: answerId } as const;
  const facts = [
    instantText(createdAt),
    chunks.some(({ cited }) => cited) ? 'cites it' : 'read it',
    chunks.every(({ isCurrent }) => isCurrent) ? '' : 'as it was before it changed',
  ];
  return (
    <>
      <p dir="auto">{inOrder(cut(answer?.answer ?? '…', 200))}</p>
      <span class="place">{facts.filter(Boolean).join(' · ')}</span>{' '}
      {isAdmin.value && (
        <a href={hrefOf(to)} onClick={follow(to)} aria-label={`Trace of the answer of ${instantText(createdAt)}`}>
          Trace
        </a>
      )}
    </>
  );
}

function Remove({ detail, onDone }: { readonly detail: Detail; onDone(receipt: readonly string[]): void }) {
  const { id, title, chunks, deliveries, source } = detail;
  const [isAsking, setAsking] = useState(false);
  const receipt = (): string[] => [
    `Deleted on ${instantText(new Date().toISOString())}: ${inOrder(title)} (${id}) of the source ${inOrder(source)}, with ${counted(chunks, 'piece')}, its file and its vectors.`,
    `It leaves ${deliveries.map(({ store }) => inOrder(store)).join(', ') || 'every store'}. Answers lose the claims that cite it, and traces their words, within a minute.`,
  ];
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setAsking(true)}>
          Delete this document
        </button>
      </div>
      {isAsking && (
        <DeleteDocument id={id} title={title} onEnd={() => setAsking(false)} onDeleted={() => onDone(receipt())} />
      )}
    </>
  );
}
