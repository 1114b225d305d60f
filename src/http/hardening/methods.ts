// Which methods a path knows, so that a known path asked with another method is 405 and not 404.
import { FootnoteError } from '../../core/errors.ts';

/** The path exists, the method does not. */
export class MethodNotAllowed extends FootnoteError {
  constructor(method: string, allowed: readonly string[]) {
    super('invalid-request', `${method} is not possible here; ${allowed.join(', ')} is.`);
  }
}

export interface RouteBook {
  add(method: string, url: string): void;
  /** `[method, pattern]` of every route. */
  readonly routes: readonly (readonly [method: string, pattern: RegExp])[];
}

export function createRouteBook(): RouteBook {
  const routes: [string, RegExp][] = [];
  return {
    routes,
    add(method, url) {
      const pattern = url
        .split('/')
        .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
        .join('/');
      routes.push([method, new RegExp(`^${pattern}$`)]);
    },
  };
}

export function allowedMethods(book: RouteBook, url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  const methods = book.routes.filter(([, pattern]) => pattern.test(path)).map(([method]) => method);
  return [...new Set(methods)].sort();
}
