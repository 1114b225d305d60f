import { describe, expect, it } from 'vitest';
import { resolveInConversation } from '../../../src/agent/intent/conversation.ts';
import { followUpChance, type LookFor, resolveFollowUp, withBefore } from '../../../src/agent/intent/follow-up.ts';

/** Finds so surely alone, and so surely with the question before. */
const looking =
  (alone: number | undefined, together: number | undefined, asked: string[] = []): LookFor =>
  async (question) => {
    asked.push(question);
    return question.endsWith(')') ? together : alone;
  };
const before = 'How many header fields may a request have by default?';

describe('resolveFollowUp', () => {
  it('adds the question before where it is found more surely with it', async () => {
    const { resolved, reason } = await resolveFollowUp(
      'Up to what value can that be raised?',
      before,
      looking(0.3, 0.6),
    );
    expect(resolved).toBe(
      'Up to what value can that be raised? (How many header fields may a request have by default)',
    );
    expect(reason).toMatch(/^goes on with the question before, which was added: chance [01]\.\d\d$/u);
  });

  it('leaves alone what is found more surely by itself', async () => {
    const content = 'How long does gunicorn wait for a silent worker?';
    expect((await resolveFollowUp(content, before, looking(0.8, 0.3))).resolved).toBe(content);
  });

  it.each([
    ['Et si je mets zéro ?', 'Que fait l’option -i de tune2fs ?'],
    ['en het maximum?', 'Wat is de standaardwaarde van TRTOL?'],
    ['他怎么样？', '谁写了这本书？'],
  ])('adds the question before to few words of any language: %s', async (content, said) => {
    expect((await resolveFollowUp(content, said, looking(0.5, 0.5))).resolved).toBe(withBefore(content, said));
  });

  it('looks for neither where nothing could change the outcome', async () => {
    const asked: string[] = [];
    const long =
      'Which environment variables must be defined before the packaging helper builds a source archive from an upstream release tarball?';
    expect((await resolveFollowUp(long, before, looking(0, 1, asked))).resolved).toBe(long);
    expect(asked).toEqual([]);
    expect(followUpChance(long, 1)).toBeLessThan(0.5);
  });

  it('is told by its length alone where nobody can look', async () => {
    const short = await resolveFollowUp('and 24.3.0?', before, looking(undefined, undefined));
    expect(short).toMatchObject({
      resolved: withBefore('and 24.3.0?', before),
      reason: expect.stringContaining('alone'),
    });
    const long = 'Which sqlite driver had to be installed for knex 1.0 on Windows servers?';
    expect((await resolveFollowUp(long, before, looking(0.9, undefined))).resolved).toBe(long);
  });

  it('leaves the first question of a session alone', async () => {
    expect((await resolveFollowUp('When was she born?', undefined, looking(0, 1))).resolved).toBe('When was she born?');
  });
});

describe('withBefore', () => {
  it('keeps one pair of brackets at the end, which the reading of a question looks for', () => {
    expect(withBefore(' And the R2? ', 'How heavy is the R1 (2019)?')).toBe('And the R2? (How heavy is the R1  2019)');
  });
});

describe('resolveInConversation', () => {
  it('passes over thanks, and tells what it did', async () => {
    const told: unknown[] = [];
    const resolved = await resolveInConversation('And the R2?', [{ content: before }, { content: 'Thanks!' }], {
      lookFor: looking(0.2, 0.2),
      sink: (event) => told.push(event),
    });
    expect(resolved).toBe(withBefore('And the R2?', before));
    expect(told).toEqual([expect.objectContaining({ type: 'follow-up', content: 'And the R2?', resolved })]);
  });

  it('goes back to the last question that stands alone', async () => {
    const earlier = [
      { content: 'Who built the harbour?' },
      { content: 'How tall is the old lighthouse of Cabo Frio above mean sea level today?' },
      { content: 'and who kept it?' },
    ];
    const ports = { lookFor: looking(0.2, 0.2), sink: () => {} };
    expect(await resolveInConversation('since when?', earlier, ports)).toBe(
      'since when? (How tall is the old lighthouse of Cabo Frio above mean sea level today? and who kept it)',
    );
  });

  it('leaves alone what a memory of the user answers', async () => {
    const ports = { lookFor: looking(0, 0), isOfUser: async (said: string) => said.includes('I live'), sink: () => {} };
    expect(await resolveInConversation('Where do I live?', [{ content: before }], ports)).toBe('Where do I live?');
    expect(await resolveInConversation('And the R2?', [{ content: before }], ports)).toContain(' (How many');
  });

  it('looks for no small talk', async () => {
    const asked: string[] = [];
    const ports = { lookFor: looking(0, 1, asked), sink: () => {} };
    expect(await resolveInConversation('Thank you!', [{ content: before }], ports)).toBe('Thank you!');
    expect(asked).toEqual([]);
  });
});
