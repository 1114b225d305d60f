// Text that its author struck out ("~~", `del`): it stays in documents, searches find it, and nothing is claimed from it. What is claimed is read
// from `standingText`, in which blanks stand for it.
export { standingText } from '@footnote/readers/canonical/struck-text';
