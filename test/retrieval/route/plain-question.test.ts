import { describe, expect, it } from 'vitest';
import { plainQuestion } from '../../../src/retrieval/route/plain-question.ts';

describe('plainQuestion', () => {
  it('takes off what is said to be polite', () => {
    expect(plainQuestion('Hi there, could you please tell me what a mutex is? Thanks a lot!')).toBe('what a mutex is?');
    expect(plainQuestion('Would you mind telling me which port it uses?')).toBe('which port it uses?');
    expect(plainQuestion('Good morning, I would like to know how indexes work')).toBe('how indexes work');
  });

  it('writes short forms out', () => {
    expect(plainQuestion('whats a mutex')).toBe('what is a mutex');
    expect(plainQuestion('tcp vs. udp')).toBe('tcp versus udp');
    expect(plainQuestion('how 2 install on ubuntu')).toBe('how to install on ubuntu');
  });

  it('mends slips in words that tell, and no other', () => {
    expect(plainQuestion('wich functon parses the strign')).toBe('which function parses the string');
    // English has them, they are names, or they stand in code.
    for (const question of [
      'the form of a guise',
      'Clas and Erorr Ltd',
      'call fiel_set and erors()',
      'vite.confg flask',
    ])
      expect(plainQuestion(question)).toBe(question);
  });

  it('leaves a question that is nothing but politeness as it is', () => {
    for (const question of ['', 'thanks', 'Hello', 'please']) expect(plainQuestion(question)).toBe(question);
  });
});
