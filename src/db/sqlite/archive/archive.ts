// The archive of conversations of one scope on SQLite. Invariants: a turn stands once under its key however often it is written, and one
// that changed is written as a new row, so that a row never has other words than its index; who may not read a conversation finds none of it.
import type { DatabaseSync } from 'node:sqlite';
import { type ArchiveMessage, rolesInTurn } from '../../../core/archive.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import { assertEverySource, hasRole, type Scope, sharesIn } from '../../../core/scope.ts';
import { noteConversation, notePages } from '../../erasure/erasure-notes.ts';
import { parseCursor, toLimit, toPage, toSoundPage } from '../../paging.ts';
import type {
  ArchiveConversationName,
  ArchiveConversationWrite,
  ArchiveRepository,
  ArchiveTurnRow,
  ArchiveTurnWrite,
  ArchiveWritten,
} from '../../repositories/archive.ts';
import { isSound, sealColumns } from '../../sealed-rows.ts';
import { prepared } from '../file/connection.ts';
import { seal } from '../file/seals.ts';
import {
  type ConversationColumns,
  conversationColumns,
  soundTurns,
  type TurnColumns,
  toConversation,
  toTurn,
  turnColumns,
} from './rows.ts';

export interface ArchivePorts {
  read<T>(work: (database: DatabaseSync) => T): T;
  write<T>(work: (database: DatabaseSync) => T): Promise<T>;
}

export function createArchiveRepository(scope: Scope, { read, write }: ArchivePorts): ArchiveRepository {
  const { tenant, principal } = scope;
  const readsAll = hasRole(principal, 'admin') ? 1 : 0;
  /** Parameters of `visible`. */
  const reader = [tenant, principal.id, sharesIn(principal), readsAll] as const;
  const visible = (table: string): string =>
    `${table}.tenant = ? AND (${table}.owner = ? OR (${table}.owner = '' AND ?) OR ?)`;
  const own = "CASE owner WHEN ? THEN 0 WHEN '' THEN 1 ELSE 2 END, owner";

  const find = (database: DatabaseSync, id: string): ConversationColumns | undefined =>
    prepared(
      database,
      `SELECT ${conversationColumns} FROM archive_conversation c WHERE ${visible('c')} AND c.id = ? ORDER BY ${own} LIMIT 1`,
    ).get(...reader, id, principal.id) as ConversationColumns | undefined;

  /**
   * The caller's own or, of what is shared, the shared one; made where there is none. Undefined: somebody else shared it. A private one never
   * joins a shared one, whatever its id: ids of exports can be guessed.
   */
  function conversationFor(database: DatabaseSync, given: ArchiveConversationWrite, at: string) {
    if (given.shared) assertEverySource(principal);
    const owner = given.shared ? '' : principal.id;
    const known = prepared(
      database,
      'SELECT row, owner, title, format, language, brought_by FROM archive_conversation WHERE tenant = ? AND owner = ? AND id = ?',
    ).get(tenant, owner, given.id) as
      | (Pick<ConversationColumns, 'row' | 'owner' | 'title' | 'format' | 'language'> & { readonly brought_by: string })
      | undefined;
    if (known) {
      // Not known of those that were shared before that was kept: their writers go on with them.
      const isMine = owner !== '' || readsAll === 1 || known.brought_by === '' || known.brought_by === principal.id;
      if (!isMine) return undefined;
      if (given.title !== undefined && given.title !== '' && given.title !== known.title)
        prepared(database, 'UPDATE archive_conversation SET title = ? WHERE row = ?').run(given.title, known.row);
      return known;
    }
    const row = prepared(
      database,
      'INSERT INTO archive_conversation (tenant, owner, id, title, format, language, imported_at, brought_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(tenant, owner, given.id, given.title ?? '', given.format, given.language, at, principal.id).lastInsertRowid;
    return { row: Number(row), owner, format: given.format, language: given.language };
  }

  function freeId(database: DatabaseSync, owner: string, given: { wanted: string; conversation: string }): string {
    const taken = prepared(database, 'SELECT 1 FROM archive_turn WHERE tenant = ? AND id = ? AND owner = ?');
    const whole = `${given.conversation}/${given.wanted}`;
    for (const id of [given.wanted, whole]) if (taken.get(tenant, id, owner) === undefined) return id;
    for (let copy = 2; ; copy += 1)
      if (taken.get(tenant, `${whole}~${copy}`, owner) === undefined) return `${whole}~${copy}`;
  }

  function removeTurns(database: DatabaseSync, rows: readonly number[]): void {
    const remove = prepared(database, 'DELETE FROM archive_turn WHERE row = ?');
    for (const row of rows) remove.run(row);
    notePages(database, tenant);
  }

  const lastRow = (database: DatabaseSync): number =>
    Number(prepared(database, 'SELECT max(row) AS last FROM archive_turn').get()?.['last'] ?? 0);

  function putAll(
    database: DatabaseSync,
    conversations: readonly ArchiveConversationWrite[],
    at: string,
  ): ArchiveWritten {
    const added: ArchiveTurnRow[] = [];
    const removed: number[] = [];
    const refused: { readonly conversation: string; readonly turns: number }[] = [];
    let [created, updated, unchanged] = [0, 0, 0];
    const present = prepared(
      database,
      `SELECT row, hash, ${sealColumns('archive_turn')} FROM archive_turn WHERE conversation = ? AND key = ?`,
    );
    const remove = prepared(database, 'DELETE FROM archive_turn WHERE row = ?');
    const insert = prepared(
      database,
      'INSERT INTO archive_turn (tenant, owner, id, key, conversation, at_ms, position, sequence, author, hash, messages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    let sequence = lastRow(database);
    for (const given of conversations) {
      const conversation = conversationFor(database, given, at);
      if (!conversation) {
        refused.push({ conversation: given.id, turns: given.turns.length });
        continue;
      }
      for (const turn of given.turns) {
        const before = present.get(conversation.row, turn.key) as PresentTurn | undefined;
        const { messages, atMs, position } = joined(turn, before);
        const json = JSON.stringify(messages);
        const hash = sha256(`${atMs ?? ''}\n${json}`);
        if (before?.hash === hash && isSound('archive_turn', before)) {
          unchanged += 1;
          continue;
        }
        if (before) {
          remove.run(before.row);
          removed.push(before.row);
        }
        const id = before?.id ?? freeId(database, conversation.owner, { wanted: turn.id, conversation: given.id });
        sequence += 1;
        const row = Number(
          insert.run(
            tenant,
            conversation.owner,
            id,
            turn.key,
            conversation.row,
            atMs ?? null,
            position,
            before?.sequence ?? sequence,
            authorOf(messages) ?? null,
            hash,
            json,
          ).lastInsertRowid,
        );
        seal(database, 'archive_turn', row);
        if (before) updated += 1;
        else created += 1;
        const { owner } = conversation;
        const found = { row, id, key: turn.key, conversation: conversation.row, owner, position, messages };
        added.push({ ...found, language: conversation.language, ...(atMs !== undefined && { atMs }) });
      }
    }
    if (removed.length > 0) notePages(database, tenant);
    return { added, removed, created, updated, unchanged, refused };
  }

  return {
    put: (conversations, at) => write((database) => putAll(database, conversations, at)),

    async keepOnly({ id, shared, format, keys }) {
      const whose = [tenant, shared ? '' : principal.id, id, format, principal.id, readsAll] as const;
      const removed: number[] = [];
      for (let after = ''; ; ) {
        const turns = read((database) =>
          prepared(
            database,
            `SELECT t.row, t.key FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
              WHERE c.tenant = ? AND c.owner = ? AND c.id = ? AND c.format = ? AND (c.brought_by IN ('', ?) OR ?) AND t.key > ? ORDER BY t.key LIMIT ?`,
          ).all(...whose, after, together),
        ) as unknown as readonly { readonly row: number; readonly key: string }[];
        const gone = turns.filter(({ key }) => !keys.has(key)).map(({ row }) => row);
        if (gone.length > 0) await write((database) => removeTurns(database, gone));
        removed.push(...gone);
        if (turns.length < together) return removed;
        after = turns.at(-1)?.key ?? '';
      }
    },

    list: async (request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'number']);
        const sql = `SELECT ${conversationColumns} FROM archive_conversation c WHERE ${visible('c')}
          ${cursor ? 'AND (c.imported_at, c.row) < (?, ?)' : ''} ORDER BY c.imported_at DESC, c.row DESC LIMIT ?`;
        const rows = prepared(database, sql).all(...reader, ...(cursor ?? []), limit + 1);
        return toPage(rows as unknown as ConversationColumns[], limit, {
          value: toConversation,
          key: (row) => [row.imported_at, row.row],
        });
      }),

    conversation: async (id) =>
      read((database) => {
        const row = find(database, id);
        return row && toConversation(row);
      }),

    conversations: async (rows) =>
      read((database) => {
        const sql = `SELECT c.row, c.id AS conversation_id, c.title FROM archive_conversation c WHERE ${visible('c')} AND c.row = ?`;
        const get = prepared(database, sql);
        const found = new Map<number, ArchiveConversationName>();
        for (const row of new Set(rows)) {
          const one = get.get(...reader, row);
          if (one) found.set(row, one as unknown as ArchiveConversationName);
        }
        return found;
      }),

    turn: async (id, conversationId) =>
      read((database) => {
        const order = "ORDER BY CASE t.owner WHEN ? THEN 0 WHEN '' THEN 1 ELSE 2 END, t.owner LIMIT 1";
        const one = (sql: string, ...values: string[]) =>
          prepared(database, `SELECT ${turnColumns} ${sql} AND ${visible('t')} ${order}`).get(
            ...values,
            ...reader,
            principal.id,
          ) as TurnColumns | undefined;
        // The conversation is found first, whatever is known of how many there are.
        const inside = (conversation: string, key: string) =>
          one(
            `FROM archive_conversation c CROSS JOIN archive_turn t ON t.conversation = c.row WHERE c.tenant = ? AND c.id = ? AND t.key = ?`,
            tenant,
            conversation,
            key,
          );
        const named =
          'FROM archive_turn t CROSS JOIN archive_conversation c ON c.row = t.conversation WHERE t.tenant = ? AND t.id = ?';
        if (conversationId !== undefined) {
          const found = inside(conversationId, id) ?? one(`${named} AND c.id = ?`, tenant, id, conversationId);
          if (found) return toTurn(found);
        }
        const cut = id.lastIndexOf('/');
        const row =
          (conversationId === undefined ? one(named, tenant, id) : undefined) ??
          (cut > 0 ? inside(id.slice(0, cut), id.slice(cut + 1)) : undefined);
        return row && toTurn(row);
      }),

    turns: async (rows) =>
      read((database) => {
        const get = prepared(
          database,
          `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation WHERE ${visible('t')} AND t.row = ?`,
        );
        return rows.flatMap((row) => {
          const one = get.get(...reader, row);
          return one ? soundTurns([one]) : [];
        });
      }),

    around: async (row, before, after) =>
      read((database) => {
        const near = (comparison: '<' | '>', order: 'DESC' | 'ASC', limit: number): ArchiveTurnRow[] => {
          const sql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
            JOIN archive_turn o ON o.row = ? AND o.conversation = t.conversation
            WHERE ${visible('t')} AND (t.position, t.sequence) ${comparison} (o.position, o.sequence)
            ORDER BY t.position ${order}, t.sequence ${order} LIMIT ?`;
          return [...soundTurns(prepared(database, sql).all(row, ...reader, limit))];
        };
        return { before: near('<', 'DESC', before).reverse(), after: near('>', 'ASC', after) };
      }),

    turnsOf: async (conversation, request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['number', 'number']);
        const sql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
          WHERE ${visible('t')} AND t.conversation = ? ${cursor ? 'AND (t.position, t.sequence) > (?, ?)' : ''}
          ORDER BY t.position, t.sequence LIMIT ?`;
        const rows = prepared(database, sql).all(...reader, conversation, ...(cursor ?? []), limit + 1);
        return toSoundPage(rows as unknown as TurnColumns[], limit, {
          value: toTurn,
          key: (row) => [row.position, row.sequence],
          isSound: (row) => isSound('archive_turn', row),
          tells: readsAll === 1,
        });
      }),

    async delete(id) {
      const found = read((database) => find(database, id));
      if (found === undefined) return undefined;
      if (found.owner === '' && !hasRole(principal, 'writer'))
        throw new FootnoteError('forbidden', 'A shared conversation is deleted by a writer.');
      const { row: conversation } = found;
      const removed: number[] = [];
      // In pieces, so that nobody waits for a long one. A kill between two leaves the rest, and that it is to be erased is noted with the first.
      for (let left = true; left; )
        await write((database) => {
          const sql = 'SELECT row FROM archive_turn WHERE conversation = ? LIMIT ?';
          const rows = prepared(database, sql)
            .all(conversation, together)
            .map(({ row }) => Number(row));
          left = rows.length === together;
          if (removed.length === 0 || !left) noteConversation(database, tenant, id);
          removeTurns(database, rows);
          removed.push(...rows);
          if (left) return;
          // What a chat answered out of it has its words.
          prepared(
            database,
            'DELETE FROM archive_chat WHERE row IN (SELECT chat FROM archive_chat_source WHERE conversation = ?)',
          ).run(conversation);
          prepared(database, 'DELETE FROM archive_conversation WHERE row = ?').run(conversation);
        });
      return { removed, conversation };
    },
  };
}

/** Turns that are looked at, or taken away, at once: some 10 ms. */
const together = 500;

/** Who says the turn, as far as one person does. */
const authorOf = (messages: readonly ArchiveMessage[]): string | undefined =>
  messages.find(({ author }) => author !== undefined)?.author;

interface PresentTurn {
  readonly row: number;
  readonly id: string;
  readonly at_ms: number | null;
  readonly position: number;
  readonly sequence: number;
  readonly hash: string;
  readonly messages: string;
}

/** The turn as it is to stand: where only a part of it is given, with what stood there of the rest. */
function joined(turn: ArchiveTurnWrite, before: PresentTurn | undefined) {
  const { messages, position, atMs, part } = turn;
  if (!before || !part || !isSound('archive_turn', before)) return { messages, position, atMs };
  const stood = JSON.parse(before.messages) as readonly ArchiveMessage[];
  const both = rolesInTurn.flatMap((role) => {
    const own = messages.filter((message) => message.role === role);
    const there = stood.filter((message) => message.role === role);
    const { at, of } = part[role] ?? { at: 0, of: there.length };
    return [...there.slice(0, at), ...own, ...there.slice(at + own.length, of)];
  });
  const times = [before.at_ms ?? undefined, atMs].filter((ms) => ms !== undefined);
  return { messages: both, position: before.position, atMs: times.length === 0 ? undefined : Math.min(...times) };
}
