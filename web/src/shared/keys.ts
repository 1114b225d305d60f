// Which key does what. Letters alone are for places where nobody writes, and can be switched off (WCAG 2.1.4).
import type { PlainPage } from './router.ts';

export type Action =
  | {
      readonly do:
        | 'question'
        | 'escape'
        | 'next-claim'
        | 'previous-claim'
        | 'own-tab'
        | 'copy'
        | 'zoom-in'
        | 'zoom-out'
        | 'zoom-fit'
        | 'help'
        | 'new-session'
        | 'documents'
        | 'search'
        | 'traces'
        | PlainPage;
    }
  | { readonly do: 'citation'; readonly number: number }
  /** Somebody begins to write without a look at where: what was pressed so far. */
  | { readonly do: 'write'; readonly text: string };

export interface Pressed {
  readonly key: string;
  readonly inField: boolean;
  readonly inDialog: boolean;
  /** With Ctrl, Alt or the key of the system: the browser's. */
  readonly modified: boolean;
  /** A word is being composed. */
  readonly composing: boolean;
}

const letters: Readonly<Record<string, Action>> = {
  '/': { do: 'question' },
  j: { do: 'next-claim' },
  k: { do: 'previous-claim' },
  o: { do: 'own-tab' },
  c: { do: 'copy' },
  '+': { do: 'zoom-in' },
  '-': { do: 'zoom-out' },
  '0': { do: 'zoom-fit' },
  '?': { do: 'help' },
};

const pages: Readonly<Record<string, Action>> = {
  a: { do: 'new-session' },
  d: { do: 'documents' },
  o: { do: 'sources' },
  s: { do: 'search' },
  t: { do: 'traces' },
  c: { do: 'conversations' },
  e: { do: 'evals' },
  m: { do: 'memory' },
  ',': { do: 'settings' },
};

/** One sign as it is written: `Shift`, `ArrowDown` and a space, which scrolls, are none. */
const isSign = (key: string): boolean => [...key].length === 1 && key !== ' ';

/** Keeps what was pressed before: `g` then a letter goes to a page. A sign that does nothing is written, as all are that a name or a question begins with. */
export function createKeys(lettersAreOn: () => boolean): (pressed: Pressed) => Action | undefined {
  let goes = false;
  return ({ key, inField, inDialog, modified, composing }) => {
    const went = goes;
    goes = false;
    if (modified || composing || inDialog) return undefined;
    if (key === 'Escape') return { do: 'escape' };
    if (inField || !lettersAreOn()) return undefined;
    if (!isSign(key)) return undefined;
    if (went) return Object.hasOwn(pages, key) ? pages[key] : { do: 'write', text: `g${key}` };
    goes = key === 'g';
    if (goes) return undefined;
    if (/^[1-9]$/.test(key)) return { do: 'citation', number: Number(key) };
    return Object.hasOwn(letters, key) ? letters[key] : { do: 'write', text: key };
  };
}

export const keyHelp: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'Go to the question, or to what is searched for'],
  ['Enter', 'Ask (Shift+Enter starts a line)'],
  ['Esc', 'Stop the answer, or close the source'],
  ['j k', 'Next and previous claim or result'],
  ['1 – 9', 'Open that source of the claim, else of the last answer; that result'],
  ['o', 'Open the shown source in a tab of its own'],
  ['+ – 0', 'Zoom in, zoom out, and fit the width of the shown page'],
  ['c', 'Copy the claim, else the answer, as Markdown'],
  ['g a', 'Start a new session'],
  ['g s', 'Search'],
  ['g d', 'Go to the documents'],
  ['g o', 'Go to the sources'],
  ['g t', 'Go to the traces'],
  ['g c', 'Go to the conversations'],
  ['g e', 'Go to the evaluations'],
  ['g m', 'Go to the memory'],
  ['g ,', 'Go to the settings'],
  ['?', 'Show these keys'],
  ['other letters', 'Begin a question'],
];
