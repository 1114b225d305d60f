// Units of measure as people write them, reduced to a dimension and an exact factor, so that "5 km" and "5,000 m" are the
// same quantity and "5 mg" and "5 g" are not. Only conversions that are exact by definition share a dimension (SI Brochure
// 9; NIST HB 44 for the inch and the pound); temperatures and currencies are never converted.

export interface Unit {
  /** Canonical name, such as `km` or `percent`. */
  readonly name: string;
  /** Units of the same dimension may be converted into each other. */
  readonly dimension: string;
  /** Size in the dimension's own base. */
  readonly factor: number;
}

/** `dimension | name factor: spellings` – one line per unit. Spellings with capitals are matched exactly. */
const table = `
length|nm 1e-9: nm nanometre nanometer Nanometer
length|µm 1e-6: µm um micron micrometre micrometer Mikrometer
length|mm 1e-3: mm millimetre millimeter Millimeter
length|cm 1e-2: cm centimetre centimeter Zentimeter
length|m 1: m metre meter Meter
length|km 1e3: km kilometre kilometer Kilometer
length|in 0.0254: inch
length|ft 0.3048: ft foot feet
length|yd 0.9144: yd yard
length|mi 1609.344: mi mile miles
length|nmi 1852: nmi
light|ly 1: ly lightyear light-year
mass|ng 1e-12: ng nanogram
mass|µg 1e-9: µg ug mcg microgram Mikrogramm
mass|mg 1e-6: mg milligram milligramme Milligramm
mass|g 1e-3: g gram gramme Gramm
mass|kg 1: kg kilo kilogram kilogramme Kilogramm
mass|t 1e3: t tonne Tonne Tonnen
mass|ton 1000.0001: ton
mass|lb 0.45359237: lb lbs pound-weight
mass|oz 0.028349523125: oz ounce
time|ns 1e-9: ns nanosecond
time|µs 1e-6: µs microsecond
time|ms 1e-3: ms msec millisecond Millisekunde Millisekunden
time|s 1: s sec secs second Sekunde Sekunden
time|min 60: min mins minute Minute Minuten
time|h 3600: h hr hrs hour Stunde Stunden
time|d 86400: day Tag Tage Tagen
time|wk 604800: wk week Woche Wochen
months|mo 1: month Monat Monate Monaten
months|yr 12: yr yrs year Jahr Jahre Jahren
months|decade 120: decade Jahrzehnt Jahrzehnte
months|century 1200: Jahrhunderte
area|mm² 1e-6: mm² mm2
area|cm² 1e-4: cm² cm2
area|m² 1: m² m2 sqm
area|km² 1e6: km² km2
area|ha 1e4: ha hectare Hektar
area|acre 4046.8564224: acre
area|mi² 2589988.110336: mi²
volume|ml 1e-6: ml mL millilitre milliliter Milliliter
volume|cl 1e-5: cl centilitre centiliter
volume|dl 1e-4: dl decilitre deciliter
volume|l 1e-3: l L litre liter Liter
volume|m³ 1: m³ m3
volume|cm³ 1e-6: cm³ cm3 cc
volume|gal 0.003785411784: gal gallon
volume|bbl 0.158987294928: bbl barrel
speed|km/h 0.2777777777777778: km/h kmh kph
speed|m/s 1: m/s
speed|mph 0.44704: mph
speed|kn 0.5144444444444445: kn kt knot
energy|J 1: J joule
energy|kJ 1e3: kJ kilojoule
energy|MJ 1e6: MJ megajoule
energy|Wh 3600: Wh
energy|kWh 3.6e6: kWh
energy|MWh 3.6e9: MWh
energy|GWh 3.6e12: GWh
energy|TWh 3.6e15: TWh
energy|kcal 4184: kcal kilocalorie
power|mW 1e-3: mW milliwatt
power|W 1: W watt
power|kW 1e3: kW kilowatt
power|MW 1e6: MW megawatt Megawatt
power|GW 1e9: GW gigawatt
power|TW 1e12: TW
power|hp 745.69987158227: hp horsepower
voltage|mV 1e-3: mV millivolt
voltage|V 1: V volt
voltage|kV 1e3: kV kilovolt
current|mA 1e-3: mA milliampere
current|A 1: ampere amp
frequency|Hz 1: Hz hertz
frequency|kHz 1e3: kHz kilohertz
frequency|MHz 1e6: MHz megahertz
frequency|GHz 1e9: GHz gigahertz
pressure|Pa 1: Pa pascal
pressure|hPa 100: hPa
pressure|kPa 1e3: kPa
pressure|MPa 1e6: MPa
pressure|bar 1e5: bar
pressure|mmHg 133.322387415: mmHg
pressure|psi 6894.757293168: psi
celsius|°C 1: °C celsius Celsius
fahrenheit|°F 1: °F fahrenheit Fahrenheit
kelvin|K 1: K kelvin
angle|° 1: ° degree deg Grad
amount|mol 1: mol mole
amount|mmol 1e-3: mmol
amount|µmol 1e-6: µmol umol
concentration|M 1: molar
concentration|mM 1e-3: mM
concentration|µM 1e-6: µM uM
concentration|nM 1e-9: nM
data|bit 1: bit
data|kbit 1e3: kbit Kbit
data|Mbit 1e6: Mbit megabit
data|Gbit 1e9: Gbit gigabit
data|B 8: byte
data|kB 8e3: kB KB kilobyte
data|MB 8e6: MB megabyte
data|GB 8e9: GB gigabyte
data|TB 8e12: TB terabyte
data|PB 8e15: PB petabyte
data|KiB 8192: KiB
data|MiB 8388608: MiB
data|GiB 8589934592: GiB
data|TiB 8796093022208: TiB
ratio|percent 0.01: % percent per-cent pct Prozent v.H.
ratio|permille 0.001: ‰ permille
points|percentage point 1: pp percentage-point Prozentpunkt Prozentpunkte Prozentpunkten
points|basis point 0.01: bp bps basis-point
multiple|times 1: × fold -fold
usd|$ 1: $ US$ usd USD dollar
cents|¢ 1: ¢ cent
eur|€ 1: € eur EUR euro
gbp|£ 1: £ gbp GBP pound quid
jpy|¥ 1: ¥ jpy JPY yen
cny|CN¥ 1: cny CNY RMB rmb yuan renminbi
inr|₹ 1: ₹ inr INR rupee
chf|CHF 1: chf CHF franc Franken
cad|C$ 1: C$ CA$ CAD
aud|A$ 1: A$ AU$ AUD
decibel|dB 1: dB decibel
`;

const exact = new Map<string, Unit>();
const lower = new Map<string, Unit>();
for (const line of table.trim().split('\n')) {
  const bar = line.indexOf('|');
  const colon = line.indexOf(': ', bar);
  const [dimension, head, spellings] = [line.slice(0, bar), line.slice(bar + 1, colon), line.slice(colon + 2)];
  const space = head.lastIndexOf(' ');
  const unit: Unit = { name: head.slice(0, space), dimension, factor: Number(head.slice(space + 1)) };
  for (const spelling of spellings.split(' ')) {
    exact.set(spelling, unit);
    const isWord = spelling.length > 3 && /^[a-z-]+$/u.test(spelling);
    if (isWord)
      for (const form of [spelling, `${spelling}s`, spelling === 'inch' ? 'inches' : `${spelling}s`])
        lower.set(form, unit);
  }
}
for (const word of 'mole molar cent foot gram kilo euro yard knot byte watt volt acre hour week year mile'.split(' '))
  lower.set(`${word}s`, exact.get(word) as Unit);
for (const word of ['day', 'bit', 'ton', 'amp']) {
  lower.set(word, exact.get(word) as Unit);
  lower.set(`${word}s`, exact.get(word) as Unit);
}
lower.set('yen', exact.get('yen') as Unit);

/** Symbols that stand before the number. */
export const currencySymbols = /^(?:US\$|CA\$|AU\$|CN¥|[AC]\$|[$€£¥₹])/u;

/** The unit that this word or symbol names, or undefined. Symbols are case-sensitive, words are not. */
export function unitOf(word: string): Unit | undefined {
  const folded = word.replace(/\u03bc/gu, 'µ');
  return exact.get(folded) ?? lower.get(folded.toLowerCase());
}

/** Symbols that stand for their unit even when written right after the digits ("5km"); others need a space. */
export function isSymbol(word: string): boolean {
  const unit = exact.get(word.replace(/\u03bc/gu, 'µ'));
  return unit !== undefined && word.length <= 5;
}
