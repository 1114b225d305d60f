// Where a person finds what is cited: the file on this machine with its line, if it is there, else the address that
// shows the span.
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { folderOf } from '../../core/connector.ts';
import type { Footnote } from '../../footnote/facade.ts';

export interface Cited {
  readonly source: string;
  readonly uri: string;
  readonly url: string;
  readonly lines?: readonly [number, number] | undefined;
}

export type FindPlace = (cited: Cited) => string;

/** `url` is shown only while a server runs that would answer it. */
export async function createPlaces(footnote: Footnote, urlWorks: boolean): Promise<FindPlace> {
  const roots = new Map<string, string>();
  for (const { name, connector } of await footnote.sources.list()) {
    const folder = folderOf(connector);
    if (folder === undefined) continue;
    const path = resolve(folder);
    roots.set(name, existsSync(path) && statSync(path).isFile() ? dirname(path) : path);
  }
  return ({ source, uri, url, lines }) => {
    const root = roots.get(source);
    const file = uri.replace(/#.*$/s, '');
    const path = isAbsolute(file) ? file : root === undefined ? undefined : join(root, file);
    if (path !== undefined && existsSync(path)) {
      const near = relative(process.cwd(), path);
      return `${near.startsWith('..') ? path : near}${lines && file === uri ? `:${lines[0]}` : ''}`;
    }
    return urlWorks ? url : uri;
  };
}
