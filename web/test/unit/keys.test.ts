// Keys do what the help says, only where nobody writes, and not at all where letters are switched off.
import { describe, expect, it } from 'vitest';
import { createKeys, keyHelp, type Pressed } from '../../src/shared/keys.ts';
import { stepOf } from '../../src/shared/steps.ts';

const none = { inField: false, inDialog: false, modified: false, composing: false };
const press = (keys: ReturnType<typeof createKeys>, key: string, where: Partial<Pressed> = {}) =>
  keys({ key, ...none, ...where });

describe('keys', () => {
  it('do what they do outside of fields', () => {
    const keys = createKeys(() => true);
    expect(press(keys, '/')).toEqual({ do: 'question' });
    expect(press(keys, 'j')).toEqual({ do: 'next-claim' });
    expect(press(keys, '3')).toEqual({ do: 'citation', number: 3 });
    expect(press(keys, '+')).toEqual({ do: 'zoom-in' });
    expect(press(keys, 'constructor')).toBeUndefined();
    expect(press(keys, 'g')).toBeUndefined();
    expect(press(keys, 'a')).toEqual({ do: 'new-session' });
    expect(press(keys, 'a')).toEqual({ do: 'write', text: 'a' });
    press(keys, 'g');
    expect(press(keys, 'd')).toEqual({ do: 'documents' });
    press(keys, 'g');
    expect(press(keys, 's')).toEqual({ do: 'search' });
    press(keys, 'g');
    expect(press(keys, 't')).toEqual({ do: 'traces' });
    press(keys, 'g');
    expect(press(keys, 'c')).toEqual({ do: 'conversations' });
    press(keys, 'g');
    expect(press(keys, ',')).toEqual({ do: 'settings' });
    press(keys, 'g');
    expect(press(keys, 'constructor')).toBeUndefined();
    expect(keyHelp.length).toBeGreaterThan(8);
  });

  it('that do nothing are written, with the one that waited for them', () => {
    const keys = createKeys(() => true);
    for (const key of ['x', 'W', 'ß', '𝒳', '¿']) expect(press(keys, key)).toEqual({ do: 'write', text: key });
    for (const key of [' ', 'Shift', 'ArrowDown', 'Enter', 'Dead', 'Process']) expect(press(keys, key)).toBeUndefined();
    press(keys, 'g');
    expect(press(keys, 'i')).toEqual({ do: 'write', text: 'gi' });
    press(keys, 'g');
    expect(press(keys, 'Shift')).toBeUndefined();
  });

  it('are left to fields, dialogs, the browser and words that are being composed', () => {
    const keys = createKeys(() => true);
    for (const where of [{ inField: true }, { inDialog: true }, { modified: true }, { composing: true }])
      expect(press(keys, 'j', where)).toBeUndefined();
    expect(press(keys, 'Escape', { inField: true })).toEqual({ do: 'escape' });
    expect(press(keys, 'Escape', { inDialog: true })).toBeUndefined();
  });

  it('can be switched off, all but Escape', () => {
    const keys = createKeys(() => false);
    expect(press(keys, '/')).toBeUndefined();
    expect(press(keys, '1')).toBeUndefined();
    expect(press(keys, 'x')).toBeUndefined();
    expect(press(keys, 'Escape')).toEqual({ do: 'escape' });
  });
});

describe('steps', () => {
  it('are said in plain words, and events that say nothing to a reader are none', () => {
    expect(stepOf({ type: 'status', stage: 'searching' })).toBe('Searching…');
    expect(stepOf({ type: 'retrieval', mode: 'hybrid', resultCount: 3, latencyMs: 11.8 })).toBe(
      'Searched in mode hybrid: 3 passages in 12 ms',
    );
    expect(stepOf({ type: 'delta', text: 'x' })).toBeUndefined();
  });
});
