// Files beside a conversation: a button to add some, and how far those are that were given. What became of each stands on the page of documents.
import { chooseFiles } from '../documents/given-files.ts';
import { isOpen, outcomeOf } from '../documents/upload-queue.ts';
import { forgetUploads, isUploading, stopUploads, uploads } from '../documents/uploads.ts';
import { follow, hrefOf } from '../shared/address.ts';
import { counted } from '../shared/text.ts';
import { mayWrite } from '../shell/holdings.ts';
import { turns } from './session.ts';

/** Before the first question the page has a field for files. */
const isBesideTurns = (): boolean => turns.value.length > 0;

export function AddFiles() {
  if (!isBesideTurns() || !mayWrite.value) return null;
  return (
    <button type="button" id="add-files" onClick={chooseFiles}>
      Add files
    </button>
  );
}

export function FilesOnTheWay() {
  const all = uploads.value;
  if (!isBesideTurns() || all.length === 0) return null;
  const ended = all.filter(({ state }) => !isOpen(state)).length;
  return (
    <p class="pasted" id="on-the-way">
      {isUploading.value ? (
        <>
          <progress max={all.length} value={ended} aria-label="Files that were read" />
          {` ${ended} of ${counted(all.length, 'file')} read `}
          <button type="button" onClick={stopUploads}>
            Stop adding
          </button>
        </>
      ) : (
        <>
          {`${outcomeOf(all)} `}
          <a href={hrefOf({ page: 'documents' })} onClick={follow({ page: 'documents' })}>
            See each
          </a>{' '}
          <button type="button" onClick={forgetUploads}>
            Clear
          </button>
        </>
      )}
    </p>
  );
}
