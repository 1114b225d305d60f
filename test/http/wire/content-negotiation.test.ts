// Content negotiation by Accept.
import { describe, expect, it } from 'vitest';
import { preferredMime } from '../../../src/http/wire/content-negotiation.ts';

describe('preferredMime', () => {
  const answer = ['application/json', 'text/event-stream'];
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['Text/Event-Stream; charset=utf-8', 'text/event-stream'],
    ['application/json, text/event-stream', 'application/json'],
    ['*/*, text/event-stream', 'text/event-stream'],
    ['text/*', 'text/event-stream'],
    ['text/event-stream;q=0.5, application/json', 'application/json'],
    ['text/event-stream;q=0, */*', 'application/json'],
    ['application/*;q=0.1, text/event-stream;q=0.2', 'text/event-stream'],
    ['image/png', 'application/json'],
    [';;q=,,', 'application/json'],
  ])('of an answer for %j is %s', (accept, expected) => {
    expect(preferredMime(accept, answer)).toBe(expected);
  });

  it('of a view is HTML for a browser', () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
    expect(preferredMime(accept, ['text/html', 'application/json', 'text/plain'])).toBe('text/html');
    expect(preferredMime('*/*', ['text/html', 'application/json', 'text/plain'])).toBe('text/html');
  });
});
