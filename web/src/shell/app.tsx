// The shell: its header, the sessions beside the conversation, and the source beside both.
import { useEffect, useRef } from 'preact/hooks';
import { Composer } from '../ask/composer.tsx';
import {
  attempt,
  earlier,
  hasLater,
  loadSessions,
  newSession,
  notice,
  opened,
  report,
  sessions,
  showEarlier,
  showLast,
  showSession,
  spoken,
  turns,
} from '../ask/session.ts';
import { TurnView } from '../ask/turn.tsx';
import { isOver } from '../documents/given-files.ts';
import { uploads } from '../documents/uploads.ts';
import { address, follow, go, hrefOf, inThisTab } from '../shared/address.ts';
import { askForKey, keyVersion, Problem } from '../shared/api.ts';
import { instantText } from '../shared/instants.ts';
import { inOrder } from '../shared/text.ts';
import { loadDocument } from '../source/load.ts';
import { SourcePane } from '../source/source-pane.tsx';
import { SourceView } from '../source/source-view.tsx';
import { isCovered } from './covered.ts';
import { HelpDialog, isHelpOpen, KeyDialog } from './dialogs.tsx';
import { caller, holdings, loadCaller, loadHoldings, mayWrite } from './holdings.ts';
import { Later } from './later.tsx';
import { MorePages } from './more-pages.tsx';
import { Notice } from './notice.tsx';

function reload(): void {
  sessions.value = [];
  holdings.value = undefined;
  loadHoldings().catch(report);
  loadCaller().catch(report);
  loadSessions().catch(report);
}

const pages = {
  ask: AskPage,
  documents: () => <Later load={() => import('../documents/documents-page.tsx').then((part) => part.DocumentsPage)} />,
  sources: () => <Later load={() => import('../sources/sources-page.tsx').then((part) => part.SourcesPage)} />,
  search: () => <Later load={() => import('../search/search-page.tsx').then((part) => part.SearchPage)} />,
  traces: () => <Later load={() => import('../traces/traces-page.tsx').then((part) => part.TracesPage)} />,
  conversations: () => (
    <Later load={() => import('../conversations/conversations-page.tsx').then((part) => part.ConversationsPage)} />
  ),
  memory: () => <Later load={() => import('../memory/memory-page.tsx').then((part) => part.MemoryPage)} />,
  settings: () => <Later load={() => import('../settings/settings-page.tsx').then((part) => part.SettingsPage)} />,
  health: () => <Later load={() => import('../settings/health-page.tsx').then((part) => part.HealthPage)} />,
  evals: () => <Later load={() => import('../evals/evals-page.tsx').then((part) => part.EvalsPage)} />,
  document: DocumentPage,
  unknown: Unknown,
} as const;

export function App() {
  const { page } = address.value;
  const Page = pages[page];
  useEffect(reload, [keyVersion.value]);
  useEffect(() => {
    notice.value = undefined;
  }, [page]);
  return (
    <>
      <a class="skip" href={page === 'ask' ? '#question' : '#main'} inert={isCovered.value}>
        {page === 'ask' ? 'Skip to the question' : 'Skip to the page'}
      </a>
      <header inert={isCovered.value}>
        <h1>
          <a href={hrefOf({ page: 'ask' })} onClick={inThisTab(newSession)}>
            Footnote<sup aria-hidden="true">1</sup>
          </a>
        </h1>
        <p id="holdings">{holdings.value?.text ?? 'Answers you can check.'}</p>
        <nav aria-label="Pages">
          <PageLink to="search">Search</PageLink>
          <PageLink to="documents">Documents</PageLink>
          {caller.value?.role === 'admin' && <PageLink to="traces">Traces</PageLink>}
          <MorePages />
          <button type="button" id="restart" onClick={newSession}>
            New session
          </button>
          <button type="button" id="change-key" onClick={changeKey}>
            Key
          </button>
          <button type="button" id="help" onClick={() => (isHelpOpen.value = true)} aria-label="Shortcuts">
            ?
          </button>
        </nav>
      </header>
      <Notice />
      <Page />
      <p id="status" role="status" class="unseen">
        {inOrder(spoken.value)}
      </p>
      {isOver.value && <p id="dropping">Drop them: they are added to your documents.</p>}
      <KeyDialog />
      <HelpDialog />
    </>
  );
}

function PageLink({ to, children }: { readonly to: 'search' | 'documents' | 'traces'; readonly children: string }) {
  const isHere = address.value.page === to;
  return (
    <a href={hrefOf({ page: to })} aria-current={isHere ? 'page' : undefined} onClick={follow({ page: to })}>
      {children}
    </a>
  );
}

function changeKey(): void {
  askForKey(
    'The key stays in this tab and is forgotten when the tab is closed. Leave it empty to use none.',
    false,
  ).catch(report);
}

function show(session: string | undefined): void {
  showSession(session).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) {
      go({ page: 'ask' }, 'replace');
      attempt(showSession(undefined));
    }
    report(error);
  });
}

function AskPage() {
  const at = address.value;
  const session = at.page === 'ask' ? at.session : undefined;
  const list = useRef<HTMLElement>(null);
  const count = turns.value.length;
  useEffect(() => {
    document.title = 'Footnote';
    show(session);
  }, [session, keyVersion.value]);
  const last = turns.value.at(-1)?.key;
  useEffect(() => {
    if (last && !hasLater.value) return keepInSight(list.current?.lastElementChild);
  }, [last]);
  return (
    <div class={opened.value ? 'panes with-source' : 'panes'}>
      <Sessions />
      <main inert={isCovered.value}>
        <section id="turns" ref={list} aria-label="Conversation">
          {count === 0 && <Welcome />}
          {earlier.value !== undefined && (
            <button type="button" onClick={() => attempt(showEarlier())}>
              Earlier questions
            </button>
          )}
          {turns.value.map((turn) => (
            <TurnView key={turn.key} turn={turn} />
          ))}
          {hasLater.value && (
            <button type="button" onClick={() => attempt(showLast())}>
              Last questions
            </button>
          )}
        </section>
        <Composer />
      </main>
      <SourcePane />
    </div>
  );
}

/**
 * Turns get their heights when they are first drawn: what was brought into sight is brought there again until they stand, or until somebody moves the page
 * meanwhile.
 */
function keepInSight(turn: Element | null | undefined): () => void {
  let frames = 10;
  let next = 0;
  const moved = new AbortController();
  const end = (): void => {
    frames = 0;
    cancelAnimationFrame(next);
    moved.abort();
  };
  const show = (): void => {
    turn?.scrollIntoView({ block: 'start' });
    frames -= 1;
    if (frames > 0) next = requestAnimationFrame(show);
    else end();
  };
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(type, end, { signal: moved.signal, passive: true });
  show();
  return end;
}

function Welcome() {
  return (
    <div id="welcome">
      <p>
        Ask a question about your documents. Every claim of the answer ends in a number: it opens the exact passage it
        rests on.
      </p>
      {holdings.value?.documents === 0 && !mayWrite.value && (
        <p class="notice">There are no documents yet, and this key may only read. Ask whoever runs this server.</p>
      )}
      {(mayWrite.value || uploads.value.length > 0) && (
        <Later load={() => import('../documents/add-documents.tsx').then((part) => part.AddDocuments)} />
      )}
    </div>
  );
}

function Sessions() {
  const at = address.value;
  const current = at.page === 'ask' ? at.session : undefined;
  return (
    <nav id="sessions" aria-label="Sessions" inert={isCovered.value}>
      <details open={matchMedia('(min-width: 75rem)').matches}>
        <summary>Sessions</summary>
        <ul>
          {sessions.value.map(({ id, title, createdAt }) => {
            const to = { page: 'ask', session: id } as const;
            return (
              <li key={id}>
                <a
                  href={hrefOf(to)}
                  aria-current={id === current ? 'page' : undefined}
                  onClick={inThisTab(() => {
                    go(to);
                    show(id);
                  })}
                >
                  <bdi>{inOrder(title ?? instantText(createdAt))}</bdi>
                </a>
              </li>
            );
          })}
        </ul>
      </details>
    </nav>
  );
}

const ignore = (): void => undefined;

/** A source in a tab of its own. */
function DocumentPage() {
  const at = address.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    if (at.page !== 'document') return;
    notice.value = undefined;
    if (heading.current) heading.current.textContent = 'Document';
    loadDocument(at.id).then(({ title }) => {
      document.title = `${inOrder(title)} – Footnote`;
      if (heading.current) heading.current.textContent = inOrder(title);
      // What fails is said where the source would stand.
    }, ignore);
  }, [at, keyVersion.value]);
  if (at.page !== 'document') return null;
  return (
    <main id="main" class="document" tabIndex={-1}>
      <a href={hrefOf({ page: 'documents' })} onClick={follow({ page: 'documents' })}>
        All documents
      </a>
      <h2 ref={heading} tabIndex={-1} aria-describedby="quote">
        Document
      </h2>
      <SourceView id={at.id} span={at} words={at.words} alone />
      <Later load={() => import('../documents/document-facts.tsx').then((part) => part.DocumentFacts)} />
    </main>
  );
}

function Unknown() {
  return (
    <main id="main" tabIndex={-1}>
      <h2>There is no such page</h2>
      <p>
        <a href={hrefOf({ page: 'ask' })}>Ask a question</a>
      </p>
    </main>
  );
}
