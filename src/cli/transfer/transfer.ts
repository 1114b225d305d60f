// What a tenant knows as lines of JSON, and back: documents with their bytes, archived conversations, memories of who asks, feedback with the answers
// that it is about. Invariants: a file is read to its end before anything of it is brought in, and a line that is not good refuses all of it by its
// number; bringing it in twice is as once.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { version } from '../../config/version.ts';
import { answerSchema } from '../../core/answer.ts';
import { addTurnsSchema, archiveIdSchema } from '../../core/archive.ts';
import { metadataSchema, sourceTypes } from '../../core/document.ts';
import { asAbsent, FootnoteError } from '../../core/errors.ts';
import { feedbackSchema } from '../../core/feedback.ts';
import { memoryRequestSchema } from '../../core/memory.ts';
import { defined } from '../../core/values/defined.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { everyPage } from '../remote/every-page.ts';

const headSchema = z.object({ format: z.literal('footnote-export'), version: z.int(), footnote: z.string() });
const knownVersion = 1;

const lineSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('document'),
    source: z.string(),
    sourceType: z.enum(sourceTypes),
    uri: z.string().min(1),
    title: z.string(),
    mime: z.string(),
    category: z.string().exactOptional(),
    version: z.string().exactOptional(),
    publishedAt: z.string().exactOptional(),
    metadata: metadataSchema,
    access: z.array(z.string()).exactOptional(),
    text: z.string().exactOptional(),
    name: z.string().exactOptional(),
    bytes: z.base64().exactOptional(),
  }),
  z.strictObject({ kind: z.literal('conversation'), id: archiveIdSchema, ...addTurnsSchema.shape }),
  z.strictObject({ kind: z.literal('memory'), ...memoryRequestSchema.shape }),
  z.strictObject({ kind: z.literal('feedback'), feedback: feedbackSchema, answer: answerSchema }),
]);
type Line = z.output<typeof lineSchema>;

/** Messages that one call takes. */
const messagesTogether = 10_000;

/** Every line, the head first. What goes away meanwhile is left out. */
export async function* exportLines({
  documents,
  conversations,
  memories,
  feedback,
  answers,
}: Footnote): AsyncGenerator<string> {
  yield JSON.stringify({
    format: 'footnote-export',
    version: knownVersion,
    footnote: version,
    at: new Date().toISOString(),
  });
  const line = (one: Line): string => JSON.stringify(one);
  for await (const { id, source, sourceType, uri, title, mime, ...rest } of everyPage((page) => documents.list(page))) {
    const file = await documents.file(id).catch(asAbsent);
    if (!file) continue;
    const { category, version: edition, publishedAt, metadata, access } = rest;
    const bytes = Buffer.from(file.bytes);
    // What was given as text has no bytes of its own.
    const content =
      file.mime === mime ? { name: file.name, bytes: bytes.toString('base64') } : { text: bytes.toString('utf8') };
    const facts = defined({ category, version: edition, publishedAt, access: access && [...access] });
    yield line({
      kind: 'document',
      source,
      sourceType,
      uri,
      title,
      mime,
      metadata: { ...metadata },
      ...facts,
      ...content,
    } as Line);
  }
  for await (const { conversation_id: id, title, shared } of everyPage((page) => conversations.list(page))) {
    let messages: z.output<typeof addTurnsSchema>['messages'] = [];
    for await (const { turn_id } of everyPage((page) => conversations.turns(id, page))) {
      const turn = await conversations.turn(turn_id, { conversation_id: id, content: 'full' });
      const said = turn.messages.filter(({ text }) => text !== '');
      messages.push(
        ...said.map(({ role, author, text, timestamp }) =>
          defined({ turn_id: turn.source_turn_id ?? turn_id, role, author, text, timestamp }),
        ),
      );
      if (messages.length < messagesTogether / 2) continue;
      yield line({ kind: 'conversation', id, title, shared, messages });
      messages = [];
    }
    if (messages.length > 0) yield line({ kind: 'conversation', id, title, shared, messages });
  }
  for await (const { text, type, tags } of everyPage((page) => memories.list(page)))
    yield line({ kind: 'memory', text, type, tags: [...tags] });
  for await (const one of everyPage((page) => feedback.list(page))) {
    const answer = await answers.get(one.answerId).catch(asAbsent);
    if (answer) yield line({ kind: 'feedback', feedback: one, answer } as Line);
  }
}

const badLine = (file: string, number: number, what: string): FootnoteError =>
  new FootnoteError('invalid-request', `${file}, line ${number}: ${what}. Nothing was imported.`, {
    details: { line: number },
  });

async function* linesOf(file: string): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    let given: unknown;
    try {
      given = JSON.parse(text);
    } catch {
      throw badLine(file, number, 'it is not JSON');
    }
    if (number === 1) {
      const head = headSchema.safeParse(given);
      if (!head.success) throw badLine(file, 1, 'an export of Footnote begins with its head, and this is none');
      if (head.data.version > knownVersion)
        throw new FootnoteError(
          'migration-needed',
          `${file} was written by Footnote ${head.data.footnote}. Update this one to import it.`,
        );
      continue;
    }
    const line = lineSchema.safeParse(given);
    const [issue] = line.error?.issues ?? [];
    if (!line.success) throw badLine(file, number, `${issue?.path.join('.')}: ${issue?.message}`);
    yield line.data;
  }
  if (number === 0) throw badLine(file, 1, 'it is empty');
}

/** Brings in what is not there yet; how many lines of each kind there were. Throws `invalid-request` for a line that is not good. */
export async function importLines(
  footnote: Footnote,
  file: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = { document: 0, conversation: 0, memory: 0, feedback: 0 };
  for await (const { kind } of linesOf(file)) counts[kind] = (counts[kind] ?? 0) + 1;
  for await (const line of linesOf(file)) {
    signal.throwIfAborted();
    await bringIn(footnote, line, signal);
  }
  return counts;
}

async function bringIn(footnote: Footnote, line: Line, signal: AbortSignal): Promise<void> {
  if (line.kind === 'document') {
    const { kind: _, bytes, ...document } = line;
    await footnote.documents.add(
      { ...document, ...(bytes !== undefined && { bytes: Buffer.from(bytes, 'base64') }) },
      { signal },
    );
  } else if (line.kind === 'conversation') {
    const { kind: _, id, ...turns } = line;
    await footnote.conversations.addTurns(id, turns);
  } else if (line.kind === 'memory') {
    const { kind: _, ...memory } = line;
    await footnote.memories.add(memory);
  } else await footnote.feedback.take(line);
}
