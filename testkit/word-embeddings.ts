// A provider of embeddings on 127.0.0.1 whose vectors are bags of hashed words: texts that share words are near, so that searches by them find
// what they should. It counts the texts that it was asked for, and can be down.
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WordEmbeddings {
  /** With its path, as OPENAI_BASE_URL takes it. */
  readonly address: string;
  /** Texts in the order in which they came. */
  readonly texts: readonly string[];
  /** Calls, answered or not. */
  readonly calls: readonly (readonly string[])[];
  isDown: boolean;
  close(): Promise<void>;
}

const places = 256;

export function wordVector(text: string, dimensions = places): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const at = Number.parseInt(hash('sha256', word, 'hex').slice(0, 8), 16) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((one) => one / length);
}

export async function openWordEmbeddings({ dimensions = places } = {}): Promise<WordEmbeddings> {
  const texts: string[] = [];
  const calls: string[][] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { input, model } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[]; model: string };
      calls.push(input);
      if (self.isDown) {
        response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"down"}}');
        return;
      }
      texts.push(...input);
      const data = input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: wordVector(text, dimensions),
      }));
      const tokens = input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
      const usage = { prompt_tokens: tokens, total_tokens: tokens };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data, model, usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: WordEmbeddings = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts,
    calls,
    isDown: false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}
