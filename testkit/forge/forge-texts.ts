// Sentences of our own, from varied domains and in two languages, from which forge.ts makes forged and faithful pairs.
// Invented facts are as good as true ones here: only the relation of claim and quote matters.

export interface ForgeText {
  readonly language: 'en' | 'de';
  readonly domain: string;
  readonly sentences: readonly string[];
}

const split = (text: string): readonly string[] => text.trim().split('\n');

export const forgeTexts: readonly ForgeText[] = [
  {
    language: 'en',
    domain: 'history',
    sentences: split(`
The Treaty of Westhaven was signed on 12 March 1648 by delegates from Norland and Sudmark.
Queen Adela defeated King Osric at the Battle of Harrow Ford in 1212.
The siege of Calder lasted 47 days and cost 3,200 soldiers their lives.
Emperor Lucan never visited the eastern provinces during his reign of 22 years.
The first printing press in Lisvale was built by Johann Kramer in 1476.
Between 1914 and 1918 the port of Brenna handled 2.4 million tonnes of grain.
The Republic of Tarn abolished slavery in 1807, 26 years before the Duchy of Melk.
Captain Ellen Ward discovered the strait and named it after her father.
The old cathedral was destroyed by fire in 1666 and rebuilt in 1675.
Historians probably overestimate the size of the army that crossed the Velden Pass.
No contemporary document mentions the coronation of Prince Radek.
The census of 1851 counted 17,927,609 people in the northern counties.
Roughly 40 percent of the villages were abandoned after the plague of 1349.
Marshal Orlov arrived in Petrograd before the Winter Assembly opened.
The merchants of Porto Alba exported wine, salt and olive oil to Antwerp.
General Hale refused to surrender the fortress until 3 May 1781.
Some chroniclers claim that the bridge was paid for by Bishop Anselm.
The new constitution gave women the right to vote in 1906.
The dynasty ruled from 305 BC to 30 BC.
Only four of the twelve ships returned to Cadena in 1521.`),
  },
  {
    language: 'en',
    domain: 'science',
    sentences: split(`
Water boils at 100 °C at a pressure of 101.3 kPa.
The comet passes within 88 million km of the Sun every 76 years.
Professor Maria Lindqvist discovered the enzyme at Uppsala University in 1987.
Treatment with metroval reduced systolic blood pressure by 12 mmHg.
The mutation may increase the risk of heart failure in older patients.
The vaccine was not effective against the second strain.
Bees can recognise human faces after several days of training.
In the trial 64% of the patients improved, compared with 31% in the placebo group.
Calcium activates the receptor, whereas magnesium inhibits it.
The telescope detected 1,284 new planets between 2009 and 2016.
The probe weighed 478 kg and carried 11 instruments.
Most of the samples contained at least 5 mg of lead per kilogram.
The researchers found no link between coffee and bone density.
Sound travels faster in water than in air.
The glacier lost 3.5 metres of thickness each year between 2001 and 2010.
Dr. Samuel Okoye compared 215 children with asthma and 430 healthy controls.
The particle decays in about 2.2 microseconds.
The lake is 1,642 m deep and holds one fifth of the fresh water on Earth.
Smoking during pregnancy lowers the birth weight of infants.
Temperatures on the plateau fall below -60 °C in July.
High doses of the drug could damage the liver.
The experiment failed to confirm the theory of Lorenz and Petrov.
Deoxyribonucleic acid stores the genetic information of most organisms.
The World Health Organization declared the outbreak over on 17 June 2019.
Female spiders are usually larger than males.`),
  },
  {
    language: 'en',
    domain: 'business',
    sentences: split(`
Northwind Traders increased its revenue by 8.5 percent to $3.4 billion in 2021.
The company employs 12,400 people in 37 countries.
Shares of Borealis fell from €41.20 to €36.80 after the announcement.
Anita Rao succeeded Peter Holm as chief executive in April 2018.
The merger of Altona Bank and Crestline was approved by the regulator on 5 November 2020.
Operating profit rose to £72 million, while debt decreased by £15 million.
The board rejected the offer of Vantage Capital.
Orders must be cancelled at least 48 hours before delivery.
The warehouse in Rotterdam ships up to 90,000 parcels a day.
Contoso acquired Fabrikam for $620 million in cash.
Exports to Japan exceeded imports from Japan for the first time since 1998.
The interest rate was raised by 25 basis points to 4.75%.
According to the finance minister, inflation will fall below 3 percent next year.
The airline plans to open routes to Oslo, Riga and Tallinn in 2025.
The subsidiary sold more than 1.1 million bicycles last year.
If the supplier misses the deadline, the customer may cancel the contract.
The union and the management agreed on a wage increase of 4.2 percent.
Half of the profit goes to the employees.
The plant in Gdansk produces twice as many engines as the plant in Brno.
Unemployment declined from 9.1 percent to 6.4 percent between 2013 and 2017.
The auditor did not find any irregularities in the accounts.
Delivery usually takes three to five days.
The startup was founded by Lena Voss and Tomas Brandt in 2011.
Every employee receives 30 days of paid leave.
Margins were lower than in the previous quarter.`),
  },
  {
    language: 'en',
    domain: 'software',
    sentences: split(`
The server listens on port 8080 unless the variable PORT is set.
Version 4.2 of the library requires Node.js 20 or higher.
The default timeout is 30 seconds.
The cache keeps at most 10,000 entries and expires them after 15 minutes.
Passwords are never stored in plain text.
The parser does not support comments in JSON files.
Calling close twice has no effect.
The option verbose is disabled by default.
The function returns a promise that resolves to an array of strings.
Requests larger than 25 MB are rejected with status 413.
Plugins are loaded before the server starts.
The scheduler should run only on one machine.
The backup is encrypted with AES and uploaded every 6 hours.
Users with the role admin can delete projects.
The compiler ignores unused imports.
The index must be rebuilt after the upgrade to version 7.
The client retries a failed request up to five times.
Reading from the queue is faster than writing to it.
The command may take several minutes on large repositories.
The API accepts English, French and Spanish.
A token expires 24 hours after it was issued.
The log is written to disk before the transaction is acknowledged.
The database supports full-text search and vector search.
The flag is deprecated since version 3.1 and will be removed in version 5.0.
The tool works without an internet connection.
The garbage collector pauses for less than 2 ms.
The test suite runs on Linux, Windows and macOS.
Each worker uses 256 MB of memory.
Clients authenticate with a key, not with a password.
The first release appeared in September 2014.`),
  },
  {
    language: 'en',
    domain: 'geography',
    sentences: split(`
Lake Orra covers an area of 1,250 square kilometres.
The river rises in the Karan Mountains and flows into the Gulf of Seth.
Mount Tavor is 4,810 m high and lies on the border between Pelland and Istra.
The capital of Verania is Solna.
The island has a population of about 85,000 people.
The tunnel between Fensburg and Altwyk is 57 km long.
Rainfall in the north is three times higher than in the south.
The village lies 12 miles west of Carrow.
The desert receives less than 50 mm of rain per year.
The bridge was opened in 1932 and is 503 metres long.
Port Lennox is the second largest city of the province.
Ferries sail from Marwick to Stornholm every two hours.
The national park was founded in 1969 and is home to 140 species of birds.
The road over the pass is closed in winter.
Two thirds of the country is covered by forest.
The airport handles 6.3 million passengers a year.
The coast of Daria is 1,090 km long, the coast of Melosa 760 km.
The lighthouse on Cape Farrow was designed by Hugo Lund.
Some valleys in the region are not accessible by car.
The dam supplies electricity to Upper Karst and Lower Karst.`),
  },
  {
    language: 'en',
    domain: 'arts',
    sentences: split(`
Clara Benning wrote the novel The Glass Harbour in 1931.
The film was directed by Akira Sato and starred Julia Marsh.
The orchestra played the third symphony of Brandt in Vienna on 9 October 1924.
The painting was sold for 4.6 million dollars in London.
Elena Rossi won the Silver Lion before Marco Bellini.
The museum owns 64 drawings, 12 sculptures and 7 paintings by Hofer.
The band released its first album in 1977 and its last album in 1991.
Critics praised the play, but it was not popular with audiences.
The poem was probably written by a student of Hartmann.
The theatre seats 1,150 people.
The dancer studied in Paris, Moscow and Havana.
The sculptor never worked in marble.
The series ran for six seasons and 78 episodes.
The choir of Saint Olaf was conducted by Ingrid Dahl.
The exhibition attracted more than 200,000 visitors.
The composer dedicated the sonata to Countess Irina Volkova.
According to her diary, Benning disliked the ending of the book.
The actor refused to play the role of Hamlet.
The manuscript is older than the printed edition.
The opera was first performed in Milan.`),
  },
  {
    language: 'en',
    domain: 'sport',
    sentences: split(`
Arvika beat Lundby 3-1 in the final on 14 July 2012.
The marathon was won by Tesfaye Bekele in 2 hours 6 minutes.
Hannah Weiss scored 21 points and Petra Novak scored 17 points.
The stadium was renovated in 2005 and holds 48,500 spectators.
The team did not lose a single match in 1999.
Rovers signed Diego Santos from Estrela for 18 million euros.
She was born in Nairobi and trained in Eugene.
The league has 20 clubs, and the last three are relegated.
Lena Fischer finished ahead of Sofia Marin.
The race is held every year in the first week of May.
The coach may leave the club at the end of the season.
Ivan Petrov defeated Carlos Medina in five sets.
The record stood for 23 years.
The swimmer won two gold medals and one bronze medal in Sydney.
Nearly all the tickets were sold within an hour.
The referee showed 5 yellow cards and no red card.
The federation banned the sprinter for four years.
The Tigers scored more goals than the Lions.
The tournament was moved from Doha to Lisbon.
Injuries prevented Mara Lind from competing in 2016.`),
  },
  {
    language: 'en',
    domain: 'health and law',
    sentences: split(`
Adults should not take more than 4 g of paracetamol in 24 hours.
The clinic treats 9,000 patients a year.
The law forbids the sale of alcohol to people under 18.
Employers must keep the records for ten years.
The court convicted Martin Keller and acquitted Jonas Brandt.
The tenant may terminate the lease with three months' notice.
Infants sleep 14 to 17 hours a day.
Vitamin D deficiency is associated with weak bones.
The surgery took 6½ hours and was performed by Dr. Helen Park.
Visitors are allowed to enter the ward after 2 pm.
The act came into force on 1 January 2002.
The judge dismissed the complaint of the Miller family.
Antibiotics do not work against viruses.
The dose was increased from 20 mg to 40 mg after two weeks.
The committee voted 9 to 4 in favour of the proposal.
Regular exercise reduces the risk of diabetes by up to 30 percent.
The fine amounts to 150 euros for each day of delay.
A permit is required if the building is higher than 10 metres.
The nurse in Ward 3 speaks Polish, German and English.
Cases of measles rose in 2018 and fell in 2019.
The witness said that Keller left the house at 10:30 pm.
Children under the age of 6 travel free of charge.
The insurance covers the treatment only in hospitals.
Many patients recover within a week.
The contract was signed by Alice Moreau on behalf of the city of Lyon.`),
  },
  {
    language: 'de',
    domain: 'gemischt',
    sentences: split(`
Der Turm wurde 1889 gebaut und ist 330 Meter hoch.
Die Firma Nordlicht beschäftigt 4.200 Menschen in 12 Ländern.
Anna Berger gewann das Rennen vor Julia Stein.
Der Vertrag wurde am 3. Oktober 1990 unterzeichnet.
Das Museum besitzt 64 Zeichnungen und 12 Skulpturen.
Die Brücke darf nicht von Lastwagen befahren werden.
Der See ist 254 m tief und 63 km lang.
Im Jahr 2019 stieg der Umsatz um 7,5 Prozent auf 1,2 Millionen Euro.
Das Medikament könnte die Leber schädigen.
Professor Karl Lehmann leitete das Institut von 1952 bis 1967.
Die Stadt hat etwa 85.000 Einwohner.
Der Zug fährt von Hamburg nach München.
Kein Zeuge erwähnte den Namen Richter.
Die Bibliothek ist im Winter geschlossen.
Die Fähre verkehrt alle zwei Stunden.
Bayern schlug Leipzig am 14. Mai 2011 mit 3:1.
Der Antrag muss bis zum 31. Dezember 2024 gestellt werden.
Das Kraftwerk liefert 450 MW Strom.
Viele Besucher kommen aus Polen, Dänemark und Schweden.
Der Roman wurde von Clara Hoffmann geschrieben.
Die Temperatur sank um 12 °C.
Die Kinder dürfen im Hof spielen.
Der Preis wurde niemals an Otto Brandt verliehen.
Mindestens 300 Häuser wurden zerstört.
Laut dem Minister wird die Steuer 2026 gesenkt.`),
  },
];
