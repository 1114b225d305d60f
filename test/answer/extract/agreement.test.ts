import { describe, expect, it } from 'vitest';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { contextOf, type Passage } from '../../../testkit/evidence-of.ts';

const passages = (texts: readonly string[]): Passage[] =>
  texts.map((text, index) => ({ id: `p${index}`, score: 9 - index / 10, text }));

describe('agreement of passages', () => {
  const question = 'Who won the Arlow regatta in 2019?';

  it('answers where the passages that fit name the same value', () => {
    const context = contextOf(
      ...passages([
        'Edith Mora won the Arlow regatta in 2019.',
        'The Arlow regatta of 2019 was won by Edith Mora after a close race.',
        'In 2019 Mora won the regatta of Arlow for the first time.',
      ]),
    );
    expect(composeAnswer({ question, context }).claims[0]?.text).toContain('Mora');
  });

  it('abstains where as many values stand there as passages that fit', () => {
    const context = contextOf(
      ...passages([
        'Who won the Arlow regatta? Tickets for 2019 are sold by Perrin.',
        'Klara Venn hopes to have won the Arlow regatta by the end of 2019.',
        'In 2019 the Arlow regatta was not won easily, said Bodo Quist.',
        'The 2019 Arlow regatta will be won by the fastest, wrote Ines Tarn.',
      ]),
    );
    const draft = composeAnswer({ question, context });
    expect(draft.claims).toEqual([]);
    expect(draft.abstainReason).toMatch(/4 documents fit/);
  });

  it('takes the one document that is called like what is asked about, though others mention it', () => {
    const about = passages([
      'Harl Works was founded in 1987 and employs 2,300 people.',
      'In 2022 Kern Labs, founded in 2011, was taken over by Harl Works.',
      'Harl Works named the head of Orb Robots, founded in 2014.',
      'The bank lent to Harl Works and to a mill that was founded in 1904.',
    ]);
    const asked = 'When was Harl Works founded?';
    const named = about.map((one, at) => ({ ...one, title: at === 0 ? 'Harl Works: About us' : `News ${at}` }));
    expect(composeAnswer({ question: asked, context: contextOf(...about) }).claims).toEqual([]);
    expect(composeAnswer({ question: asked, context: contextOf(...named) }).claims[0]?.text).toContain('1987');
  });

  it('takes passages that name no value of the kind asked for as no rivals of one that does', () => {
    const about = passages([
      'Lanternfall was released on 4 May 2019.',
      'Lanternfall is released under the MIT licence.',
      'The notes of what was released with Lanternfall are kept beside the code.',
      'Everything that Lanternfall released is signed.',
      'Whoever releases Lanternfall writes a line into the log.',
    ]);
    const asked = 'When was Lanternfall released?';
    expect(composeAnswer({ question: asked, context: contextOf(...about) }).claims[0]?.text).toContain('2019');
    // Where none names one, nothing is answered.
    expect(composeAnswer({ question: asked, context: contextOf(...about.slice(1)) }).claims).toEqual([]);
    const dated = passages([
      'Lanternfall was released on 4 May 2019.',
      'Lanternfall was released once more in June 2020.',
      'In 2021 what was released was a Lanternfall for phones.',
      'Lanternfall released its notes of 2017.',
    ]);
    expect(composeAnswer({ question: asked, context: contextOf(...dated) }).claims).toEqual([]);
  });

  it('does not ask chunks of one document to agree', () => {
    const context = contextOf(
      ...passages([
        'Klara Venn won the Arlow regatta in 2019, in the light class.',
        'Bodo Quist won the Arlow regatta in 2019, in the heavy class.',
        'Ines Tarn won the Arlow regatta in 2019, in the junior class.',
      ]).map((passage) => ({ ...passage, documentId: 'one' })),
    );
    expect(composeAnswer({ question, context }).claims).toHaveLength(3);
  });

  it('asks no agreement about what may be said in many ways', () => {
    const context = contextOf(
      ...passages([
        'The Arlow regatta prize is a cup, said Perrin.',
        'The prize of the Arlow regatta is silver, wrote Quist.',
        'The Arlow regatta gives a prize to the Venn club.',
      ]),
    );
    expect(composeAnswer({ question: 'What is the prize of the Arlow regatta?', context }).claims).not.toEqual([]);
  });

  it('does not judge scripts without capitals', () => {
    const context = contextOf(
      ...passages(['王芳赢得了阿洛帆船赛冠军。', '阿洛帆船赛冠军由李强赢得。', '赵敏赢得阿洛帆船赛冠军。']),
    );
    expect(composeAnswer({ question: '谁赢得了阿洛帆船赛冠军？', context }).claims).not.toEqual([]);
  });
});
