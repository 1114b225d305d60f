// What a machine takes for fixed work of the kinds that the product does, in plain JavaScript and in SQLite: the unit in which costs are
// kept, so that they say something of the code and little of the machine. The work must never change: every committed ratio rests on it.
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const records = 3_000;

export function calibrate(): number {
  let state = 20_261_121;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  const texts = Array.from({ length: records }, () =>
    Array.from({ length: 40 }, () => `w${(next() % 5_000).toString(36)}`).join(' '),
  );
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const copies = JSON.parse(JSON.stringify(texts.map((text, id) => ({ id, text, length: text.length })))) as {
    readonly text: string;
  }[];
  const hash = createHash('sha256');
  for (const { text } of copies) hash.update(text);
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE record (id TEXT PRIMARY KEY, text TEXT NOT NULL, number INTEGER NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO record VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (const [number, text] of texts.entries()) insert.run(`record-${number}`, text, number);
  database.exec('COMMIT');
  const find = database.prepare('SELECT text, number FROM record WHERE id = ?');
  let length = ranked.length + hash.digest().length;
  for (let n = 0; n < records; n += 1) length += String(find.get(`record-${next() % records}`)?.['text']).length;
  database.close();
  return length;
}
