// Entries of logs and messages of chats: answering tells them by the rule by which reading cut them apart, so that no piece of an answer
// begins amid one.
export { entryMarks } from '@footnote/readers/canonical/log-entries';
