// Pairs of things that a user says one after the other, of which only the later can hold, with a question that asks for it. Generated from
// frames and names, so that there are hundreds and each is told otherwise.

export interface Contradiction {
  readonly before: string;
  readonly after: string;
  readonly question: string;
  /** Stands in the answer from the side that holds. */
  readonly holds: string;
  /** Stands in the side that is over alone. */
  readonly over: string;
}

export type Frame = readonly [before: string, after: string, question: string];
export interface Family {
  readonly values: readonly (readonly [string, string])[];
  /** `A` is over, `B` holds. */
  readonly frames: readonly Frame[];
}

export const pairs = (text: string): (readonly [string, string])[] =>
  text.split(';').map((pair) => {
    const [a = '', b = ''] = pair.split('/');
    return [a, b] as const;
  });

const firstFamilies: readonly Family[] = [
  {
    values: pairs(
      'Berlin/Lisbon;Oslo/Cork;Graz/Turin;Lyon/Ghent;Quito/Lima;Kyoto/Perth;Dublin/Malaga;Leeds/York;Bern/Basel;Accra/Lagos',
    ),
    frames: [
      ['I live in A.', 'I moved to B.', 'Where do I live?'],
      ["I'm based in A", "I'm based in B now", 'Where am I based?'],
      ['I live in A', 'I no longer live in A, I live in B.', 'where do i live?'],
      ['My hometown is A.', 'Correction: my hometown is B.', 'What is my hometown?'],
      ['We are located in A', 'We relocated to B last month', 'Where are we located?'],
    ],
  },
  {
    values: pairs(
      'Acme/Globex;Siemens/Bosch;Nordea/Klarna;Initech/Hooli;Vandelay/Wayne Labs;Umbrella/Stark Works;Lindner/Krell;Tyrell/Cyberdyne;Soylent/Massive Dynamic;Wonka/Duff',
    ),
    frames: [
      ['I work at A.', 'I work at B now.', 'Where do I work?'],
      ['I work for A as an analyst', 'I joined B', 'Who do I work for?'],
      ['My employer is A', 'My employer is B now', 'What is my employer?'],
      ['I work at A', 'I left A and started at B', 'Where do I work?'],
    ],
  },
  {
    values: pairs('tea/coffee;beer/wine;water/juice;milk/lemonade;espresso/matcha;cola/kombucha'),
    frames: [
      ['I prefer A.', 'I prefer B now.', 'What drink do I prefer?'],
      ['I prefer A over B.', 'I prefer B over A.', 'Which drink do I prefer?'],
      ['My favourite drink is A', 'My favourite drink is B', 'What is my favourite drink?'],
      ['I prefer A in the morning', 'These days I prefer B in the morning', 'What do I prefer in the morning?'],
    ],
  },
  {
    values: pairs('Vim/Emacs;VS Code/Zed;PyCharm/Helix;Sublime Text/Neovim;IntelliJ/Cursor;Eclipse/Xcode'),
    frames: [
      ['I use A.', 'I switched to B.', 'Which editor do I use?'],
      ['My editor is A', 'My editor is B', 'What is my editor?'],
      ['I use A as my editor', 'I use B as my editor', 'What do I use as my editor?'],
      ['I use A for everything', 'I stopped using A, I use B now', 'Which editor do I use?'],
      ['My favorite editor is A.', 'My favorite editor is now B.', "What's my favorite editor?"],
    ],
  },
  {
    values: pairs(
      'MySQL/Postgres;Oracle/SQLite;MongoDB/Cassandra;MariaDB/ClickHouse;Redshift/Snowflake;DynamoDB/DuckDB',
    ),
    frames: [
      ['We use A.', 'We migrated from A to B.', 'Which database do we use?'],
      ['We use A for billing', 'We use B for billing', 'What do we use for billing?'],
      ['Our database is A', 'Our database is B now', 'What is our database?'],
      ['We use A', 'We replaced A with B', 'Which database do we use?'],
      ['We store everything in A', 'We moved to B', 'Which database do we use?'],
    ],
  },
  {
    values: pairs('Jenkins/Buildkite;Travis/GitHub Actions;CircleCI/GitLab CI;Bamboo/TeamCity'),
    frames: [
      ['We use A for CI', 'We use B for CI', 'What do we use for CI?'],
      ['Our CI runs on A', 'Our CI now runs on B', 'What does our CI run on?'],
      ['We use A for CI.', 'We switched from A to B for CI.', 'What do we use for CI?'],
    ],
  },
  {
    values: pairs('Monday/Tuesday;Wednesday/Friday;Thursday/Monday;Friday/Wednesday;Tuesday/Thursday;Sunday/Saturday'),
    frames: [
      ['My deadline is A.', 'My deadline is B.', 'When is my deadline?'],
      ['Our standup is on A', 'Our standup moved to B', 'When is our standup?'],
      ['My day off is A', 'My day off is B', 'What is my day off?'],
      ['We deploy on A', 'We deploy on B now', 'When do we deploy?'],
      [
        'The retrospective is on A, remember that',
        'Remember that the retrospective is on B',
        'When is our retrospective?',
      ],
    ],
  },
  {
    values: pairs(
      'Tobias Krell/Mina Osei;Ana Silva/Jon Bauer;Priya Nair/Leo Marsh;Ines Vogt/Tom Reid;Sara Holm/Omar Said;Kai Lund/Eva Roth',
    ),
    frames: [
      ['My manager is A.', 'My manager is B now.', 'Who is my manager?'],
      ['My name is A', 'My name is B', 'What is my name?'],
      ['Our CEO is A', 'Our new CEO is B', 'Who is our CEO?'],
      ['My dentist is A', 'My new dentist is B', 'Who is my dentist?'],
    ],
  },
  {
    values: pairs('blue/green;red/yellow;purple/orange;teal/beige;black/white;pink/grey'),
    frames: [
      ['My favourite colour is A.', 'My favourite colour is B.', 'What is my favourite colour?'],
      ['my favorite color is A', 'my favorite color changed to B', 'whats my favorite color?'],
    ],
  },
  {
    values: pairs('vegetarian/vegan;vegan/pescatarian;pescatarian/vegetarian'),
    frames: [
      ['I am A.', 'I am B now.', 'What is my diet?'],
      ["I'm A", 'I became B', 'What is my diet?'],
    ],
  },
  {
    values: pairs(
      'nurse/teacher;data engineer/product manager;translator/editor;junior developer/tech lead;lawyer/judge;waiter/chef',
    ),
    frames: [
      ['I am a A.', 'I am a B now.', 'What is my job?'],
      ['I work as a A', 'I work as a B', 'What is my job?'],
      ['My job title is A', 'My job title is B', 'What is my job title?'],
    ],
  },
  {
    values: pairs(
      '2000 euros/3000 euros;10 people/14 people;5 May/9 June;400 pages/250 pages;8 am/10 am;4 weeks/6 weeks',
    ),
    frames: [
      ['My limit is A.', 'My limit is B.', 'What is my limit?'],
      ['Our target is A', 'Our target changed to B', 'What is our target?'],
    ],
  },
  {
    values: pairs(
      'short/detailed;formal/casual;German/French;British English/American English;metric/imperial;brief/thorough',
    ),
    frames: [
      ['I prefer A answers.', 'I prefer B answers.', 'What answers do I prefer?'],
      ['I prefer A explanations', 'Actually, I prefer B explanations now', 'What explanations do I prefer?'],
    ],
  },
  {
    values: pairs('morning/afternoon;afternoon/evening;evening/morning'),
    frames: [
      ['I prefer meetings in the A.', 'I prefer meetings in the B.', 'When do I prefer meetings?'],
      ['I prefer A meetings', 'I prefer B meetings', 'When do I prefer meetings?'],
    ],
  },
  {
    values: pairs('train/bike;car/bus;tram/car;bus/train'),
    frames: [
      ['I commute by A', 'I commute by B now', 'How do I commute?'],
      ['I prefer travelling by A', 'I prefer travelling by B', 'How do I prefer travelling?'],
    ],
  },
  {
    values: pairs('Python/Rust;Java/Kotlin;PHP/Ruby;Perl/Scala;JavaScript/TypeScript'),
    frames: [
      ['My favourite language is A', 'My favourite language is B', 'What is my favourite language?'],
      ['I prefer A for scripts', 'I prefer B for scripts', 'What do I prefer for scripts?'],
      ['I mostly code in A', 'I switched from A to B', 'Which programming language do I use?'],
    ],
  },
  {
    values: pairs('Slack/Mattermost;Discord/Zulip;Microsoft Teams/Slack'),
    frames: [
      ['We use A for chat', 'We use B for chat', 'What do we use for chat?'],
      ['Our team uses A', 'Our team uses B now instead of A', 'Which chat tool do we use?'],
    ],
  },
];

/** The same list each time. */
export function contradictions(families: readonly Family[] = firstFamilies): readonly Contradiction[] {
  const found: Contradiction[] = [];
  for (const { values, frames } of families)
    for (const [before, after, question] of frames)
      for (const [first, second] of values)
        for (const [a, b] of [
          [first, second],
          [second, first],
        ] as const) {
          const put = (frame: string): string => frame.replace(/\bA\b/gu, a).replace(/\bB\b/gu, b);
          found.push({ before: put(before), after: put(after), question, holds: b, over: a });
        }
  return found;
}
