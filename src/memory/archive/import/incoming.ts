// What readers of exports give: conversations in pieces, each a run of their turns in order. Readers stream: what they hold is bounded by
// one conversation of a format whose conversations stand whole, and by one message of the others.
import type { ArchiveMessage, ArchiveRole } from '../../../core/archive.ts';

export interface IncomingTurn {
  /** Its identity within the conversation, the same in each export that has it. */
  readonly key: string;
  /** As people may name it; default: the key. */
  readonly id?: string;
  readonly messages: readonly ArchiveMessage[];
  readonly atMs?: number;
  /** Where it stands, if not at its time: a reply stands with what it answers. */
  readonly positionMs?: number;
  /** Only a part of the turn is given: which messages of each role these are, and of how many. What there is of other roles stays. */
  readonly part?: TurnPart;
}

/** By role: behind how many of its messages these stand, and how many the turn has of it in all. */
export type TurnPart = { readonly [role in ArchiveRole]?: { readonly at: number; readonly of: number } };

export interface IncomingPiece {
  readonly conversation: { readonly id: string; readonly title?: string };
  readonly turns: readonly IncomingTurn[];
  /** These are all turns of it. */
  readonly isWhole?: boolean;
}

/** A message of a mailbox, which is read by the reader of mails. */
export interface IncomingMail {
  readonly mail: Uint8Array;
  /** From 1. */
  readonly count: number;
  /** Its own and that of the first message of its thread. */
  readonly id: string;
  readonly root: string;
}

/** Of all turns of a conversation, where they are not given with it. */
export interface SentPiece extends Omit<IncomingPiece, 'isWhole'> {
  /** Keys of all its turns: others that came by the same format go. */
  readonly keys?: readonly string[];
}

/** What leaves the process that reads an export. */
export type IncomingItem = SentPiece | IncomingMail;

export interface ImportNotes {
  /** Of something that could not be read: the rest goes on. */
  warn(message: string): void;
  /** Where local times without an offset are from. */
  readonly timeZone: string;
  /** Of the file without its extension. */
  readonly name: string;
  /** Day before month in dates that could be either; undefined: told from the file. */
  readonly signal?: AbortSignal | undefined;
}

/** Seconds or milliseconds since 1970, or a time in words that says its offset; undefined for what is no time. */
export function toMs(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return inMs(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(value)) return inMs(Number(value));
  return undefined;
}

/** Seconds reach this in the year 5138, milliseconds did in 1973. */
const leastMs = 1e11;
const inMs = (value: number): number | undefined => {
  const ms = Math.round(value < leastMs ? value * 1000 : value);
  return Math.abs(ms) <= 8.64e15 ? ms : undefined;
};

export const toTimestamp = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
