// Runs statements that both databases take on PostgreSQL. Invariant: works that write what belongs together (one kind of thing of one tenant) run
// one after another on whichever server, so that what they look up before they write is still so.
import { type Outcome, rememberTexts, type Statement, type Statements, type Steps } from '../../statements.ts';
import { type Connection, isNoted, type PostgresClient } from './client.ts';

/** `?` in the order of the text, or `?1` by number. */
function numbered(sql: string): string {
  let at = 0;
  return sql.replaceAll(/\?(\d*)/gu, (_, number: string) => `$${number === '' ? ++at : number}`);
}
const textOf = rememberTexts(numbered);

/** Values of one statement: it may have 65,535. */
const mostValues = 5000;

/** One statement for many rows; of as many texts as there are counts none is remembered. */
function textFor(sql: string, count: number): string {
  const places = /VALUES (\([?, ]+\))/u;
  return numbered(sql.replace(places, (_, place: string) => `VALUES ${Array(count).fill(place).join(', ')}`));
}

async function perform(connection: Connection, { sql, values, each }: Statement): Promise<Outcome> {
  if (!each) return connection.ask(textOf(sql), values);
  const together = Math.max(1, Math.floor(mostValues / (each[0]?.length ?? 1)));
  const found: object[] = [];
  for (let at = 0; at < each.length; at += together) {
    const some = each.slice(at, at + together);
    found.push(...(await connection.ask(textFor(sql, some.length), some.flat())).rows);
  }
  return { rows: found, changes: each.length };
}

/** What the work returns; it is told what its statements throw. */
export async function runSteps<T>(connection: Connection, steps: Steps<T>): Promise<T> {
  for (let next = steps.next(); ; ) {
    if (next.done === true) return next.value;
    let outcome: Outcome;
    try {
      outcome = await perform(connection, next.value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(outcome);
  }
}

/** `alone`: what the works are about; `shares`: what they share with works about other things. */
export function createStatements(client: PostgresClient, alone: string, shares?: string): Statements {
  const options = { alone, ...(shares !== undefined && { shares }) };
  const write: Statements['write'] = (work) => client.write((connection) => runSteps(connection, work()), options);
  return {
    read: (work) => client.read((connection) => runSteps(connection, work())),
    rows: <Row>(sql: string, ...values: Statement['values']) => client.rows<Row>(textOf(sql), values),
    write,
    once: (id, work) =>
      client.write(
        async (connection) => {
          if (!(await isNoted(connection, id))) await runSteps(connection, work());
        },
        { ...options, id },
      ),
    free: write,
  };
}
