// What a field of an upload may hold is what a JSON body may hold, and a refusal says what was wrong with it.
import { afterAll, expect, it } from 'vitest';
import { createFakeApp, multipart } from './fake-app.ts';

const { app } = createFakeApp();
afterAll(() => app.close());

const upload = (metadata: string) =>
  app.inject({
    method: 'POST',
    url: '/v1/documents',
    ...multipart([
      { file: 'a.md', bytes: 'some text' },
      { field: 'metadata', value: metadata },
    ]),
  });

it('refuses a field with too many values for their number, and one that is no JSON for that', async () => {
  const many = await upload(JSON.stringify({ list: Array.from({ length: 30_001 }, () => 1) }));
  expect([many.statusCode, many.json()]).toMatchObject([
    413,
    { code: 'too-large', detail: expect.stringMatching(/^body\.metadata: .*more than 30000 values/u) },
  ]);
  const broken = await upload('{"a":');
  expect([broken.statusCode, broken.json()]).toMatchObject([
    400,
    { code: 'invalid-request', detail: expect.stringMatching(/^body\.metadata: must be JSON/u) },
  ]);
});
