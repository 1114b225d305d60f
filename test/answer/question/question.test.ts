import { describe, expect, it } from 'vitest';
import { type AnswerType, analyzeQuestion } from '../../../src/answer/question/question.ts';

describe('analyzeQuestion', () => {
  const table: readonly (readonly [question: string, type: AnswerType])[] = [
    ['How many boats left the harbour?', 'number'],
    ['What number of boats left?', 'number'],
    ['Wie viele Boote fuhren ab?', 'number'],
    ['How long is the bridge?', 'quantity'],
    ['What percentage of members voted?', 'quantity'],
    ['What is the average speed of the ferry?', 'quantity'],
    ['When did the ferry start?', 'date'],
    ['In what year was the harbour closed?', 'date'],
    ['The harbour was closed in which year?', 'date'],
    ['Wann wurde der Hafen geschlossen?', 'date'],
    ['港口什么时候关闭？', 'date'],
    ['متى أغلق الميناء؟', 'date'],
    ['Who built the lighthouse?', 'person'],
    ['Which architect drew the plans?', 'person'],
    ['谁建造了灯塔？', 'person'],
    ['Where is the lighthouse?', 'place'],
    ['In which city does the ferry end?', 'place'],
    ['Why was the harbour closed?', 'reason'],
    ['What caused the fire?', 'reason'],
    ['How do I reset the pump?', 'how-to'],
    ['What is a sluice gate?', 'definition'],
    ['What does PLC stand for?', 'definition'],
    ['What are the parts of the pump?', 'list'],
    ['Name three harbours of the lake.', 'list'],
    ['Is the harbour open in winter?', 'yes-no'],
    ['هل الميناء مفتوح؟', 'yes-no'],
    ['Which ferry is painted blue?', 'name'],
    ['How are the pumps cooled?', 'other'],
    // A question word in a side clause does not decide.
    ['What was the cargo of the boat that sank when the storm came?', 'name'],
    ['Who was the captain where the river ends?', 'person'],
  ];
  it.each(table)('%s is a question for %s', (question, type) => {
    expect(analyzeQuestion(question).type).toBe(type);
  });

  it('finds names, numbers and the words that matter', () => {
    const question = analyzeQuestion('How many boats did the Port of Arlow lose in 1,953 "Great Flood" days?', 'en');
    expect(question.names).toContain('Port of Arlow');
    expect(question.names).toContain('Great Flood');
    expect(question.numbers).toEqual(['1953']);
    expect(question.terms.map((term) => question.text.slice(term.start, term.end))).toEqual([
      'boats',
      'Port',
      'Arlow',
      'lose',
      '1,953',
      'Great',
      'Flood',
      'days',
    ]);
    expect(question.named[1]).toBe(true);
    expect(question.named[3]).toBe(false);
  });

  it('does not take the first word for a name', () => {
    expect(analyzeQuestion('Which boats sank?').names).toEqual([]);
    expect(analyzeQuestion('Did Ada Mora leave?').names).toEqual(['Ada Mora']);
    expect(analyzeQuestion('Welchen Umsatz hat Mora in Arlow?', 'de').names).toEqual(['Umsatz', 'Mora', 'Arlow']);
  });

  it('weighs the word that only says what kind of thing is asked for less', () => {
    const question = analyzeQuestion('Which country signed the treaty?', 'en');
    expect(question.emphasis[0]).toBeLessThan(0.3);
    expect(question.emphasis.at(-1)).toBe(1);
  });

  it('tells questions that ask for several things', () => {
    expect(analyzeQuestion('What are the parts of the pump?').several).toBe(true);
    expect(analyzeQuestion('Are Arlow and Bexley both harbours?').several).toBe(true);
    expect(analyzeQuestion('Who built the lighthouse?').several).toBe(false);
  });

  it('tells a relative clause from the question word', () => {
    expect(analyzeQuestion('Who founded the town where the ferry ends?').nested).toBe(true);
    expect(analyzeQuestion('Where does the ferry end?').nested).toBe(false);
  });

  it.each(['', '   ', '???', 'the of and'])('reads %j without failing', (text) => {
    expect(analyzeQuestion(text, 'en').text).toBe(text);
  });
});
