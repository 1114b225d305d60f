// What reading files taught: which cannot be read, what archives hold, and which versions were read last.
import type { PageOf, PageRequest } from './page.ts';

/** Which file, in which form: the same bytes under another kind of name are another file. */
export interface FileIdentity {
  readonly source: string;
  readonly uri: string;
  readonly contentHash: string;
  /** What its name says that it is: the extension. */
  readonly kind: string;
  /** Which readers looked at it: newer ones may know better. */
  readonly readers: string;
}

/** A file that could not be read, and how often that was tried. */
export interface ReadingFailure extends FileIdentity {
  readonly tries: number;
  readonly error: { readonly code: string; readonly message: string };
  readonly failedAt: string;
  /** Who may know of it, as of the document that it was to be; absent: all who see such files. */
  readonly access?: readonly string[];
}

/** A file that holds others, as it was when they were last taken out. */
export interface ContainerState {
  readonly source: string;
  readonly uri: string;
  readonly contentHash: string;
  readonly readers: string;
  /** Each of them is a document, or is not tried again. */
  readonly isComplete: boolean;
}

/** What reading files taught. Names files, so readers (the role) do not see it; goes with its source. */
export interface ReadingRepository {
  /** Of this file, or of one with the same bytes and kind elsewhere: the one that was tried most often. */
  failure(file: FileIdentity): Promise<ReadingFailure | undefined>;
  putFailure(failure: ReadingFailure): Promise<void>;
  /** Those tried at least `minTries` times, by source and uri. `at`: of one uri, and of uris that go on from it. `isShown`: those that the caller may know of. */
  failures(
    request: PageRequest & {
      readonly source?: string;
      readonly at?: string;
      readonly minTries?: number;
      readonly isShown?: true;
    },
  ): Promise<PageOf<ReadingFailure>>;
  container(source: string, uri: string): Promise<ContainerState | undefined>;
  containers(source: string): Promise<readonly ContainerState[]>;
  putContainer(state: ContainerState): Promise<void>;
  /** Which versions of the items of a source were read last. */
  items(source: string): Promise<readonly ReadItem[]>;
  putItems(source: string, items: readonly ReadItem[]): Promise<void>;
  /** Forgets what is known of these files. */
  forget(source: string, uris: readonly string[]): Promise<void>;
}

/** An item of a source as it was read last. */
export interface ReadItem {
  readonly uri: string;
  /** As its connector tells versions apart. */
  readonly version: string;
  /** SHA-256 of its bytes then. */
  readonly contentHash: string;
}
