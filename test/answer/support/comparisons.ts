// Comparisons made by hand: what is asked of two or three things, what documents say of them, and which of them a careful reader would name; none where the
// documents do not tell. Traps: another event or attribute, another thing of nearly the same name, doubt, ranges, other units, a missing side.

export interface MadeComparison {
  readonly asked: string;
  readonly things: readonly string[];
  readonly passages: readonly string[];
  /** The name that the claim opens with; absent: nothing may be compared. */
  readonly told?: string;
}

const made = (asked: string, things: string, passages: string, told?: string): MadeComparison => ({
  asked,
  things: things.split(' / '),
  passages: passages.split(' || '),
  ...(told !== undefined && { told }),
});

export const comparisons: readonly MadeComparison[] = [
  // Dates in prose.
  made(
    'Which came first?',
    'the Brenner works / the Kallio mill',
    'The Brenner works made bicycles from 1911 on and closed in 1974. || The Kallio mill has spun wool since 1889; it has 260 workers today.',
    'The Kallio mill',
  ),
  made(
    'Which was founded first?',
    'Nokta Works / Lumi Oy',
    'Nokta Works was founded in 1998 in Tampere by two engineers. || Lumi Oy, set up in Oulu in 2007, makes phones.',
    'Nokta Works',
  ),
  made(
    'Which came first?',
    'the Lumi X / the Nokta 7',
    'Launched in autumn 2021, the Lumi X is a phone. || The Nokta 7 is a phone made by Nokta Works of Tampere. It was first released in May 2019 and has been sold in Europe since then.',
    'The Nokta 7',
  ),
  made(
    'Which was opened first?',
    'the old bridge / the open-air museum',
    'The old bridge is 212 metres long and was opened in 1903. || The open-air museum opened its doors in 1971; admission is free.',
    'The old bridge',
  ),
  made(
    'Which is longer?',
    'the old bridge / the new bridge',
    'The old bridge is 212 metres long and was opened in 1903. || The new bridge, completed in 1988, has a length of 640 m and cost a fortune.',
    'The new bridge',
  ),
  made('Which was signed first?', 'Oak / Elm', 'Oak was signed on 3 March 2021. || Elm was concluded in 2019.', 'Elm'),
  // Dates in prose that are another's, or of another event.
  made(
    'Which came first?',
    'Harrow / Minton',
    'Harrow is a phone made by Nestor Works. It was founded in 1852. || Minton was founded in 1871.',
  ),
  made(
    'Which came first?',
    'Harrow / Minton',
    'Harrow is a rival of Corvid. It was first released in 1952. || Minton was released in 1971.',
  ),
  made(
    'Which came first?',
    'Harrow / Minton',
    'Harrow has grown by 4 % since 1852 and 1860. || Minton has spun wool since 1871.',
  ),
  made(
    'Which came first?',
    'Harrow / Minton',
    'Launched in 1852, the works of Harrow are large. || Minton was launched in 1871.',
  ),
  made(
    'Which came first?',
    'Harrow / Minton',
    'Harrow, which owns the mill, is large and was opened in 1852. || Minton was opened in 1871.',
  ),
  made(
    'Which came first?',
    'Harrow / Minton',
    'Harrow is near the mill and the mill was opened in 1852. || Minton was opened in 1871.',
  ),
  made('Which came first?', 'Harrow / Minton', 'Harrow was made from 1852 parts. || Minton was made from 1871 on.'),
  made(
    'Which came first?',
    'Harrow / Minton',
    'Harrow made bells from 1852 to 1860. || Minton made bells from 1871 on.',
  ),
  // Times that tell.
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in 2001. || Lark was released in 2004.', 'Corvid'),
  made(
    'Which came first?',
    'Lark / Corvid',
    'Corvid was first released in March 2001 by Nestor. || Lark was launched in 2004.',
    'Corvid',
  ),
  made(
    'Which was released last?',
    'Corvid / Lark',
    'Corvid was released in 2001. || Lark was released in 2004.',
    'Lark',
  ),
  made(
    'Which is older?',
    'Harrow / Minton',
    'Harrow was founded in 1852. || Minton was established in Lowell in 1871.',
    'Harrow',
  ),
  made('Which is newer?', 'Harrow / Minton', 'Harrow was founded in 1852. || Minton was founded in 1871.', 'Minton'),
  made(
    'Who was born first?',
    'Ada Reiss / Tomas Weil',
    'Ada Reiss (born 3 May 1950) is a painter. || Tomas Weil was born in Graz on 4 June 1961.',
    'Ada Reiss',
  ),
  made(
    'Who is younger?',
    'Ada Reiss / Tomas Weil',
    'Ada Reiss (born 3 May 1950) is a painter. || Tomas Weil (born 4 June 1961) is a singer.',
    'Tomas Weil',
  ),
  made(
    'Who is the oldest?',
    'Ada Reiss / Tomas Weil',
    'Ada Reiss (July 14, 1939 – September 21, 2019) was an actor. || Tomas Weil was born on January 7, 1976.',
    'Ada Reiss',
  ),
  made(
    'Which bridge was built first?',
    'the Arne Bridge / the Bolt Bridge',
    'The Arne Bridge was built in 1901. || The Bolt Bridge was built in 1888 by Carl Bolt.',
    'The Bolt Bridge',
  ),
  made(
    'Which opened first?',
    'Hall One / Hall Two',
    'In 1999, Hall One was opened. || Hall Two was opened in 2003.',
    'Hall One',
  ),
  made(
    'Which magazine was published first?',
    'Orbit / Delta',
    'Orbit, a monthly magazine, was first published in 1922. || Delta was published in 1931.',
    'Orbit',
  ),
  made(
    'Which band was formed first?',
    'The Fens / Rookery',
    'The Fens were formed in 1994. || Rookery was formed in 1991.',
    'Rookery',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid is a text editor. It was released in 2001. || Lark was released in 2004.',
    'Corvid',
  ),
  made(
    'Which came first?',
    'Orbit / Delta',
    'Orbit is a monthly magazine. The magazine was started in 1922. || Delta was founded in 1931.',
    'Orbit',
  ),
  made('Which came first?', 'Corvid / Lark', 'Nestor released Corvid in 2001. || Lark was released in 2004.', 'Corvid'),
  made(
    'Which came first?',
    'Corvid / Lark',
    '# Corvid\n\nReleased: 2001\nLicence: MIT || # Lark\n\nReleased: 2004\nLicence: GPL',
    'Corvid',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Product: Corvid; Price: $20; First release: 2001 || Product: Lark; Price: $45; First release: 2004',
    'Corvid',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    '| Product | Released | Price |\n|---|---|---|\n| Corvid | 2001 | $20 |\n| Lark | 2004 | $45 |',
    'Corvid',
  ),
  made(
    'Which was released first?',
    'Corvid / Lark / Wren',
    'Corvid was released in 2001. || Lark was released in 2004. || Wren was released in 1999.',
    'Wren',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid was released on 3 March 2001. || Lark was released on 4 March 2001.',
    'Corvid',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid is an editor released in 2001. || Lark, released in 2004, is an editor.',
    'Corvid',
  ),
  made(
    'Was Corvid released before Lark?',
    'Corvid / Lark',
    'Corvid debuted in 2001. || Lark came out in 2004.',
    'Corvid',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid came to market on 17 September 2001. || Lark went on sale in May 2004.',
    'Corvid',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'The first version of Corvid was released in 2001. || Lark was released in 2004.',
    'Corvid',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid was released in 2001 and Lark in 2000. || Lark was released in 2000. || Corvid was founded in 1990.',
    'Lark',
  ),
  made(
    'Which band was formed first?',
    'The Fens / Rookery',
    'The Fens were an American rock band from Los Angeles, California, formed in 1997. || Rookery was formed in 2005.',
    'The Fens',
  ),
  // Amounts that tell.
  made('Which is longer?', 'the Oder / the Weser', 'The Oder is 840 km long. || The Weser is 452 km long.', 'The Oder'),
  made(
    'Which is shorter?',
    'the Oder / the Weser',
    'The Oder has a length of 840 km. || The length of the Weser is 452 km.',
    'The Weser',
  ),
  made(
    'Is the Oder longer than the Weser?',
    'the Oder / the Weser',
    'The Oder is 840 km long, and flows north. || The Weser is 452,000 m long.',
    'The Oder',
  ),
  made('Which is cheaper?', 'Corvid / Lark', 'Corvid costs $20 per month. || Lark costs $45 per month.', 'Corvid'),
  made('Which is more expensive?', 'Corvid / Lark', 'Corvid is priced at €20. || The price of Lark is €45.', 'Lark'),
  made(
    'Which is cheaper?',
    'Corvid / Lark',
    '# Corvid\n\nPrice: $20\nReleased: 2001 || # Lark\n\nPrice: $45\nReleased: 2004',
    'Corvid',
  ),
  made(
    'Which is cheaper?',
    'Corvid / Lark',
    'Product: Corvid; Unit Price: 129.99; Currency: EUR || Product: Lark; Unit Price: 79.99; Currency: EUR',
    'Lark',
  ),
  made(
    'Which is cheaper?',
    'Corvid / Lark',
    'Product: Corvid; Quantity: 2; Unit Price: 129.99 || Product: Lark; Quantity: 3; Unit Price: 79.99',
    'Lark',
  ),
  made(
    'Which tower is taller?',
    'Tower A / Tower B',
    'Tower A is 120 m tall. || Tower B has a height of 140 m.',
    'Tower B',
  ),
  made(
    'Which lake is deeper?',
    'Lake Ansel / Lake Brom',
    'Lake Ansel is 80 m deep. || Lake Brom is 95 m deep.',
    'Lake Brom',
  ),
  made(
    'Which is heavier?',
    'the Mark 1 / the Mark 2',
    'The Mark 1 weighs 12 kg. || The Mark 2 weighs 9,500 g.',
    'The Mark 1',
  ),
  made(
    'Which has the larger population?',
    'Arden / Brill',
    'Arden has a population of 12,480. || Brill has a population of 9,310.',
    'Arden',
  ),
  made('Which has more plugins?', 'Corvid / Lark', 'Corvid has 120 plugins. || Lark offers 80 plugins.', 'Corvid'),
  made('Which island is larger?', 'Fara / Stroma', 'Fara has an area of 12 km². || Stroma covers 8 km².', 'Fara'),
  // Another event.
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in 2001. || Lark was founded in 1999.'),
  made('Which was released first?', 'Corvid / Lark', 'Corvid was announced in 1998. || Lark was released in 2004.'),
  made('Which was released first?', 'Corvid / Lark', 'Corvid was discontinued in 2001. || Lark was released in 2004.'),
  made('Which was founded first?', 'Harrow / Minton', 'Harrow was renamed in 1852. || Minton was founded in 1871.'),
  made('Which was founded first?', 'Harrow / Minton', 'Harrow moved to Lowell in 1852. || Minton was founded in 1871.'),
  made('Who was born first?', 'Ada Reiss / Tomas Weil', 'Ada Reiss died in 1950. || Tomas Weil was born in 1961.'),
  made(
    'Who was born first?',
    'Ada Reiss / Tomas Weil',
    'Ada Reiss (1939–2019) was an actor. || Tomas Weil was born in 1976.',
  ),
  made('Which opened first?', 'Hall One / Hall Two', 'Hall One was rebuilt in 1999. || Hall Two was opened in 2003.'),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid was founded in 1990. || Corvid was released in 2005. || Lark was founded in 1995. || Lark was released in 2001.',
  ),
  // Another thing.
  made('Which came first?', 'Corvid / Lark', 'Corvid 2 was released in 2001. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', "Corvid's mobile app was released in 2001. || Lark was released in 2004."),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid is a rival of Wren. It was released in 2001. || Lark was released in 2004.',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'The successor of Corvid was released in 2001. || Lark was released in 2004.',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid is a mode of Emacs released in 1985. || Lark was released in 2004.',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Nestor, the maker of Corvid, was founded in 1980. || Lark was founded in 1999.',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid was released by Nestor, which was founded in 1980. || Lark was founded in 1999.',
  ),
  made('Which came first?', 'Corvid / Lark', 'It was released in 2001. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Product: Corvid Mini; Released: 2001 || Product: Lark; Released: 2004'),
  made(
    'Which came first?',
    'Corvid / Lark',
    '# Corvid\n\n## Mobile app\n\nReleased: 2001\nLicence: MIT || # Lark\n\nReleased: 2004\nLicence: MIT',
  ),
  made('Which is cheaper?', 'Corvid / Lark', 'A licence for the plugins of Corvid costs $5. || Lark costs $45.'),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid is a rival of Wren from Graz, released in 2001. || Lark was released in 2004.',
  ),
  // Doubt and ranges.
  made('Which came first?', 'Corvid / Lark', 'Corvid was released around 2001. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in about 2001. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was probably released in 2001. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in 2001 or 2002. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released before 2001. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was not released in 2001. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was to be released in 2001. || Lark was released in 2004.'),
  made(
    'Which came first?',
    'Corvid / Lark',
    'According to Nestor, Corvid was released in 2001. || Lark was released in 2004.',
  ),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in the 1990s. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was built in 1901–1904. || Lark was built in 1903.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in 2004. || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in 2004. || Lark was released in March 2004.'),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid was released in 2001. || Corvid was released in 2006. || Lark was released in 2004.',
  ),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid was released on 03/04/2004. || Lark was released on 5 March 2004.',
  ),
  made('Which came first?', 'Corvid / Lark', 'Was Corvid released in 2001? || Lark was released in 2004.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in Japan in 2001. || Lark was released in 2004.'),
  made(
    'Which came first?',
    'Corvid / Lark',
    'Corvid was released in 2001 for Windows. || Lark was released in 2000 as a beta.',
  ),
  made('Which is longer?', 'the Oder / the Weser', 'The Oder is about 840 km long. || The Weser is 452 km long.'),
  made('Which is longer?', 'the Oder / the Weser', 'The Oder is more than 400 km long. || The Weser is 452 km long.'),
  made('Which is cheaper?', 'Corvid / Lark', 'Corvid costs from $20 to $60. || Lark costs $45.'),
  // Another attribute or unit.
  made(
    'Which is cheaper?',
    'Corvid / Lark',
    'Product: Corvid; Unit Price: 129.99; Currency: USD || Product: Lark; Unit Price: 79.99; Currency: EUR',
  ),
  made(
    'Which is cheaper?',
    'Corvid / Lark',
    'Product: Corvid; Unit Price: 129.99 || Product: Lark; Unit Price: $79.99',
  ),
  made('Which is longer?', 'the Oder / the Weser', 'The Oder is 840 m wide. || The Weser is 452 km long.'),
  made('Which is cheaper?', 'Corvid / Lark', 'Corvid costs $20 per month. || Lark costs $45 per year.'),
  made('Which is cheaper?', 'Corvid / Lark', 'Corvid costs $20. || Lark costs €45.'),
  made('Which is cheaper?', 'Corvid / Lark', 'Corvid costs $20 per user per month. || Lark costs $45 per month.'),
  made('Which is taller?', 'Tower A / Tower B', 'Tower A is 120 m long. || Tower B is 140 m tall.'),
  made('Which has more plugins?', 'Corvid / Lark', 'Corvid has 120 users. || Lark has 80 plugins.'),
  made('Which has more plugins?', 'Corvid / Lark', 'Corvid has 120 plugins for music. || Lark has 80 plugins.'),
  made(
    'Which has the larger population?',
    'Arden / Brill',
    'Arden has a population of 12,480. || Brill has 9,310 houses.',
  ),
  // A missing side, and questions that no figure decides.
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in 2001. || Lark is a text editor.'),
  made('Which came first?', 'Corvid / Lark', 'Corvid was released in 2001.'),
  made('Which is longer?', 'the Oder / the Weser', 'The Oder is 840 km long. || The Weser flows through Bremen.'),
  made('Which is better?', 'Corvid / Lark', 'Corvid was released in 2001. || Lark was released in 2004.'),
  made(
    'Which was the first to serve pizza?',
    'Corvid / Lark',
    'Corvid was founded in 2001. || Lark was founded in 2004.',
  ),
  made('Which has the longer battery life?', 'Corvid / Lark', 'Corvid is 12 cm long. || Lark is 14 cm long.'),
];
