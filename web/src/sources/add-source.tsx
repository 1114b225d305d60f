// A source is declared: where it lies, what it is called, how often it is read. What it would bring is shown before anything is written.
import { useState } from 'preact/hooks';
import { attempt } from '../ask/session.ts';
import { callJson } from '../shared/api.ts';
import type { SourceType } from '../shared/contract.ts';
import { writtenIn } from '../shared/written.ts';
import { Choice, Field, Fold } from '../shell/fields.tsx';
import { isAdmin } from '../shell/holdings.ts';
import { type GivenSource, Look } from './look.tsx';
import { sync } from './sync.ts';

/** Kinds of places, and what they are given by. What lies on the machine of the server is an admin's to name. */
const kinds = [
  ['sitemap', 'a site', 'url'],
  ['url', 'a page or file of the web', 'url'],
  ['feed', 'a feed', 'url'],
  ['git', 'a repository, by its address', 'url'],
  ['folder', 'a folder of the server', 'path'],
  ['checkout', 'a repository on the server', 'path'],
] as const;

const types: readonly SourceType[] = ['docs', 'guide', 'textbook', 'code', 'qa', 'web'];

interface Declared extends GivenSource {
  readonly schedule?: { readonly everyMinutes: number };
}

function declaredIn(form: HTMLFormElement): Declared {
  const { text } = writtenIn(form);
  const [kind, , by] = kinds.find(([one]) => one === text('kind')) ?? kinds[0];
  const minutes = Number(text('minutes'));
  return {
    name: text('name'),
    type: text('type') as SourceType,
    connector: { kind: kind === 'checkout' ? 'git' : kind, [by]: text('place') },
    ...(minutes > 0 && { schedule: { everyMinutes: minutes } }),
  };
}

export function AddSource() {
  const [looking, setLooking] = useState<Declared>();
  const [added, setAdded] = useState(0);
  const open = kinds.filter(([, , by]) => by === 'url' || isAdmin.value).map(([kind, text]) => [kind, text] as const);
  const add = async (source: Declared): Promise<void> => {
    setLooking(undefined);
    await callJson('v1/sources', { body: source });
    setAdded((count) => count + 1);
    await sync(source.name);
  };
  return (
    <Fold name="Add a folder, a site or a repository" isOpen={false}>
      <form
        key={added}
        class="choices"
        aria-label="Add a source"
        onInput={() => setLooking(undefined)}
        onSubmit={(event) => {
          event.preventDefault();
          setLooking(declaredIn(event.currentTarget));
        }}
      >
        <div class="row">
          <Choice name="kind" label="What" value="sitemap" choices={open} />
          <Field name="place" label="Address or path" isNeeded />
          <Field name="name" label="Call it" maxLength={200} isNeeded />
        </div>
        <div class="row">
          <Choice name="type" label="It holds" value="docs" choices={types.map((type) => [type, type])} />
          <Field name="minutes" label="Read again every (minutes)" type="number" size={6} />
          <button type="submit" class="main">
            Look first
          </button>
        </div>
      </form>
      {looking && (
        <Look
          key={JSON.stringify(looking)}
          source={{ name: looking.name, type: looking.type, connector: looking.connector }}
          act="Read it in"
          onAct={() => attempt(add(looking))}
          onCancel={() => setLooking(undefined)}
        />
      )}
    </Fold>
  );
}
