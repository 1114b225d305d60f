// Who asks. A repository or store handle is built for one scope, and no method takes one, so none can be forgotten.
import { FootnoteError } from './errors.ts';
import type { KeyLimits } from './spending.ts';

export const roles = ['reader', 'writer', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Ways in that a key may be limited to: our own API with its pages, what mirrors OpenAI's and Anthropic's, and MCP. */
export const doors = ['api', 'openai', 'anthropic', 'mcp'] as const;
export type DoorName = (typeof doors)[number];

export interface Principal {
  /** Stable id of the caller, such as `key:3f2a` or `local`. */
  readonly id: string;
  readonly role: Role;
  readonly groups: readonly string[];
  /** The sources that there are for it, whatever its groups; absent: all of its tenant. */
  readonly sources?: readonly string[];
  /** Absent: all. */
  readonly doors?: readonly DoorName[];
  /** Of its own; what it does not name is as the settings say. */
  readonly limits?: KeyLimits;
}

/** One tenant and one principal: what a caller can see and change. */
export interface Scope {
  readonly tenant: string;
  readonly principal: Principal;
}

export const defaultTenant = 'default';

const ownerId = 'local';

/** The owner of the data folder at the terminal: everything of the default tenant. */
export function localScope(tenant: string = defaultTenant): Scope {
  return { tenant, principal: { id: ownerId, role: 'admin', groups: [] } };
}

/** Work of the program itself over all of a tenant; `by` says which, as far as a principal is kept. */
export const tenantScope = (tenant: string, by: string): Scope => ({
  tenant,
  principal: { id: by, role: 'admin', groups: [] },
});

/** Whether this is the owner, who may do on this machine what the program may; an admin's key is for one tenant and no more. */
export const isOwner = (principal: Principal): boolean => principal.id === ownerId;

/** Names that a document's access list may carry to let this principal read it. Admins read everything of their tenant. */
export function accessNames(principal: Principal): readonly string[] {
  return [principal.id, ...principal.groups];
}

/** Whether the principal may read a document with this access list (absent: everyone of the tenant). */
export function mayRead(principal: Principal, access: readonly string[] | undefined): boolean {
  if (access === undefined || principal.role === 'admin') return true;
  const names = new Set(accessNames(principal));
  return access.some((name) => names.has(name));
}

/** Whether there is this source for the principal. */
export const hasSource = ({ sources }: Principal, name: string): boolean => sources?.includes(name) ?? true;

/** Whether the principal may read a document: its source is one of its own, and its access list lets it. */
export const mayReadDocument = (
  principal: Principal,
  { source, access }: { readonly source: string; readonly access?: readonly string[] },
): boolean => hasSource(principal, source) && mayRead(principal, access);

/** What is shared in a tenant without being of a source: for those who are limited to none. Throws `forbidden`. */
export function assertEverySource({ sources }: Principal): void {
  if (sources === undefined) return;
  throw new FootnoteError(
    'forbidden',
    `This key is for ${sources.length === 0 ? 'no source' : `the sources ${sources.join(', ')}`} alone, and this is about more. Use a key without such a limit.`,
  );
}

/** Conversations that are shared may speak of any source: 1 where they are for the principal. */
export const sharesIn = ({ sources }: Principal): 0 | 1 => (sources === undefined ? 1 : 0);

/** A text that differs wherever two callers may differ in what they read. */
export const readerKey = ({ tenant, principal: { id, role, groups, sources } }: Scope): string =>
  JSON.stringify([tenant, id, role, groups, sources]);

const rank: Readonly<Record<Role, number>> = { reader: 0, writer: 1, admin: 2 };

export function hasRole(principal: Principal, needed: Role): boolean {
  return rank[principal.role] >= rank[needed];
}
