// A Footnote over a few notes, with a stand-in of a provider of models: what tests of steps that models take open.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { localScope } from '../src/core/scope.ts';
import type { FakeProviderServer } from '../src/testing/index.ts';
import { openFootnote } from './open-footnote.ts';

export interface NotesOptions {
  /** Markdown by name. */
  readonly documents: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
  /** Told how to take it down again, in the order in which it came up. */
  readonly ends: (() => Promise<unknown>)[];
}

/** `fake` is taken down with it. */
export async function openNotes(fake: FakeProviderServer, { documents, settings, ends }: NotesOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-notes-'));
  ends.push(
    () => rm(folder, { recursive: true, force: true }),
    () => fake.close(),
  );
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), ...fake.environment, MODEL_ANSWER: 'none', ...settings };
  const opened = await openFootnote(loadConfig({ folder, environment }));
  ends.push(() => opened.close());
  const footnote = opened.forScope(localScope());
  for (const [uri, text] of Object.entries(documents))
    await footnote.documents.add({ text, mime: 'text/markdown', uri, source: 'notes' });
  return footnote;
}
