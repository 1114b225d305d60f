import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { secretsOf, withoutSecrets } from '../../../src/models/calls/without-secrets.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';

const key = 'sk-aab-aab-aab-aac-1234';
const request = { messages: [{ role: 'user' as const, content: 'x' }], maxOutputTokens: 100 };

async function read(deltas: readonly string[], secrets: readonly string[]) {
  const options = { deadline: createDeadline(600_000) };
  const model = withoutSecrets(createScriptedModel([{ reply: { deltas } }, { reply: deltas.join('') }]), secrets);
  let text = '';
  let end = '';
  for await (const part of model.stream(request, options))
    if (part.type === 'delta') text += part.text;
    else end = part.result.text;
  const { text: whole } = await model.generate(request, options);
  return { text, end, whole };
}

describe('withoutSecrets', () => {
  it('lets no secret through, wherever a stream is cut, and all else', async () => {
    const piece = fc.constantFrom(key, key.slice(0, 9), key.slice(5), 'sk-', ' tower ', 'a', '-aab', '343');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 8 }),
        fc.array(fc.nat(40), { maxLength: 6 }),
        async (parts, cuts) => {
          const written = parts.join('');
          const at = [...new Set([0, ...cuts.filter((cut) => cut < written.length), written.length])].sort(
            (a, b) => a - b,
          );
          const deltas = at.slice(1).map((end, index) => written.slice(at[index], end));
          const { text, end, whole } = await read(deltas, [key]);
          expect(text).toBe(written.replaceAll(key, '[secret]'));
          expect(end).toBe(text);
          expect(whole).toBe(text);
        },
      ),
    );
  });

  it('takes an address as it is written', () => {
    const written = 'http://user:half%-encoded-passphrase@127.0.0.1:1/v1';
    expect(secretsOf({ address: written })).toContain('half%-encoded-passphrase');
  });

  it('changes nothing where there is no secret', () => {
    const model = createScriptedModel([]);
    expect(withoutSecrets(model, secretsOf({ apiKey: 'ollama', address: 'http://127.0.0.1:1/v1?v=2024-10-21' }))).toBe(
      model,
    );
  });

  it('knows the secrets of an address, and how they travel', () => {
    expect(
      secretsOf({ apiKey: key, address: 'http://someone-of-ours:pass%2Fword-of-ours@h/v1?token=0123456789abcdef' }),
    ).toEqual([
      key,
      'pass/word-of-ours',
      Buffer.from('someone-of-ours:pass/word-of-ours').toString('base64'),
      '0123456789abcdef',
    ]);
  });
});
