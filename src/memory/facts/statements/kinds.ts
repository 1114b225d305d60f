// What everyday names are kinds of: of two of one kind a user mostly prefers, uses or is one at a time. Small on purpose; a word that is not
// here has no kind, and nothing is concluded from it.

const lists: Readonly<Record<string, string>> = {
  drink:
    'tea;coffee;espresso;cappuccino;latte;matcha;water;juice;beer;wine;soda;milk;cola;coke;pepsi;cocoa;kombucha;lemonade;whisky;gin',
  editor:
    'vim;neovim;nvim;emacs;vscode;vs code;visual studio code;visual studio;sublime;sublime text;intellij;pycharm;webstorm;zed;helix;nano;atom;cursor;eclipse;xcode;notepad++;android studio;rider;phpstorm;goland',
  database:
    'postgres;postgresql;mysql;mariadb;sqlite;mongodb;mongo;oracle;cassandra;dynamodb;cockroachdb;sql server;mssql;firestore;clickhouse;snowflake;bigquery;redshift;duckdb',
  'programming language':
    'python;javascript;typescript;java;kotlin;rust;golang;ruby;php;swift;scala;elixir;haskell;c++;c#;perl;julia;clojure;ocaml;erlang;dart;fortran;cobol',
  'operating system':
    'linux;ubuntu;debian;fedora;arch;windows;macos;mac;mac os;nixos;mint;red hat;centos;freebsd;android;ios',
  'cloud provider':
    'aws;azure;gcp;google cloud;amazon web services;hetzner;digitalocean;digital ocean;heroku;fly.io;linode;cloudflare;ovh',
  'ci pipeline':
    'jenkins;github actions;gitlab ci;circleci;circle ci;travis;teamcity;buildkite;bamboo;drone;azure pipelines',
  framework:
    'react;vue;angular;svelte;solid;next.js;nextjs;nuxt;remix;ember;django;flask;fastapi;rails;laravel;spring;express;nestjs;phoenix',
  browser: 'firefox;chrome;safari;edge;brave;opera;vivaldi;chromium;arc',
  'package manager': 'npm;yarn;pnpm;bun;pip;poetry;uv;conda;cargo;maven;gradle',
  'chat tool': 'slack;teams;microsoft teams;discord;mattermost;zulip;google chat;telegram;whatsapp;signal',
  'issue tracker': 'jira;linear;asana;trello;monday.com;clickup;youtrack;bugzilla;github issues',
  'code host': 'github;gitlab;bitbucket;gitea;codeberg',
  shell: 'bash;zsh;fish;powershell;nushell;tcsh',
  diet: 'vegetarian;vegan;pescatarian;omnivore;meat eater;flexitarian;keto;paleo;carnivore;fruitarian',
  'time of day': 'morning;mornings;afternoon;afternoons;evening;evenings;noon;night;nights;midday',
  weekday:
    'monday;tuesday;wednesday;thursday;friday;saturday;sunday;mondays;tuesdays;wednesdays;thursdays;fridays;saturdays;sundays',
  theme: 'dark mode;light mode;dark theme;light theme;dark themes;light themes',
  indentation: 'tabs;spaces;two spaces;four spaces;2 spaces;4 spaces',
  units:
    'metric;imperial;celsius;fahrenheit;kilometers;kilometres;miles;kilograms;pounds;km;kg;lbs;metric units;imperial units',
  spelling:
    'british english;american english;british spelling;american spelling;us spelling;uk spelling;us english;uk english',
  language:
    'english;german;french;spanish;italian;portuguese;dutch;swedish;polish;russian;chinese;mandarin;japanese;korean;arabic;turkish;hindi;greek;czech;danish;finnish;norwegian;ukrainian;hungarian;romanian;hebrew;catalan',
  tone: 'formal;informal;casual;funny;witty;friendly;professional;humorous;serious;playful;direct;polite;blunt;formal tone;informal tone;casual tone',
  length:
    'short;brief;concise;terse;long;detailed;thorough;in-depth;verbose;lengthy;in depth;succinct;comprehensive;elaborate;one-liners',
  layout:
    'bullet points;bullets;bullet lists;bullet list;prose;paragraphs;tables;table;plain text;numbered lists;full sentences;lists;markdown;running text',
  'contact channel':
    'email;phone;phone calls;calls;video calls;text messages;texting;chat;letter;sms;voice messages;in person',
  transport:
    'train;plane;car;bus;bike;bicycle;tram;taxi;subway;metro;foot;flying;driving;walking;cycling;scooter;motorbike;ferry',
  seat: 'window;aisle;window seat;aisle seat;window seats;aisle seats;middle seat',
  pet: 'dog;cat;dogs;cats;hamster;rabbit;parrot;goldfish;puppy;kitten',
  season: 'summer;winter;spring;autumn;fall',
  clock: '24-hour;12-hour;24 hour;12 hour;24h;12h;24-hour clock;12-hour clock;am/pm;military time',
  currency: 'euro;euros;dollar;dollars;usd;eur;gbp;chf;yen;swiss francs;british pounds;sterling',
  'work place': 'remote;remotely;from home;office;on site;on-site;onsite;hybrid;in the office;coworking space',
  color:
    'red;blue;green;yellow;purple;orange;black;white;pink;brown;grey;gray;teal;turquoise;violet;magenta;navy;beige',
  food: 'pizza;pasta;sushi;burger;burgers;salad;curry;ramen;tacos;steak;rice;noodles;soup;sandwiches',
  sport:
    'football;soccer;tennis;basketball;swimming;running;yoga;climbing;hiking;cycling;rugby;cricket;golf;badminton;volleyball;rowing;boxing;judo;skiing;surfing',
};

interface Kind {
  readonly kind: string;
  readonly name: string;
}

const byFirstWord = new Map<string, Kind[]>();
for (const [kind, names] of Object.entries(lists))
  for (const name of names.split(';')) {
    const first = name.split(' ')[0] ?? '';
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), { kind, name }]);
  }
for (const kinds of byFirstWord.values()) kinds.sort((a, b) => b.name.length - a.name.length);

/** Names with a kind in a text of plain words, in order; the longest that stands at a place. */
export function kindsIn(plain: string): readonly Kind[] {
  const words = plain.match(/[^\s,;:!?()"]+/gu) ?? [];
  const found: Kind[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] ?? '').replace(/\.$/u, '');
    const rest = words
      .slice(at, at + 4)
      .join(' ')
      .replace(/\.$/u, '');
    const named = byFirstWord
      .get(word)
      ?.find(({ name }) => rest === name || rest.startsWith(`${name} `) || word === name);
    if (!named) continue;
    found.push(named);
    at += named.name.split(' ').length - 1;
  }
  return found;
}
