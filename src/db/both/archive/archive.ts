// The archive of conversations of one scope. Invariants: a turn stands once under its key however often it is written, and one
// that changed is written as a new row, so that a row never has other words than its index; who may not read a conversation finds none of it.
import { type ArchiveMessage, rolesInTurn } from '../../../core/archive.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import { assertEverySource, hasRole, type Scope, sharesIn } from '../../../core/scope.ts';
import { parseCursor, toLimit, toPage, toSoundPage } from '../../paging.ts';
import type {
  ArchiveConversationName,
  ArchiveConversationWrite,
  ArchiveRepository,
  ArchiveTurnRow,
  ArchiveTurnWrite,
  ArchiveWritten,
} from '../../repositories/archive.ts';
import { isSound, sealColumns, sealOfRow } from '../../sealed-rows.ts';
import { first, insertEach, rows, run, type Statements, type StatementValue, type Steps } from '../../statements.ts';
import type { SessionOf } from '../memories/rows.ts';
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
  readonly statements: Statements;
  /** Joins in the order of the text, where a database could take another. */
  readonly inOrder: 'CROSS JOIN' | 'JOIN';
  /** What was deleted stood nowhere else. */
  notePages(tenant: string): Steps<void>;
  /** A conversation of the archive was deleted: answers that cite its turns and traces in which they were read are to lose them. */
  noteConversation(tenant: string, id: string): Steps<void>;
  noteSession(session: SessionOf): Steps<void>;
  /** Turns were taken away: where other servers have an index of them. */
  readonly noteRemoved?: (tenant: string, rows: readonly string[]) => Steps<void>;
}

interface HeldConversation {
  readonly row: number;
  readonly owner: string;
  readonly language: string;
}

/** Turns of one conversation, none of which has the key of another. */
interface Run {
  readonly given: ArchiveConversationWrite;
  readonly conversation: HeldConversation;
  readonly turns: readonly ArchiveTurnWrite[];
}

const insertTurn = `INSERT INTO archive_turn (tenant, owner, id, key, conversation, at_ms, position, sequence, author, hash, messages, seal)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING row, key`;

export function createArchiveRepository(scope: Scope, ports: ArchivePorts): ArchiveRepository {
  const { statements, inOrder, notePages, noteConversation, noteRemoved } = ports;
  const { tenant, principal } = scope;
  const readsAll = hasRole(principal, 'admin') ? 1 : 0;
  /** Parameters of `visible`. */
  const reader = [tenant, principal.id, sharesIn(principal), readsAll] as const;
  const visible = (table: string): string =>
    `${table}.tenant = ? AND (${table}.owner = ? OR (${table}.owner = '' AND ? = 1) OR ? = 1)`;
  const own = "CASE owner WHEN ? THEN 0 WHEN '' THEN 1 ELSE 2 END, owner";

  const find = (id: string): Steps<ConversationColumns | undefined> =>
    first(
      `SELECT ${conversationColumns} FROM archive_conversation c WHERE ${visible('c')} AND c.id = ? ORDER BY ${own} LIMIT 1`,
      ...[...reader, id, principal.id],
    );

  /**
   * The caller's own or, of what is shared, the shared one; made where there is none. Undefined: somebody else shared it. A private one never
   * joins a shared one, whatever its id: ids of exports can be guessed.
   */
  function* conversationFor(given: ArchiveConversationWrite, at: string): Steps<HeldConversation | undefined> {
    if (given.shared) assertEverySource(principal);
    const owner = given.shared ? '' : principal.id;
    type Known = HeldConversation & { readonly title: string; readonly brought_by: string };
    const known = yield* first<Known>(
      'SELECT row, owner, title, language, brought_by FROM archive_conversation WHERE tenant = ? AND owner = ? AND id = ?',
      ...[tenant, owner, given.id],
    );
    if (known) {
      // Not known of those that were shared before that was kept: their writers go on with them.
      const isMine = owner !== '' || readsAll === 1 || known.brought_by === '' || known.brought_by === principal.id;
      if (!isMine) return undefined;
      if (given.title !== undefined && given.title !== '' && given.title !== known.title)
        yield* run('UPDATE archive_conversation SET title = ? WHERE row = ?', given.title, known.row);
      return known;
    }
    const { id, title = '', format, language } = given;
    const made = yield* first<{ readonly row: number }>(
      `INSERT INTO archive_conversation (tenant, owner, id, title, format, language, imported_at, brought_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING row`,
      ...[tenant, owner, id, title, format, language, at, principal.id],
    );
    return { row: made?.row ?? 0, owner, language };
  }

  function* takenAmong(owner: string, ids: readonly string[]): Steps<readonly string[]> {
    const sql = 'SELECT id FROM archive_turn WHERE tenant = ? AND owner = ? AND id = ANY(?)';
    return (yield* rows<{ readonly id: string }>(sql, tenant, owner, ids)).map(({ id }) => id);
  }

  /** An id that no turn of the owner has; from now on it is taken. */
  function* freeId(taken: Set<string>, owner: string, [wanted, whole]: readonly [string, string]): Steps<string> {
    let id = [wanted, whole].find((one) => !taken.has(one));
    for (let copy = 2; id === undefined; copy += 1) {
      const other = `${whole}~${copy}`;
      if (!taken.has(other) && (yield* takenAmong(owner, [other])).length === 0) id = other;
    }
    taken.add(id);
    return id;
  }

  function* dropTurns(removed: readonly number[]): Steps<void> {
    const places = removed.map(String);
    yield* run('DELETE FROM archive_turn WHERE row = ANY(?)', places);
    if (noteRemoved && places.length > 0) yield* noteRemoved(tenant, places);
  }

  function* removeTurns(removed: readonly number[]): Steps<void> {
    yield* dropTurns(removed);
    yield* notePages(tenant);
  }

  function* putRun({ given, conversation, turns }: Run, sequence: number) {
    const { owner } = conversation;
    const found = yield* rows<PresentTurn>(
      `SELECT row, hash, ${sealColumns('archive_turn')} FROM archive_turn WHERE conversation = ? AND key = ANY(?)`,
      conversation.row,
      turns.map(({ key }) => key.toWellFormed()),
    );
    const present = new Map(found.map((row) => [row.key, row]));
    const idsOf = ({ id }: ArchiveTurnWrite) => [id.toWellFormed(), `${given.id}/${id}`.toWellFormed()] as const;
    const fresh = turns.filter(({ key }) => !present.has(key.toWellFormed()));
    const taken = new Set(fresh.length === 0 ? [] : yield* takenAmong(owner, fresh.flatMap(idsOf)));
    const removed: number[] = [];
    const written = new Map<string, Omit<ArchiveTurnRow, 'row'>>();
    const inserts: StatementValue[][] = [];
    let last = sequence;
    for (const turn of turns) {
      const key = turn.key.toWellFormed();
      const before = present.get(key);
      const { messages, atMs, position } = joined(turn, before);
      const json = JSON.stringify(messages);
      const hash = sha256(`${atMs ?? ''}\n${json}`);
      if (before?.hash === hash && isSound('archive_turn', before)) continue;
      if (before) removed.push(before.row);
      const id = before?.id ?? (yield* freeId(taken, owner, idsOf(turn)));
      last += 1;
      const row = {
        tenant,
        owner,
        id,
        key,
        conversation: conversation.row,
        at_ms: atMs ?? null,
        position,
        sequence: before?.sequence ?? last,
        author: authorOf(messages)?.toWellFormed() ?? null,
        hash,
        messages: json,
      };
      inserts.push([...Object.values(row), sealOfRow('archive_turn', row)]);
      const told = { id, key: turn.key, conversation: conversation.row, owner, position, messages };
      written.set(key, { ...told, language: conversation.language, ...(atMs !== undefined && { atMs }) });
    }
    if (removed.length > 0) yield* dropTurns(removed);
    const placed = yield* insertEach<{ readonly row: number; readonly key: string }>(insertTurn, inserts);
    const added = placed.flatMap(({ row, key }): ArchiveTurnRow[] => {
      const turn = written.get(key);
      return turn ? [{ row, ...turn }] : [];
    });
    return { added, removed, sequence: last };
  }

  function* putAll(conversations: readonly ArchiveConversationWrite[], at: string): Steps<ArchiveWritten> {
    const added: ArchiveTurnRow[] = [];
    const removed: number[] = [];
    const refused: { readonly conversation: string; readonly turns: number }[] = [];
    let unchanged = 0;
    const greatest = yield* first<{ readonly last: number | null }>('SELECT max(row) AS last FROM archive_turn');
    let sequence = greatest?.last ?? 0;
    for (const given of conversations) {
      const conversation = yield* conversationFor(given, at);
      if (!conversation) {
        refused.push({ conversation: given.id, turns: given.turns.length });
        continue;
      }
      for (const turns of runsOf(given.turns)) {
        const done = yield* putRun({ given, conversation, turns }, sequence);
        added.push(...done.added);
        removed.push(...done.removed);
        unchanged += turns.length - done.added.length;
        sequence = done.sequence;
      }
    }
    if (removed.length > 0) yield* notePages(tenant);
    const updated = removed.length;
    return { added, removed, created: added.length - updated, updated, unchanged, refused };
  }

  return {
    put: (conversations, at) => statements.write(() => putAll(conversations, at)),

    async keepOnly({ id, shared, format, keys }) {
      const whose = [tenant, shared ? '' : principal.id, id, format, principal.id, readsAll] as const;
      const removed: number[] = [];
      const sql = `SELECT t.row, t.key FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
        WHERE c.tenant = ? AND c.owner = ? AND c.id = ? AND c.format = ? AND (c.brought_by IN ('', ?) OR ? = 1) AND t.key > ? ORDER BY t.key LIMIT ?`;
      for (let after = ''; ; ) {
        type Row = { readonly row: number; readonly key: string };
        const turns = await statements.rows<Row>(sql, ...whose, after, together);
        const gone = turns.filter(({ key }) => !keys.has(key)).map(({ row }) => row);
        if (gone.length > 0) await statements.free(() => removeTurns(gone));
        removed.push(...gone);
        if (turns.length < together) return removed;
        after = turns.at(-1)?.key ?? '';
      }
    },

    async list(request) {
      const limit = toLimit(request);
      const cursor = parseCursor(request, ['string', 'number']);
      const sql = `SELECT ${conversationColumns} FROM archive_conversation c WHERE ${visible('c')}
        ${cursor ? 'AND (c.imported_at, c.row) < (?, ?)' : ''} ORDER BY c.imported_at DESC, c.row DESC LIMIT ?`;
      const found = await statements.rows<ConversationColumns>(sql, ...reader, ...(cursor ?? []), limit + 1);
      return toPage(found, limit, { value: toConversation, key: (row) => [row.imported_at, row.row] });
    },

    conversation: (id) =>
      statements.read(function* () {
        const row = yield* find(id);
        return row && toConversation(row);
      }),

    async conversations(wanted) {
      const sql = `SELECT c.row, c.id AS conversation_id, c.title FROM archive_conversation c WHERE ${visible('c')} AND c.row = ANY(?)`;
      const places = [...new Set(wanted)].map(String);
      const found = await statements.rows<ArchiveConversationName>(sql, ...reader, places);
      const byRow = new Map(found.map((one) => [one.row, one]));
      return new Map(
        wanted.flatMap((row) => {
          const one = byRow.get(row);
          return one ? [[row, one] as const] : [];
        }),
      );
    },

    turn: (id, conversationId) =>
      statements.read(function* () {
        const order = "ORDER BY CASE t.owner WHEN ? THEN 0 WHEN '' THEN 1 ELSE 2 END, t.owner LIMIT 1";
        const one = (sql: string, ...values: string[]): Steps<TurnColumns | undefined> =>
          first(`SELECT ${turnColumns} ${sql} AND ${visible('t')} ${order}`, ...values, ...reader, principal.id);
        // The conversation is found first, whatever is known of how many there are.
        const inside = (conversation: string, key: string) =>
          one(
            `FROM archive_conversation c ${inOrder} archive_turn t ON t.conversation = c.row WHERE c.tenant = ? AND c.id = ? AND t.key = ?`,
            ...[tenant, conversation, key],
          );
        const named = `FROM archive_turn t ${inOrder} archive_conversation c ON c.row = t.conversation WHERE t.tenant = ? AND t.id = ?`;
        if (conversationId !== undefined) {
          const found =
            (yield* inside(conversationId, id)) ?? (yield* one(`${named} AND c.id = ?`, tenant, id, conversationId));
          if (found) return toTurn(found);
        }
        const cut = id.lastIndexOf('/');
        const row =
          (conversationId === undefined ? yield* one(named, tenant, id) : undefined) ??
          (cut > 0 ? yield* inside(id.slice(0, cut), id.slice(cut + 1)) : undefined);
        return row && toTurn(row);
      }),

    async turns(wanted) {
      const sql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation WHERE ${visible('t')} AND t.row = ANY(?)`;
      const found = await statements.rows<TurnColumns>(sql, ...reader, [...new Set(wanted)].map(String));
      const byRow = new Map(soundTurns(found).map((turn) => [turn.row, turn]));
      return wanted.flatMap((row) => byRow.get(row) ?? []);
    },

    around: (row, before, after) =>
      statements.read(function* () {
        function* near(comparison: '<' | '>', order: 'DESC' | 'ASC', limit: number): Steps<ArchiveTurnRow[]> {
          const sql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
            JOIN archive_turn o ON o.row = ? AND o.conversation = t.conversation
            WHERE ${visible('t')} AND (t.position, t.sequence) ${comparison} (o.position, o.sequence)
            ORDER BY t.position ${order}, t.sequence ${order} LIMIT ?`;
          return [...soundTurns(yield* rows<TurnColumns>(sql, row, ...reader, limit))];
        }
        return { before: (yield* near('<', 'DESC', before)).reverse(), after: yield* near('>', 'ASC', after) };
      }),

    async turnsOf(conversation, request) {
      const limit = toLimit(request);
      const cursor = parseCursor(request, ['number', 'number']);
      const sql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
        WHERE ${visible('t')} AND t.conversation = ? ${cursor ? 'AND (t.position, t.sequence) > (?, ?)' : ''}
        ORDER BY t.position, t.sequence LIMIT ?`;
      const found = await statements.rows<TurnColumns>(sql, ...reader, conversation, ...(cursor ?? []), limit + 1);
      return toSoundPage(found, limit, {
        value: toTurn,
        key: (row) => [row.position, row.sequence],
        isSound: (row) => isSound('archive_turn', row),
        tells: readsAll === 1,
      });
    },

    async delete(id) {
      const found = await statements.read(() => find(id));
      if (found === undefined) return undefined;
      if (found.owner === '' && !hasRole(principal, 'writer'))
        throw new FootnoteError('forbidden', 'A shared conversation is deleted by a writer.');
      const { row: conversation } = found;
      const removed: number[] = [];
      // In pieces, so that nobody waits for a long one. A kill between two leaves the rest, and that it is to be erased is noted with the first.
      for (let left = true; left; ) {
        const isFirst = removed.length === 0;
        const gone = await statements.free(function* () {
          const sql = 'SELECT row FROM archive_turn WHERE conversation = ? LIMIT ?';
          const some = (yield* rows<{ readonly row: number }>(sql, conversation, together)).map(({ row }) => row);
          const isLast = some.length < together;
          if (isFirst || isLast) yield* noteConversation(tenant, id);
          yield* removeTurns(some);
          if (!isLast) return some;
          // What a chat answered out of it has its words.
          const read = 'SELECT chat FROM archive_chat_source WHERE conversation = ?';
          yield* run(`DELETE FROM archive_chat WHERE row IN (${read})`, conversation);
          yield* run('DELETE FROM archive_conversation WHERE row = ?', conversation);
          return some;
        });
        left = gone.length === together;
        removed.push(...gone);
      }
      return { removed, conversation };
    },
  };
}

/** Turns one after another, cut before one whose key stood already. */
function* runsOf(turns: readonly ArchiveTurnWrite[]): Generator<readonly ArchiveTurnWrite[]> {
  let some: ArchiveTurnWrite[] = [];
  const keys = new Set<string>();
  for (const turn of turns) {
    const key = turn.key.toWellFormed();
    if (some.length === together || keys.has(key)) {
      yield some;
      some = [];
      keys.clear();
    }
    some.push(turn);
    keys.add(key);
  }
  if (some.length > 0) yield some;
}

/** Turns that are looked at, or taken away, at once: some 10 ms. */
const together = 500;

/** Who says the turn, as far as one person does. */
const authorOf = (messages: readonly ArchiveMessage[]): string | undefined =>
  messages.find(({ author }) => author !== undefined)?.author;

interface PresentTurn {
  readonly row: number;
  readonly id: string;
  readonly key: string;
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
