// Files that are given to the pages: dropped anywhere on the ask page and the page of documents, from their first moment on, or chosen with a button.
import { signal } from '@preact/signals';
import { address } from '../shared/address.ts';
import { caller, mayWrite } from '../shell/holdings.ts';
import { addFiles, type GivenFile, isUploading } from './uploads.ts';

/** Files are held over the page. */
export const isOver = signal(false);

/** While it is not known what the key may, files are taken: they wait. */
const takesFiles = (): boolean =>
  (address.value.page === 'ask' || address.value.page === 'documents') &&
  (caller.value === undefined || mayWrite.value);

/** Folders among what was dropped are named as such: a browser gives no bytes of them. */
function filesIn({ items }: DataTransfer): GivenFile[] {
  return [...items].flatMap((item) => {
    const file = item.getAsFile();
    if (item.kind !== 'file' || !file) return [];
    return { name: file.name, ...(!item.webkitGetAsEntry()?.isDirectory && { file }) };
  });
}

/** The whole page takes what is dropped, and a file that misses the field does not replace the page. */
export function listenToDrops(): void {
  const take = (event: DragEvent, isDropped: boolean): void => {
    const isTaken = event.dataTransfer?.types.includes('Files') && takesFiles();
    isOver.value = isTaken === true && !isDropped;
    if (!isTaken || !event.dataTransfer) return;
    event.preventDefault();
    if (isDropped) addFiles(filesIn(event.dataTransfer));
  };
  addEventListener('dragover', (event) => take(event, false));
  addEventListener('drop', (event) => take(event, true));
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) isOver.value = false;
  });
  addEventListener('beforeunload', (event) => isUploading.value && event.preventDefault());
}

/** Kept while its window is open: it stands in no page, so that none that is drawn anew takes it away. */
let field: HTMLInputElement | undefined;

export function chooseFiles(): void {
  const own = document.createElement('input');
  field = own;
  own.type = 'file';
  own.multiple = true;
  own.addEventListener('change', () => {
    addFiles([...(own.files ?? [])].map((file) => ({ name: file.name, file })));
    if (field === own) field = undefined;
  });
  own.click();
}
