// The documents of the server: add, find by source, open and delete them, as far as the key may.
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt } from '../ask/session.ts';
import { address, follow, go, hrefOf } from '../shared/address.ts';
import { inOrder } from '../shared/text.ts';
import { holdings, mayWrite } from '../shell/holdings.ts';
import { useListed } from '../shell/use-listed.ts';
import { AddDocuments } from './add-documents.tsx';
import { DeleteDocument } from './delete-document.tsx';
import { ageOf, kindOf } from './facts.ts';
import { added, uploads } from './uploads.ts';

interface ListedDocument {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly uri: string;
  readonly mime: string;
  readonly updatedAt: string;
  readonly textLength: number;
  readonly warnings: readonly string[];
}

export function DocumentsPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = 'Documents – Footnote';
    heading.current?.focus();
  }, []);
  return (
    <main id="main" class="document" tabIndex={-1}>
      <h2 ref={heading} tabIndex={-1}>
        Documents
      </h2>
      {(mayWrite.value || uploads.value.length > 0) && <AddDocuments />}
      <DocumentList />
    </main>
  );
}

function DocumentList() {
  const at = address.value;
  const source = at.page === 'documents' ? at.source : undefined;
  const [listed, more, keep] = useListed<ListedDocument, { readonly damaged?: readonly object[] }>(
    `v1/documents?${new URLSearchParams({ limit: '50', sort: 'newest', ...(source && { source }) })}`,
    added.value,
  );
  const [leaving, setLeaving] = useState<ListedDocument>();
  const title = useRef<HTMLHeadingElement>(null);
  const rows = useRef<HTMLUListElement>(null);
  /** The place of the row that was deleted: focus goes to the one that has it now. */
  const [left, setLeft] = useState<{ readonly at: number }>();
  useEffect(() => {
    if (!left) return;
    const links = rows.current?.querySelectorAll<HTMLElement>('a') ?? [];
    (links[Math.min(left.at, links.length - 1)] ?? title.current)?.focus();
  }, [left]);
  const forget = (id: string): void => {
    const at = listed?.data.findIndex((one) => one.id === id) ?? 0;
    keep((one) => one.id !== id);
    setLeft({ at });
  };
  const damaged = listed?.damaged?.length ?? 0;

  return (
    <section id="documents" aria-labelledby="list-title">
      <div class="row">
        <h3 id="list-title" ref={title} tabIndex={-1}>
          What is there
        </h3>
        <SourceFilter source={source} />
        <a href={hrefOf({ page: 'sources' })} onClick={follow({ page: 'sources' })}>
          All sources
        </a>
      </div>
      {damaged > 0 && <p class="notice">{`${damaged} entries here are damaged: add them again.`}</p>}
      {listed?.data.length === 0 && <p>There are no documents here.</p>}
      <ul class="documents" ref={rows}>
        {listed?.data.map((one) => (
          <li key={one.id}>
            <Row one={one} onDelete={() => setLeaving(one)} />
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" onClick={() => attempt(more())}>
          More documents
        </button>
      )}
      {leaving && (
        <DeleteDocument
          id={leaving.id}
          title={leaving.title}
          onEnd={() => setLeaving(undefined)}
          onDeleted={() => forget(leaving.id)}
        />
      )}
    </section>
  );
}

function SourceFilter({ source }: { readonly source: string | undefined }) {
  const names = (holdings.value?.sources ?? []).map(({ name }) => name);
  const all = source === undefined || names.includes(source) ? names : [...names, source];
  return (
    <>
      <label for="from">Source</label>
      <select
        id="from"
        value={source ?? ''}
        onChange={({ currentTarget: { value } }) => go({ page: 'documents', ...(value && { source: value }) })}
      >
        <option value="">all</option>
        {all.map((name) => (
          <option key={name} value={name}>
            {inOrder(name)}
          </option>
        ))}
      </select>
    </>
  );
}

const characters = new Intl.NumberFormat();

function Row({ one, onDelete }: { readonly one: ListedDocument; onDelete(): void }) {
  const to = { page: 'document', id: one.id, start: 0, end: 0 } as const;
  const name = inOrder(one.title);
  // A file is looked for by its name, which its title may not tell.
  const last = one.uri.split('/').at(-1) ?? '';
  const fileName = last.replace(/\.[^.]+$/u, '') === one.title ? '' : last;
  return (
    <>
      <div>
        <a href={hrefOf(to)} onClick={follow(to)}>
          <bdi>{name}</bdi>
        </a>
        <p class="place">
          <bdi>{inOrder(one.source)}</bdi>
          {fileName && (
            <>
              {' · '}
              <bdi>{inOrder(fileName)}</bdi>
            </>
          )}
          {` · ${kindOf(one.mime)} · ${characters.format(one.textLength)} characters · read ${ageOf(one.updatedAt, Date.now())}`}
        </p>
      </div>
      {mayWrite.value && (
        <button type="button" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </button>
      )}
    </>
  );
}
