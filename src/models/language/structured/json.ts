// Finds the JSON in what a model wrote: bare, fenced, after its thoughts, between sentences. Invariant: never guesses — a value that
// is not closed is `cut`, and nothing is added, quoted or repaired here; depth and size are bounded before parsing.

export type FoundJson =
  | { readonly ok: true; readonly value: unknown; readonly isBare: boolean }
  | { readonly ok: false; readonly why: 'empty' | 'none' | 'cut' | 'damaged' | 'too-deep'; readonly detail: string };

const deepest = 64;
const thoughts = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/iu;
const openThought = /^\s*<(think|thinking|reasoning)>/iu;

/** The longest JSON object or array of the text; `isBare` where nothing else is said. Total, in time linear in the text. */
export function findJson(written: string): FoundJson {
  const text = written
    .replace(/^\ufeff/u, '')
    .replace(thoughts, '')
    .trim();
  if (text === '') return { ok: false, why: 'empty', detail: 'the answer is empty' };
  if (openThought.test(text)) return { ok: false, why: 'cut', detail: 'the answer ends inside its thoughts' };
  let failure: FoundJson & { ok: false } = { ok: false, why: 'none', detail: 'the answer holds no JSON object' };
  // Prose around an answer has brackets of its own, such as "[1]": the longest value is the answer.
  let best: { readonly value: unknown; readonly length: number } | undefined;
  for (let from = 0; from < text.length; ) {
    const start = indexOfOpening(text, from);
    if (start < 0) break;
    const end = endOfValue(text, start);
    if (end === 'too-deep')
      return { ok: false, why: 'too-deep', detail: `the JSON is nested deeper than ${deepest} levels` };
    if (end === 'cut') {
      // Whatever is whole behind an open bracket is a part of the answer, never the answer.
      failure = { ok: false, why: 'cut', detail: 'the JSON ends before it is closed' };
      break;
    }
    from = end;
    try {
      const value: unknown = JSON.parse(text.slice(start, end));
      if (!best || end - start > best.length) best = { value, length: end - start };
    } catch (error) {
      failure = { ok: false, why: 'damaged', detail: plain(error) };
    }
  }
  return best ? { ok: true, value: best.value, isBare: best.length === text.length } : failure;
}

function indexOfOpening(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === 0x7b || character === 0x5b) return index;
  }
  return -1;
}

/** Past the bracket that closes the one at `start`, or past the first that closes none: by brackets and strings alone. */
function endOfValue(text: string, start: number): number | 'cut' | 'too-deep' {
  const closing: string[] = [];
  let isString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isString) {
      if (character === '\\') index += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') {
      closing.push(character === '{' ? '}' : ']');
      if (closing.length > deepest) return 'too-deep';
    } else if (character === '}' || character === ']') {
      if (closing.pop() !== character || closing.length === 0) return index + 1;
    }
  }
  return 'cut';
}

/** V8 quotes the text that it could not read: what is shown to the model again is the place alone. */
function plain(error: unknown): string {
  const position = /position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? 'the JSON is damaged' : `the JSON is damaged at character ${position}`;
}
