// Generated files of records: mail, calendar, contacts, a notebook and JSON, each with questions whose answers are known.
import { pick } from '../../testkit/forge/forge-words.ts';
import { type Drawer, shuffled, type Written } from './table-answers-draw.ts';

/** What messages tell, each with a question whose answer the header of another message could be taken for. */
const letters: readonly {
  readonly subject: string;
  readonly say: (value: string, name: string) => string;
  readonly ask: (name: string) => string;
  readonly value: (draw: Drawer) => string;
}[] = [
  {
    subject: 'Retention of the audit log',
    say: (value, name) => `The retention period of the ${name} audit log ends on ${value}.`,
    ask: (name) => `When does the retention period of the ${name} audit log end?`,
    value: (draw) => draw.date(),
  },
  {
    subject: 'Offer',
    say: (value, name) => `The offer of ${name} is valid until ${value}.`,
    ask: (name) => `Until when is the offer of ${name} valid?`,
    value: (draw) => draw.date(),
  },
  {
    subject: 'Lease',
    say: (value, name) => `The lease of the ${name} warehouse expires on ${value}.`,
    ask: (name) => `When does the lease of the ${name} warehouse expire?`,
    value: (draw) => draw.date(),
  },
  {
    subject: 'Invoice',
    say: (value, name) => `The invoice of ${name} comes to ${value} euros.`,
    ask: (name) => `How much is the invoice of ${name}?`,
    value: (draw) => draw.whole(1000, 9000),
  },
  {
    subject: 'New lead',
    say: (value, name) => `${value} will lead the ${name} project from now on.`,
    ask: (name) => `Who leads the ${name} project?`,
    value: (draw) => draw.person(),
  },
];

export function mails(draw: Drawer): Written[] {
  return Array.from({ length: 20 }, (_, at): Written => {
    const letter = letters[at % letters.length] as (typeof letters)[number];
    const name = draw.name();
    const value = letter.value(draw);
    const [from, to] = [draw.person(), draw.person()];
    const address = (person: string): string => `${person} <${person.toLowerCase().replace(' ', '.')}@example.org>`;
    const day = String(1 + (at % 27)).padStart(2, '0');
    const body = [
      `Dear ${to},`,
      'thank you for your message of last week, and for the time that you took.',
      letter.say(value, name),
      'Please tell me if anything is missing.',
      `Kind regards\n${from}`,
    ];
    const head = [
      `From: ${address(from)}`,
      `To: ${address(to)}`,
      `Subject: ${letter.subject} ${name}`,
      `Date: ${day} Mar 2026 09:${String(10 + at)}:00 +0000`,
      `Message-ID: <${at}@example.org>`,
      'Content-Type: text/plain; charset=utf-8',
    ];
    const file = `mail-${String(at + 1).padStart(2, '0')}.eml`;
    return {
      name: file,
      bytes: `${head.join('\r\n')}\r\n\r\n${body.join('\r\n\r\n').replaceAll(/(?<!\r)\n/gu, '\r\n')}\r\n`,
      questions: [{ question: letter.ask(name), answer: value, label: name }],
    };
  });
}

export function events(draw: Drawer): Written {
  const rows = Array.from({ length: 28 }, (_, at) => {
    const day = `2027${String(1 + (at % 12)).padStart(2, '0')}${String(10 + Math.floor(at / 2)).padStart(2, '0')}`;
    return {
      name: `${draw.name()} ${pick(['workshop', 'review', 'hearing', 'tasting'], draw.random)}`,
      day,
      room: `Room ${draw.code('K')}`,
      host: draw.person(),
    };
  });
  const entries = rows.map(({ name, day, room, host }, at) =>
    [
      'BEGIN:VEVENT',
      `UID:${at}@example.org`,
      `SUMMARY:${name}`,
      `DTSTART:${day}T100000`,
      `DTEND:${day}T113000`,
      `LOCATION:${room}`,
      `ORGANIZER;CN=${host}:mailto:${at}@example.org`,
      'END:VEVENT',
    ].join('\r\n'),
  );
  const written = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  return {
    name: 'calendar.ics',
    bytes: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n${entries.join('\r\n')}\r\nEND:VCALENDAR\r\n`,
    questions: shuffled(
      rows.map((_, at) => at),
      draw.random,
    )
      .slice(0, 16)
      .map((at, turn) => {
        const { name, day, room, host } = rows[at] as (typeof rows)[number];
        const asks = [
          { question: `When is the ${name}?`, answer: written(day) },
          { question: `Where does the ${name} take place?`, answer: room },
          { question: `Who is the organizer of the ${name}?`, answer: host },
        ];
        return { ...(asks[turn % asks.length] as (typeof asks)[number]), label: '', place: `event ${at + 1}` };
      }),
  };
}

export function cards(draw: Drawer): Written {
  const rows = Array.from({ length: 30 }, () => ({
    name: draw.person(),
    firm: `${draw.name()} Trading`,
    phone: `+49 40 ${draw.whole(100_000, 999_999)}`,
    born: draw.date(),
    town: draw.name(),
  }));
  const entries = rows.map(({ name, firm, phone, town }) => {
    const [given, family] = name.split(' ');
    return [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:${family};${given};;;`,
      `FN:${name}`,
      `ORG:${firm}`,
      `TEL;TYPE=WORK:${phone}`,
      `EMAIL:${family?.toLowerCase()}@example.org`,
      `ADR;TYPE=HOME:;;Main Street 1;${town};;;`,
      'END:VCARD',
    ].join('\r\n');
  });
  return {
    name: 'contacts.vcf',
    bytes: `${entries.join('\r\n')}\r\n`,
    questions: shuffled(rows, draw.random)
      .slice(0, 16)
      .map(({ name, firm, phone, town }, turn) => {
        const asks = [
          { question: `What is the phone number of ${name}?`, answer: phone },
          { question: `Which organisation does ${name} work for?`, answer: firm },
          { question: `What is the address of ${name}?`, answer: town },
        ];
        return { ...(asks[turn % asks.length] as (typeof asks)[number]), label: '', place: name };
      }),
  };
}

export function notebook(draw: Drawer): Written {
  const facts = Array.from({ length: 10 }, () => ({ name: draw.name(), value: draw.decimal(10, 90) }));
  const cells = facts.flatMap(({ name, value }, at) => [
    {
      cell_type: 'markdown',
      metadata: {},
      source: [`## Run ${at + 1}\n`, '\n', `The ${name} model reached an accuracy of ${value} % on the held-out set.`],
    },
    {
      cell_type: 'code',
      metadata: {},
      execution_count: at,
      source: [`score = evaluate("${name}")\nprint(score)`],
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['done\n'] }],
    },
  ]);
  return {
    name: 'experiments.ipynb',
    bytes: JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    questions: facts.map(({ name, value }, at) => ({
      question: `What accuracy did the ${name} model reach?`,
      answer: value,
      label: name,
      place: `cell ${2 * at + 1}`,
    })),
  };
}

export function records(draw: Drawer): Written {
  const rows = Array.from({ length: 24 }, () => ({
    vessel: draw.name(),
    homePort: draw.name(),
    engine: { power: Number(draw.whole(1000, 9900)), builder: `${draw.name()} Motors` },
  }));
  return {
    name: 'vessels.json',
    bytes: JSON.stringify(rows, null, 1),
    questions: shuffled(
      rows.map((_, at) => at),
      draw.random,
    )
      .slice(0, 12)
      .map((at, turn) => {
        const { vessel, homePort, engine } = rows[at] as (typeof rows)[number];
        const asks = [
          { question: `What is the home port of the vessel ${vessel}?`, answer: homePort },
          { question: `What is the engine power of the vessel ${vessel}?`, answer: String(engine.power) },
          { question: `Who is the builder of the engine of the vessel ${vessel}?`, answer: engine.builder },
        ];
        return { ...(asks[turn % asks.length] as (typeof asks)[number]), label: '', place: `[${at}]` };
      }),
  };
}
