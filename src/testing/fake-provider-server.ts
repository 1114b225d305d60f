// A provider of models on 127.0.0.1 that says what its script says, in the protocol that the client speaks. Invariants: a call beyond
// the script is refused and makes `assertFinished` throw, so does a wrong key or a path that the provider does not have; keys are never kept.
import { FootnoteError } from '../core/errors.ts';
import { countPromptTokens } from '../models/language/model-usage.ts';
import { createScript, type ScriptStep } from '../models/language/script.ts';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from './fake-http.ts';
import type { FakeReply } from './fake-reply.ts';

export interface FakeRequest {
  readonly path: string;
  /** All text of the messages, instructions first. */
  readonly prompt: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export type FakeStep = ScriptStep<FakeRequest, string | FakeReply>;
/** Steps that are used one after the other, or what is said to any call. */
export type FakeScript = readonly FakeStep[] | ((request: FakeRequest, index: number) => string | FakeReply);

export interface FakeProviderServer {
  /** As clients are given it, with its path. */
  readonly address: string;
  /** Settings that make Footnote use it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Calls of language models, in order. */
  readonly requests: readonly FakeRequest[];
  /** Throws if a call was not expected, refused, or a step not used. */
  assertFinished(): void;
  close(): Promise<void>;
}

/** One way in, such as `/chat/completions`. */
export interface FakeRoute {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly answer: (request: SeenRequest) => Wire;
}

export interface FakeProtocol {
  readonly name: string;
  /** Behind the origin, such as `/v1`. */
  readonly root: string;
  readonly keyOf: (headers: SeenRequest['headers']) => string | undefined;
  readonly apiKey: string;
  /** By path: in which form calls of language models are answered. */
  readonly render: readonly (readonly [RegExp, (reply: FakeReply, request: SeenRequest) => Wire])[];
  readonly routes: readonly FakeRoute[];
  readonly environment: (address: string) => Readonly<Record<string, string>>;
}

export async function openFakeProviderServer(script: FakeScript, protocol: FakeProtocol): Promise<FakeProviderServer> {
  const { name, root, keyOf, apiKey, render, routes } = protocol;
  const steps = typeof script === 'function' ? [] : script;
  const scripted = createScript<FakeRequest, string | FakeReply>(steps, { name, textOf: ({ prompt }) => prompt });
  const answered: FakeRequest[] = [];
  const [, refuse] = render[0] as FakeProtocol['render'][number];

  const say = (seen: SeenRequest): FakeReply => {
    const request: FakeRequest = { path: seen.path, prompt: promptOf(seen.body), body: seen.body };
    answered.push(request);
    try {
      const reply = typeof script === 'function' ? script(request, answered.length - 1) : scripted.next(request);
      return withUsage(typeof reply === 'string' ? { text: reply } : reply, request.prompt);
    } catch (thrown) {
      // 400: no client tries that again.
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      if (!(thrown instanceof FootnoteError)) scripted.fail(message);
      return { error: { status: 400, type: 'invalid_request_error', message } };
    }
  };
  const respond = (seen: SeenRequest): Wire => {
    const fail = (status: number, message: string, code: string): Wire => {
      scripted.fail(message);
      return refuse({ error: { status, code, message } }, seen);
    };
    const path = seen.path.replace(/\?.*$/su, '');
    if (keyOf(seen.headers) !== apiKey) return fail(401, `a call of ${path} came with a wrong key`, 'invalid_api_key');
    const form = seen.method === 'POST' ? render.find(([pattern]) => pattern.test(path)) : undefined;
    if (form) return form[1](say(seen), seen);
    const route = routes.find((one) => one.method === seen.method && one.path.test(path));
    return route?.answer(seen) ?? fail(404, `there is no ${seen.method} ${path}`, 'not_found');
  };
  const server: FakeServer = await openFakeServer(respond);
  const address = `${server.address}${root}`;
  return {
    address,
    environment: protocol.environment(address),
    requests: answered,
    assertFinished: scripted.assertFinished,
    close: () => server.close(),
  };
}

/** A reply that does not say what it took reports what its texts have, so that costs are those of a real call. */
function withUsage(reply: FakeReply, prompt: string): FakeReply {
  const { usage, text = '', refusal = '' } = reply;
  if (usage !== undefined) return reply;
  return { ...reply, usage: { input: countPromptTokens(prompt), output: countPromptTokens(`${text}${refusal}`) } };
}

/** What a model reads: system text and messages of any of the protocols, one a line. */
function promptOf(body: Readonly<Record<string, unknown>>): string {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === 'object' && value !== null) {
      const { content, text } = value as Readonly<Record<string, unknown>>;
      walk(content ?? text);
    }
  };
  for (const name of ['instructions', 'system', 'messages', 'input']) walk(body[name]);
  return texts.join('\n');
}
