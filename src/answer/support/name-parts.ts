// Which words of a name cannot be left out: the kind of thing that it names ("New York University") and what tells it from its
// neighbours ("South Korea"). First names and titles of people can.

const kinds = new Set(
  'university college school institute bank organization organisation party council mountain mountains states river company museum assembly prize army beach storm pass capital church lake street road award league association committee commission press hospital airport station park bridge tower court act society union foundation channel sea ocean island islands county center centre hall library theatre theater railway navy force cup bowl stadium village castle palace empire republic kingdom dynasty war wars period agency department ministry board group parliament valley coast bay harbour harbor canal dam law theorem state city town district province region festival conference treaty agreement code system project program programme studio records times post journal magazine'.split(
    ' ',
  ),
);
const prefixes = new Set(
  'new north south east west northern southern eastern western upper lower inner outer central great greater little saint san santa port lake mount fort cape old united world royal national federal first second third anti non pro vice deputy'.split(
    ' ',
  ),
);

/** "University" of "New York University". `word` in lower case. */
export const isKindOfName = (word: string): boolean => kinds.has(word);

/** "South" of "South Korea". `word` in lower case. */
export const isNamePrefix = (word: string): boolean => prefixes.has(word);
