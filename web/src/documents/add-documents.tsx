// Where files are given: dropped anywhere on the page or chosen with a button, each with what became of it; then questions that they answer.
import { ask, newSession, report } from '../ask/session.ts';
import { follow, hrefOf } from '../shared/address.ts';
import { counted, inOrder } from '../shared/text.ts';
import { Countdown } from '../shell/countdown.tsx';
import { mayWrite } from '../shell/holdings.ts';
import { chooseFiles, isOver } from './given-files.ts';
import { broughtBy, isOpen, type Upload } from './upload-queue.ts';
import {
  choices,
  chosenSource,
  clearUploads,
  forgetUploads,
  type GivenFile,
  isUploading,
  offered,
  retryUpload,
  stopUploads,
  undoUploads,
  uploads,
} from './uploads.ts';

export function AddDocuments() {
  return (
    <section id="add" aria-labelledby="add-title">
      <h2 id="add-title">Add your own documents</h2>
      {mayWrite.value && (
        <div class={isOver.value ? 'drop over' : 'drop'}>
          <p>Drop files here: PDF, Word, Excel, PowerPoint, Markdown, web pages, mail, text and more.</p>
          <div class="row">
            <button type="button" class="main" onClick={chooseFiles}>
              Choose files
            </button>
            <SourceChoice />
          </div>
        </div>
      )}
      <Offered />
      <UploadList />
    </section>
  );
}

function SourceChoice() {
  const names = choices.value;
  if (names.length < 2) return null;
  return (
    <>
      <label for="into">Into the source</label>
      <select
        id="into"
        value={chosenSource.value || names[0]}
        onChange={({ currentTarget }) => (chosenSource.value = currentTarget.value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {inOrder(name)}
          </option>
        ))}
      </select>
    </>
  );
}

const words = {
  waiting: 'Waiting',
  reading: 'Reading…',
  added: 'Added',
  unchanged: 'Unchanged: it was there already',
  refused: 'Refused',
  stopped: 'Stopped: it was not added',
  leaving: 'Being taken away…',
  undone: 'Taken away again',
} as const;

function UploadList() {
  if (uploads.value.length === 0) return null;
  const undoable = uploads.value.filter(({ state }) => broughtBy(state).length > 0);
  const ended = uploads.value.filter(({ state }) => !isOpen(state)).length;
  const refused = uploads.value.filter(({ state }) => state.is === 'refused');
  // What needs a look stands in sight, however many were given before it.
  const inSight = [...refused, ...uploads.value.filter(({ state }) => state.is !== 'refused')];
  return (
    <>
      {refused.length > 0 && (
        <p class="notice failure">{`${counted(refused.length, 'file')} of ${uploads.value.length} refused: see why below.`}</p>
      )}
      <ul class="uploads" aria-label="Files">
        {inSight.map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      </ul>
      <div class="row">
        {isUploading.value ? (
          <>
            <progress max={uploads.value.length} value={ended} aria-label="Files that were read" />
            <span class="place">{`${ended} of ${counted(uploads.value.length, 'file')} read`}</span>
            <button type="button" onClick={stopUploads}>
              Stop adding
            </button>
          </>
        ) : (
          <>
            {undoable.length > 1 && (
              <button type="button" onClick={() => undoUploads(undoable.map(({ key }) => key))}>
                {`Undo all ${undoable.length}`}
              </button>
            )}
            <button type="button" onClick={forgetUploads}>
              Clear this list
            </button>
          </>
        )}
      </div>
    </>
  );
}

function UploadRow({ upload: { key, given: of, state } }: { readonly upload: Upload<GivenFile> }) {
  const name = inOrder(of.name);
  const { warnings = [], documents = [] } = 'taken' in state ? state.taken : {};
  const [only, ...others] = documents;
  const to = only && others.length === 0 && ({ page: 'document', id: only.id, start: 0, end: 0 } as const);
  return (
    <li data-state={state.is}>
      <div class="upload">
        <span>
          {to ? (
            <a href={hrefOf(to)} onClick={follow(to)}>
              <bdi>{name}</bdi>
            </a>
          ) : (
            <strong>
              <bdi>{name}</bdi>
            </strong>
          )}
          <span class="place">{` ${words[state.is]}`}</span>
        </span>
        {broughtBy(state).length > 0 && (
          <button type="button" aria-label={`Undo: ${name}`} onClick={() => undoUploads([key])}>
            Undo
          </button>
        )}
        {(state.is === 'refused' || state.is === 'stopped' || state.is === 'undone') && (
          <button type="button" aria-label={`Try again: ${name}`} onClick={() => retryUpload(key)}>
            Try again
          </button>
        )}
      </div>
      {state.is === 'refused' && (
        <p class="notice failure">
          <strong>{inOrder(state.refusal.title)}.</strong> {inOrder(state.refusal.detail)}
          {state.refusal.againAtMs !== undefined && <Countdown what="Try again" atMs={state.refusal.againAtMs} />}
        </p>
      )}
      {warnings.length > 0 && (
        <details class="place">
          <summary>{`${counted(warnings.length, 'note')} on how it was read`}</summary>
          {warnings.map((warning) => (
            <p key={warning}>{inOrder(warning)}</p>
          ))}
        </details>
      )}
    </li>
  );
}

/** Asked in a session of its own. */
function askOffered(question: string): void {
  clearUploads();
  newSession();
  ask(question).catch(report);
}

function Offered() {
  if (offered.value.length === 0) return null;
  return (
    <div id="offered">
      <h3>Ask one of these, from the headings of what you added</h3>
      <ul>
        {offered.value.map((question) => (
          <li key={question}>
            <button type="button" dir="auto" onClick={() => askOffered(question)}>
              {inOrder(question)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
