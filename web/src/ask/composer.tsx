// The question field: it grows with what is written, and takes what is too long for it as a file beside the question.
import { AddFiles, FilesOnTheWay } from './more-files.tsx';
import { ask, draft, isRunning, mode, notice, pasted, report, stop, tell } from './session.ts';

/** The longest question that the server takes. */
const mostCharacters = 20_000;
/** From here on it is told how many there are. */
const manyCharacters = 19_000;
/** The longest request that the server takes, without a question of that length and what else stands in it. */
const mostBytes = 1_048_576 - 6 * mostCharacters - 4_096;
/** Safari ends a word that is composed before it tells of the key that ended it; the key has this code. */
const inComposition = 229;
let pastes = 0;

/** As it is sent. */
const sizeOf = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length;

function submit(): void {
  const question = draft.value.trim();
  if (isRunning.value) return;
  if (question === '') {
    document.getElementById('question')?.focus();
    return;
  }
  if (question.length > mostCharacters) {
    tell(lengthText(question));
    document.getElementById('question')?.focus();
    return;
  }
  draft.value = '';
  ask(question).catch(report);
}

const numbers = new Intl.NumberFormat();

/** Nothing that was written is cut: what is too long waits until it is shorter. */
function lengthText({ length }: string): string {
  const over = length - mostCharacters;
  const count = `${numbers.format(length)} of at most ${numbers.format(mostCharacters)} characters`;
  return over > 0 ? `${count}: take away ${numbers.format(over)}, or add the text as a document.` : `${count}.`;
}

/** The button goes, and focus with it. */
function stopHere(): void {
  stop();
  document.getElementById('question')?.focus();
}

function takePaste(event: ClipboardEvent): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (text.length + draft.value.length <= mostCharacters) return;
  event.preventDefault();
  const bytes = sizeOf(text);
  const left = mostBytes - pasted.value.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > left) {
    const detail = `It takes ${kilobytes.format(bytes / 1000)}, and ${kilobytes.format(left / 1000)} are left beside the question. Add it as a document.`;
    notice.value = { title: 'This is too long to paste', detail };
    return;
  }
  pastes += 1;
  pasted.value = [...pasted.value, { path: `pasted-${pastes}.txt`, text, bytes }];
}

const kilobytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0, style: 'unit', unit: 'kilobyte' });

export function Composer() {
  const question = draft.value.trim();
  const isTooLong = question.length > mostCharacters;
  return (
    <form
      id="ask"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FilesOnTheWay />
      {pasted.value.map(({ path, bytes }) => (
        <p key={path} class="pasted">
          {`${path}, ${kilobytes.format(bytes / 1000)}, goes with the question `}
          <button type="button" onClick={() => (pasted.value = pasted.value.filter((one) => one.path !== path))}>
            {`Remove ${path}`}
          </button>
        </p>
      ))}
      <label for="question">Question</label>
      <textarea
        id="question"
        rows={1}
        autocomplete="off"
        dir="auto"
        aria-describedby="hint question-length"
        aria-invalid={isTooLong}
        value={draft.value}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onPaste={takePaste}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === inComposition) return;
          event.preventDefault();
          submit();
        }}
      />
      {question.length > manyCharacters && (
        <p id="question-length" class={isTooLong ? 'pasted failure' : 'pasted'}>
          {lengthText(question)}
        </p>
      )}
      <div class="row">
        <label for="mode">Search</label>
        <select id="mode" value={mode.value} onChange={(event) => (mode.value = event.currentTarget.value)}>
          <option value="">default</option>
          <option value="embedded">embedded (words)</option>
          <option value="vector">vector (meaning)</option>
          <option value="hybrid">hybrid (both)</option>
        </select>
        <span id="hint">Enter asks, Shift+Enter starts a line.</span>
        <AddFiles />
        {isRunning.value && (
          <button type="button" id="stop" onClick={stopHere}>
            Stop
          </button>
        )}
        <button type="submit" id="submit" aria-disabled={isRunning.value}>
          Ask
        </button>
      </div>
    </form>
  );
}
