// What Firestore and Google's sign-in say when they refuse, as whoever runs the server is told of it.
import { expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { notSignedIn, ofStatus } from '../../../src/stores/firestore/errors.ts';

const headers = new Headers();
const wrapped = (cause: unknown): Error =>
  new Error('request to https://oauth2.googleapis.com/token failed', { cause });

it.each([
  [undefined, 'config-invalid', 'GOOGLE_APPLICATION_CREDENTIALS'],
  [new Error('The file at /secret/key.json does not exist, or it is not a file.'), 'config-invalid', 'can be read'],
  [Object.assign(new Error('invalid_grant'), { response: { status: 400 } }), 'config-invalid', 'new one'],
  [Object.assign(new Error('busy'), { response: { status: 503 } }), 'upstream-unavailable', 'HTTP 503'],
  [Object.assign(new Error('slow down'), { status: 429 }), 'upstream-unavailable', 'HTTP 429'],
  [wrapped(new FootnoteError('upstream-unavailable', 'no route')), 'upstream-unavailable', 'does not answer'],
])('tells an account that cannot be signed in with from a sign-in that is down: %s', (thrown, code, says) => {
  const error = notSignedIn(thrown);
  expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
  expect(error.details['isFinal'] ?? false).toBe(code === 'config-invalid');
  expect(error.message).not.toContain('/secret');
});

const body = (status: string, message: string): string => JSON.stringify({ error: { status, message } });

it.each([
  [
    403,
    body('PERMISSION_DENIED', 'Cloud Firestore API has not been used in project x before or it is disabled.'),
    'Enable',
  ],
  [403, body('PERMISSION_DENIED', 'Missing or insufficient permissions.'), 'Cloud Datastore User'],
  [404, body('NOT_FOUND', 'The database (default) does not exist for project x'), 'no such database'],
  [
    400,
    body('FAILED_PRECONDITION', 'The Cloud Firestore API is not available for Firestore in Datastore Mode.'),
    'native mode',
  ],
])('says what is to be done about HTTP %i: %s', (status, words, says) => {
  expect(ofStatus({ status, headers }, words)).toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(says),
  });
});
