// Pairs that contradict each other in the manner of real users: in the middle of longer messages, told by the way, with what they came for. They were
// written after the rules of topics and before these had been tried on them.
import { type Family, pairs } from './contradictions.ts';

export const freshFamilies: readonly Family[] = [
  {
    values: pairs('Malmö/Gdansk;Tampere/Riga;Seville/Bilbao;Austin/Denver;Nagoya/Sapporo;Utrecht/Breda'),
    frames: [
      [
        'Quick background: I live in A with my family. Which bins go out on Friday?',
        'We finally moved to B over the summer, so the old rules are moot.',
        'Where do I live?',
      ],
      ['I live in A, by the way.', 'Small update: I live in B these days.', 'Which city do I live in?'],
      [
        "I'm living in A at the moment. Any museum tips?",
        "I've moved to B, any museum tips there?",
        'Where do I live now?',
      ],
      ['My home is in A.', 'My home is in B now, we sold the old place.', 'Where is my home?'],
      ['I currently live in A', "I don't live in A anymore. I live in B.", 'where am I living?'],
    ],
  },
  {
    values: pairs('Ericsson/Spotify;Lufthansa/Airbus;Novartis/Roche;Ikea/Volvo;Zalando/Otto;Maersk/Lego'),
    frames: [
      ['I work for A in procurement. Can you explain incoterms?', 'New job! I work for B now.', 'Who do I work for?'],
      ["I'm employed at A", "I've started at B this week.", 'Where am I employed?'],
      ['I work at A and my commute is awful', 'I quit A last month. I work at B.', 'Where do I work?'],
      ['My employer is A, a big one.', 'FYI my employer is B now.', 'Who is my employer?'],
    ],
  },
  {
    values: pairs('vegan/vegetarian;pescatarian/vegan;vegetarian/pescatarian'),
    frames: [
      ["I'm A, so what can I cook with chickpeas?", "I'm no longer A. I'm B now.", 'What is my diet?'],
      ["Just so you know, I'm A.", 'I went B in January.', 'What is my diet?'],
    ],
  },
  {
    values: pairs('short/long;concise/detailed;formal/informal;simple/technical;funny/serious;brief/thorough'),
    frames: [
      ['I like A answers best.', 'I prefer B answers now.', 'What kind of answers do I prefer?'],
      ['Please give me A answers.', 'From now on, please give me B answers instead.', 'What answers do I want?'],
      ['I prefer A replies, thanks.', 'Forget what I said, I prefer B replies.', 'Which replies do I prefer?'],
    ],
  },
  {
    values: pairs('Celsius/Fahrenheit;Fahrenheit/Celsius;metric/imperial;kilometres/miles'),
    frames: [
      ['Always use A for me.', 'Use B from now on.', 'Which units do I prefer?'],
      ['I prefer A.', 'Actually I prefer B.', 'Which units do I prefer?'],
    ],
  },
  {
    values: pairs('English/Dutch;German/English;French/Spanish;Italian/German'),
    frames: [
      ['Please answer me in A.', 'Please answer me in B from now on.', 'In which language do I want answers?'],
      ['I want replies in A', 'I want replies in B', 'In what language do I want replies?'],
    ],
  },
  {
    values: pairs('Jira/Linear;Trello/Asana;Linear/YouTrack;ClickUp/Jira'),
    frames: [
      ['We track everything in A.', 'We moved from A to B in spring.', 'Which issue tracker do we use?'],
      ['Our tickets live in A', 'Our tickets live in B now', 'Where do our tickets live?'],
      ['We use A for tickets, sadly.', 'We use B for tickets.', 'What do we use for tickets?'],
    ],
  },
  {
    values: pairs('AWS/Azure;Heroku/Hetzner;GCP/AWS;DigitalOcean/GCP;Azure/Hetzner'),
    frames: [
      ['We host everything on A.', 'We migrated from A to B.', 'Where do we host?'],
      ['Our cloud provider is A', 'Our cloud provider is now B', 'Who is our cloud provider?'],
      ['We run on A', 'We ditched A, we run on B', 'Which cloud provider do we use?'],
    ],
  },
  {
    values: pairs('React/Svelte;Vue/React;Angular/Vue;Django/FastAPI;Flask/Django;Rails/Phoenix'),
    frames: [
      ['We use A for the shop.', 'We rewrote it: we use B for the shop now.', 'What do we use for the shop?'],
      ['Our web framework is A', 'Our web framework is B', 'What is our web framework?'],
      ['We use A', 'We replaced A with B', 'Which framework do we use?'],
    ],
  },
  {
    values: pairs('Firefox/Chrome;Safari/Firefox;Chrome/Brave;Edge/Vivaldi'),
    frames: [
      ['My browser is A.', 'My browser is B now.', 'What is my browser?'],
      ['I use A as my browser', 'I switched to B', 'Which browser do I use?'],
      ['I use A, why is it slow?', 'I stopped using A. I use B.', 'Which browser do I use?'],
    ],
  },
  {
    values: pairs('Ubuntu/Fedora;Windows/Linux;macOS/Ubuntu;Debian/NixOS'),
    frames: [
      ['I run A on my laptop.', 'I run B on my laptop now.', 'What do I run on my laptop?'],
      ['I use A', 'I switched from A to B', 'Which operating system do I use?'],
    ],
  },
  {
    values: pairs('3 March/9 April;1 June/1 July;12 May/20 May;5 October/6 November'),
    frames: [
      ['My exam is on A.', 'My exam moved to B.', 'When is my exam?'],
      ['Our launch is on A, keep that in mind.', 'Our launch is on B, not A.', 'When is our launch?'],
      ['The wedding is on A, remember that.', 'Remember that the wedding is on B.', 'When is our wedding?'],
      ['My flight leaves on A', 'My flight leaves on B', 'When does my flight leave?'],
    ],
  },
  {
    values: pairs('1200 euros/900 euros;40 hours/32 hours;12 people/15 people;80 kg/76 kg;20 pages/30 pages'),
    frames: [
      ['My budget is A.', 'My budget is B now.', 'What is my budget?'],
      ['Our limit is A, so watch that.', 'Our limit is B.', 'What is our limit?'],
      ['My target is A', 'My target changed to B', 'What is my target?'],
      ['My goal is A.', 'My new goal is B.', 'What is my goal?'],
    ],
  },
  {
    values: pairs('Helga Brandt/Yusuf Demir;Marco Rossi/Lena Fors;Chidi Obi/Anna Weber;Paul Novak/Maya Singh'),
    frames: [
      ['My boss is A.', 'My new boss is B.', 'Who is my boss?'],
      ['My doctor is A, she is great.', 'My doctor is B now.', 'Who is my doctor?'],
      ['Our landlord is A', 'Our landlord is B', 'Who is our landlord?'],
      ['Our CTO is A.', 'B is our new CTO.', 'Who is our CTO?'],
      ['My therapist is A', 'I changed therapists: my therapist is B', 'Who is my therapist?'],
    ],
  },
  {
    values: pairs('Monday/Thursday;Tuesday/Friday;Wednesday/Monday;Saturday/Sunday'),
    frames: [
      ['My gym day is A.', 'My gym day is B.', 'What is my gym day?'],
      ['We meet on A', 'We meet on B now', 'When do we meet?'],
      ['Our bins are emptied on A.', 'Our bins are emptied on B.', 'When are our bins emptied?'],
      ['My cleaning lady comes on A', 'My cleaning lady comes on B now', 'When does my cleaning lady come?'],
    ],
  },
  {
    values: pairs('morning/evening;evening/afternoon;afternoon/morning'),
    frames: [
      ['I prefer calls in the A.', 'I prefer calls in the B.', 'When do I prefer calls?'],
      ['I work best in the A', 'I work best in the B these days', 'When do I work best?'],
    ],
  },
  {
    values: pairs('window/aisle;aisle/window'),
    frames: [
      ['I prefer A seats.', 'I prefer B seats now.', 'Which seats do I prefer?'],
      ['I want an A seat, always.', 'I always want an B seat.', 'Which seat do I want?'],
    ],
  },
  {
    values: pairs('jazz/techno;metal/folk;opera/reggae;blues/punk'),
    frames: [
      ['My favourite music is A.', 'My favourite music is B these days.', 'What is my favourite music?'],
      ['A is my favourite genre.', 'B is my favourite genre now.', 'What is my favourite genre?'],
    ],
  },
  {
    values: pairs('bus/bike;car/train;tram/bus;bike/car'),
    frames: [
      ['I go to work by A.', 'I go to work by B now.', 'How do I get to work?'],
      ['I commute by A, sadly', 'I no longer commute by A, I commute by B', 'How do I commute?'],
    ],
  },
  {
    values: pairs('tea/coffee;beer/wine;latte/espresso;cola/water'),
    frames: [
      ['My usual drink is A.', 'My usual drink is B.', 'What is my usual drink?'],
      ['I like A more than B.', 'I like B more than A.', 'Which drink do I like more?'],
      ['I gave up B, I drink A.', 'I gave up A, I drink B.', 'What do I drink?'],
    ],
  },
  {
    values: pairs('teacher/carpenter;baker/nurse;accountant/gardener;barista/paramedic;analyst/consultant'),
    frames: [
      ["I'm a A from the north. How do taxes work?", "I'm a B now.", 'What is my job?'],
      ['I work as a A.', 'I retrained, I work as a B now.', 'What do I work as?'],
      ['My profession is A', 'My profession is B', 'What is my profession?'],
    ],
  },
  {
    values: pairs('single/married;engaged/married;married/divorced'),
    frames: [["I'm A.", "I'm B now.", 'Am I single, engaged, married or divorced?']],
  },
  {
    values: pairs('dark mode/light mode;tabs/spaces;tabs/two spaces'),
    frames: [
      ['I prefer A.', 'I prefer B.', 'Do I prefer A or B?'],
      ['I use A everywhere.', 'I use B everywhere now.', 'Do I use A or B?'],
      ['I always use A', 'I never use A anymore, I use B', 'Do I use A or B?'],
    ],
  },
  {
    values: pairs('Bella/Luna;Rex/Bruno;Mimi/Tiger'),
    frames: [
      ['Call me A.', 'Call me B instead.', 'What do you call me?'],
      ["My cat's name is A.", "Correction, my cat's name is B.", "What is my cat's name?"],
    ],
  },
];
