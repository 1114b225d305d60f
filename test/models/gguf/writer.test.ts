import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import type { FootnoteError } from '../../../src/core/errors.ts';
import { openWriter, type Writer, type WriterOptions } from '../../../src/models/gguf/writer.ts';
import type { GenerateRequest, StreamPart } from '../../../src/models/language/generation.ts';
import { ggufBytes } from '../hub/stand-in-hub.ts';
import { installStandIn } from './stand-in-runtime.ts';

const fileOf = (kind: string): Buffer => Buffer.concat([ggufBytes(300), Buffer.from(`\0${kind}`)]);

describe('a writer from a GGUF file', () => {
  let folder = '';
  const opened: Writer[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gguf-'));
    await installStandIn(folder);
    for (const kind of ['ok', 'cut-off', 'unknown', 'no-header', 'no-load'])
      await writeFile(join(folder, `${kind}.gguf`), fileOf(kind));
    await writeFile(join(folder, 'page.gguf'), '<html>Not found</html>');
    await mkdir(join(folder, 'parted'));
    for (const part of [1, 2]) await writeFile(join(folder, `parted/model-0000${part}-of-00002.gguf`), fileOf('ok'));
    await mkdir(join(folder, 'torn'));
    await writeFile(join(folder, 'torn/model-00001-of-00002.gguf'), fileOf('ok'));
    await mkdir(join(folder, 'uncounted'));
    await writeFile(join(folder, 'uncounted/model-00001-of-00000.gguf'), fileOf('ok'));
    await mkdir(join(folder, 'large'));
    await writeFile(join(folder, 'large/model-00001-of-00002.gguf'), fileOf('ok'));
    await writeFile(join(folder, 'large/model-00002-of-00002.gguf'), Buffer.alloc(3_000_000));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((writer) => writer.close()));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const open = (name = 'ok', options: Partial<WriterOptions> = {}): Writer => {
    const writer = openWriter(name, { folder, availableMemory: () => 8e9, ...options });
    opened.push(writer);
    return writer;
  };
  const asking = (content: string, more: Partial<GenerateRequest> = {}): GenerateRequest => ({
    messages: [
      { role: 'system', content: 'Say it again.' },
      { role: 'user', content },
    ],
    maxOutputTokens: 50,
    ...more,
  });
  const within = (ms = 60_000, signal?: AbortSignal) => ({ deadline: createDeadline(ms, signal) });
  const say = (writer: Writer, content: string, more: Partial<GenerateRequest> = {}) =>
    writer.generate(asking(content, more), within());

  it('streams what it writes and counts tokens', async () => {
    const writer = open();
    const parts: StreamPart[] = [];
    for await (const part of writer.stream(asking('The pump runs.'), within())) parts.push(part);
    expect(parts.map((part) => (part.type === 'delta' ? part.text : 'end')).join('|')).toMatch(/^The .*runs\.\|end$/u);
    expect(parts.at(-1)).toMatchObject({
      type: 'end',
      result: {
        text: 'The pump runs.',
        finish: 'stop',
        model: 'gguf:ok',
        costUsd: 0,
        usage: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 0, isEstimated: false },
      },
    });
    expect(await say(writer, 'one two three', { maxOutputTokens: 2 })).toMatchObject({
      text: 'one two ',
      finish: 'length',
    });
  });

  it('is held to a schema where it is asked for JSON', async () => {
    const schema = { type: 'object', properties: { author: { type: 'string' } } };
    const { text } = await say(open(), 'who', { json: { name: 'x', schema } });
    expect(JSON.parse(text)).toEqual({ author: { type: 'string' } });
  });

  it('gives the chances of words, however they are written, and goes before those who want a text', async () => {
    const writer = open();
    const choices = ['Yes', 'No'];
    expect((await say(writer, 'is it', { choices })).text).toBe('{"Yes":0.833,"No":0.167}');
    for (const said of ['silent', 'muttering']) expect((await say(writer, said, { choices })).text).toBe('{}');
    const order: string[] = [];
    const saying = (text: string, more: object = {}) => say(writer, text, more).then(() => order.push(text));
    await Promise.all([saying('a b c d e f g h'), saying('another text'), saying('a question', { choices })]);
    expect(order).toEqual(['a b c d e f g h', 'a question', 'another text']);
  });

  it('writes one text after another, and tells those who wait how many are before them', async () => {
    const writer = open('parted');
    const places: number[] = [];
    const texts = await Promise.all(
      ['a', 'b', 'c'].map((text) =>
        writer.generate(asking(text), { ...within(), waits: (ahead) => void places.push(ahead) }),
      ),
    );
    expect(texts.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(places).toEqual([1, 2, 0, 1, 0]);
    const leaving = new AbortController();
    const moved: number[] = [];
    const told = { waits: (ahead: number) => void moved.push(ahead) };
    const first = writer.generate(asking('a b c d e f'), within());
    const left = writer.generate(asking('left'), within(60_000, leaving.signal));
    const last = writer.generate(asking('last'), { ...within(), ...told });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    await Promise.all([first, last]);
    expect(moved).toEqual([2, 1, 0]);
  });

  it('leaves a text within a second, and goes on with the next', async () => {
    const writer = open();
    await say(writer, 'warm');
    const leaving = new AbortController();
    const startedAt = performance.now();
    const left = writer.generate(asking('forever', { maxOutputTokens: 9_999 }), within(60_000, leaving.signal));
    const next = say(writer, 'next');
    setTimeout(() => leaving.abort(), 100);
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    expect((await next).text).toBe('next');
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    await expect(writer.generate(asking('forever'), within(200))).rejects.toMatchObject({ code: 'deadline-exceeded' });
    for await (const part of writer.stream(asking('forever'), within())) {
      expect(part.type).toBe('delta');
      break;
    }
    expect((await say(writer, 'still there')).text).toBe('still there');
  });

  it('reads the start of a prompt once, also where the text before it was left', async () => {
    const writer = open();
    await say(writer, 'One question.');
    expect((await say(writer, 'Another question.')).usage).toMatchObject({ inputTokens: 6, cachedInputTokens: 3 });
    const long = 'slow '.repeat(3_000).trim();
    const leaving = new AbortController();
    const left = writer.generate(asking(long, { maxOutputTokens: 1 }), within(60_000, leaving.signal));
    setTimeout(() => leaving.abort(), 200);
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    const { inputTokens, cachedInputTokens } = (await say(writer, long, { maxOutputTokens: 1 })).usage;
    expect(inputTokens).toBe(3_004);
    expect(cachedInputTokens).toBeGreaterThan(128);
    expect(cachedInputTokens).toBeLessThan(3_000);
  });

  it('comes back after its process died in the middle of a text', async () => {
    const writer = open();
    await expect(say(writer, 'die')).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect((await say(writer, 'back')).text).toBe('back');
  });

  it.each([
    ['cut-off', 'file-cut-off', 'is cut off'],
    ['unknown', 'architecture', '"abacus"'],
    ['no-header', 'file-damaged', 'damaged GGUF header'],
    ['no-load', 'weights-damaged', 'Failed to load model'],
    ['page', 'not-gguf', 'not a GGUF file'],
    ['missing', 'no-file', 'footnote models list'],
    ['./missing.gguf', 'no-file', 'footnote models list'],
    ['torn', 'part-missing', 'model-00002-of-00002.gguf is not there'],
  ])('says what is wrong with a file: %s', async (name, fault, message) => {
    await expect(say(open(name), 'a')).rejects.toMatchObject({
      code: 'config-invalid',
      details: { fault },
      message: expect.stringContaining(message),
    });
  });

  it('is not loaded where memory does not suffice, and refuses tools and what is too long', async () => {
    const small = open('ok', { availableMemory: () => 1e6 });
    await expect(say(small, 'a')).rejects.toMatchObject({ code: 'upstream-unavailable', details: { fault: 'memory' } });
    const needed = async (name: string): Promise<number> => {
      const refused = await say(open(name, { availableMemory: () => 1e6 }), 'a').catch((thrown: unknown) => thrown);
      return (refused as FootnoteError).details['neededBytes'] as number;
    };
    expect((await needed('large')) - (await needed('ok'))).toBeGreaterThan(3_000_000);
    expect(await needed('uncounted')).toBe(await needed('ok'));
    const writer = open();
    const tools = [{ name: 'look', description: 'Looks.', schema: {} }];
    await expect(say(writer, 'a', { tools })).rejects.toMatchObject({ details: { fault: 'no-tools' } });
    await expect(say(writer, 'long')).rejects.toMatchObject({ code: 'too-large' });
    await expect(say(writer, 'many '.repeat(5_000))).rejects.toMatchObject({ code: 'too-large' });
  });

  it('says how to install the runtime where it is not there', async () => {
    const bare = await mkdtemp(join(tmpdir(), 'gguf-'));
    await writeFile(join(bare, 'ok.gguf'), fileOf('ok'));
    await expect(say(open('ok', { folder: bare }), 'a')).rejects.toMatchObject({
      details: { fault: 'no-runtime' },
      message: expect.stringContaining('node-llama-cpp'),
    });
    await rm(bare, { recursive: true });
  });
});
