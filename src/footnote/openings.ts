// What was opened so far while a Footnote is put together: where what comes later fails, it is closed again, the last first.
interface Closable {
  close(): unknown;
}

export function createOpenings() {
  const opened: Closable[] = [];
  return {
    /** Gives back what it was given. */
    keep<Part extends Closable | undefined>(part: Part): Part {
      if (part) opened.unshift(part);
      return part;
    },
    /** Closes all of it. Never rejects: whoever calls it has an error to tell. */
    async undo(): Promise<void> {
      for (const part of opened)
        try {
          await part.close();
        } catch {
          // The others are closed all the same.
        }
    },
  };
}
