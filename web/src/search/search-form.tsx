// What to search for, among which documents, and with which settings. What is chosen stands in the address.
import { go } from '../shared/address.ts';
import { unreadOf } from '../shared/unread.ts';
import { writtenIn } from '../shared/written.ts';
import { Choice, Field, Fold } from '../shell/fields.tsx';
import { holdings } from '../shell/holdings.ts';
import { areRead } from '../shell/unread-fields.ts';
import { modeNames, needs, readState, type SearchState, typeNames, writeState } from './state.ts';

/** What a form says, as an address would; what is open closes with the results that it was among. */
function queryIn(form: HTMLFormElement, limit: number): URLSearchParams {
  const { text, all } = writtenIn(form);
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && !/^field(?:Name|Value)$|^beside$/.test(name)) query.append(name, value);
  const names = all('fieldName').map((name) => name.trim());
  for (const [at, value] of all('fieldValue').entries()) if (names[at]) query.append('field', `${names[at]}=${value}`);
  const beside = text('beside');
  if (beside === 'none') query.delete('besideMin');
  else query.set('beside', beside);
  query.set('limit', String(limit));
  return query;
}

interface SearchFormProps {
  readonly state: SearchState;
  /** The same is searched for again. */
  onAgain(): void;
}

export function SearchForm({ state, onAgain }: SearchFormProps) {
  const filters = [state.source, state.type, state.language, state.from || state.to].filter(Boolean).length;
  const count = filters + state.fields.length;
  const take = (form: HTMLFormElement): 'unread' | 'same' | 'taken' => {
    const written = queryIn(form, state.limit);
    const next = writeState(readState(written.toString()));
    if (!areRead(form, unreadOf(written, new URLSearchParams(next), needs), needs)) return 'unread';
    const { open: _, ...now } = state;
    if (next === writeState(now)) return 'same';
    go({ page: 'search', query: next });
    return 'taken';
  };
  return (
    <form
      id="search-form"
      class="choices"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (take(event.currentTarget) === 'same') onAgain();
      }}
      onChange={(event) => {
        // The words wait for Enter; a field without its value says nothing yet.
        const { name } = event.target as HTMLInputElement;
        if (name !== 'q' && name !== 'fieldName') take(event.currentTarget);
      }}
    >
      <label for="question" class="unseen">
        Search for
      </label>
      <div class="row words-row">
        <input
          id="question"
          type="search"
          name="q"
          maxLength={20_000}
          autocomplete="off"
          dir="auto"
          value={state.text}
        />
        <button type="submit" class="main">
          Search
        </button>
      </div>
      <div class="row">
        <Choice name="mode" label="Mode" value={state.mode} choices={[['', 'default'], ...Object.entries(modeNames)]} />
        <Choice
          name="beside"
          label="Beside it"
          value={state.beside?.mode ?? 'none'}
          choices={[['none', 'nothing'], ['', 'default'], ...Object.entries(modeNames)]}
        />
      </div>
      <Fold name={count === 0 ? 'Filters' : `Filters (${count})`} isOpen={count > 0}>
        <div class="row">
          <SourceChoice value={state.source} />
          <Choice name="type" label="Type" value={state.type} choices={[['', 'all'], ...Object.entries(typeNames)]} />
          <Field name="language" label="Language" value={state.language} size={6} hint="Its code, such as en" />
        </div>
        <fieldset class="row">
          <legend>Time</legend>
          <Choice
            name="time"
            label="When"
            value={state.time}
            choices={[
              ['published', 'published'],
              ['read', 'read by Footnote'],
            ]}
          />
          <Field name="from" label="From" value={state.from} type="date" />
          <Field name="to" label="Up to" value={state.to} type="date" />
        </fieldset>
        {[...state.fields, ['', ''] as const].map(([name, value], at) => (
          <fieldset key={at} class="row">
            <legend>{`Own field ${at + 1}`}</legend>
            <Field name="fieldName" label="Name" value={name} />
            <Field name="fieldValue" label="Value" value={value} />
          </fieldset>
        ))}
      </Fold>
      <Fold name="Settings" isOpen={state.minScore !== '' || Boolean(state.beside)}>
        <div class="row">
          <Field name="min" label="Least score, 0 to 1" value={state.minScore} size={6} />
          {state.beside && (
            <>
              <Field name="besideMin" label="Least score of the other list" value={state.beside.minScore} size={6} />
              <label>
                <input type="checkbox" name="unfiltered" value="1" checked={state.beside.unfiltered} /> The other list
                without filters
              </label>
            </>
          )}
        </div>
      </Fold>
    </form>
  );
}

function SourceChoice({ value }: { readonly value: string }) {
  const names = (holdings.value?.sources ?? []).map(({ name }) => name);
  return (
    <Choice
      name="source"
      label="Source"
      value={value}
      choices={[['', 'all'], ...names.map((name) => [name, name] as const)]}
    />
  );
}
