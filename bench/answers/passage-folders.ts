// Folders of real documents from public packages: fetched by their scripts, and taken in by a server over HTTP.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The folder `name` inside `target`, fetched where it is not there yet. */
export function fetchInto(target: string, script: string, name: string): string {
  const path = join(target, name);
  if (!existsSync(path)) {
    const { status } = spawnSync('bash', [script, target], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${script} failed`);
  }
  return path;
}

/** The same in PASSAGE_FOLDERS, or in a folder of its own that the caller removes. */
export function fetchFolder(script: string, name: string): { path: string; target: string; isKept: boolean } {
  const kept = process.env['PASSAGE_FOLDERS'];
  const target = kept ?? mkdtempSync(join(tmpdir(), 'footnote-folders-'));
  mkdirSync(target, { recursive: true });
  return { path: fetchInto(target, script, name), target, isKept: kept !== undefined };
}

/** Takes all files of the folder in, and waits until they are found by words and by meaning: the encoder comes in behind. */
export async function syncFolder(url: string, path: string): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const source = JSON.stringify({ name: 'folder', type: 'docs', connector: { kind: 'folder', path } });
  await fetch(`${url}/v1/sources`, { method: 'POST', headers: json, body: source });
  const started = await fetch(`${url}/v1/sources/folder/sync`, { method: 'POST' });
  const { id } = (await started.json()) as { readonly id: string };
  const progress = await fetch(`${url}/v1/ingestions/${id}`, { headers: { accept: 'text/event-stream' } });
  await progress.text();
  for (;;) {
    const stores = (await (await fetch(`${url}/v1/stores`)).json()) as { readonly data: readonly StoreState[] };
    const vectors = stores.data.find((store) => store.vectors)?.vectors;
    const isComing = vectors?.encoder?.state === 'waiting' || vectors?.encoder?.state === 'encoding';
    if (!vectors || (!isComing && !['training', 'embedding'].includes(vectors.state))) return;
    await sleep(1_000);
  }
}

interface StoreState {
  readonly vectors?: { readonly state: string; readonly encoder?: { readonly state: string } };
}
