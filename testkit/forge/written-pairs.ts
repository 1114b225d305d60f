// Claims written by hand over short quotes, in words of their own: for each kind of rewriting a claim that says what the quote
// says and one that does not. They were written before the rules that accept them. Lines with an odd number (from 1) may shape
// rules; the even ones are only reported.

export interface WrittenPair {
  readonly kind: string;
  readonly quote: string;
  readonly claim: string;
  readonly isTrue: boolean;
  /** Rules may be shaped on it. */
  readonly isOpen: boolean;
}

const table = `
inflection | The workshop produces two violins every year. | The workshop produced two violins each year. | The workshop produced two cellos each year.
inflection | Salt marshes protect the coast from storms. | The salt marsh protects coasts against storms. | The salt marsh protects forests against storms.
inflection | The orchestra has toured Japan and Brazil. | The orchestra toured Japan and Brazil. | The orchestra toured Japan and Chile.
inflection | Both clinics treat children with asthma. | Both clinics are treating children with asthma. | Both clinics are treating adults with asthma.
tense | The ferry crosses the strait four times a day. | The ferry crossed the strait four times a day. | The ferry crossed the strait five times a day.
tense | Engineers repaired the northern lock in 2004. | Engineers have repaired the northern lock, in 2004. | Engineers have repaired the southern lock, in 2004.
tense | The company sells its bicycles in eleven countries. | The company has been selling its bicycles in eleven countries. | The company has been selling its helmets in eleven countries.
tense | The bridge was carrying 40,000 vehicles a day. | The bridge carried 40,000 vehicles a day. | The bridge carried 14,000 vehicles a day.
voice | Alma Reyes designed the concert hall. | The concert hall was designed by Alma Reyes. | Alma Reyes was designed by the concert hall.
voice | The jury awarded the first prize to a quartet from Riga. | The first prize was awarded to a quartet from Riga by the jury. | The jury was awarded the first prize by a quartet from Riga.
voice | The law was passed by parliament in March 2011. | Parliament passed the law in March 2011. | Parliament was passed by the law in March 2011.
voice | A storm destroyed the old pier in 1953. | In 1953 the old pier was destroyed by a storm. | In 1953 the old pier destroyed a storm.
voice | Two volunteers maintain the server. | The server is maintained by two volunteers. | The server maintains two volunteers.
number-format | The reservoir holds 1,250,000 cubic metres of water. | The reservoir holds 1.25 million cubic metres of water. | The reservoir holds 12.5 million cubic metres of water.
number-format | The budget rose to 3.4 billion dollars. | The budget rose to $3.4bn. | The budget rose to $3.4m.
number-format | Two thirds of the members voted for the plan. | 67% of the members voted for the plan. | 76% of the members voted for the plan.
number-format | The town has 12,480 inhabitants. | About 12,500 people live in the town. | About 15,200 people live in the town.
number-format | Nearly one in four households has no car. | Nearly 25% of households have no car. | Nearly 40% of households have no car.
date | The treaty was signed on 4 May 1921. | The treaty was signed in May 1921. | The treaty was signed in March 1921.
date | The library opened on 1999-11-30. | The library opened on November 30, 1999. | The library opened on November 13, 1999.
date | The mine closed in 1987. | The mine closed in the 1980s. | The mine closed in the 1970s.
date | Construction began in 1832 and ended in 1841. | Construction took nine years. | Construction took seven years.
date | She was born in 1948 and joined the party in 1970. | She joined the party in 1970, at the age of about 22. | She joined the party in 1970, at the age of about 32.
date | The factory opened in 1902. | The factory opened in the early 20th century. | The factory opened in the early 19th century.
unit | The trail is 5 miles long. | The trail is about 8 km long. | The trail is about 12 km long.
unit | The tank holds 200 litres. | The tank holds 0.2 cubic metres. | The tank holds 2 cubic metres.
unit | The ship weighs 3,500 tonnes. | The ship weighs 3.5 million kilograms. | The ship weighs 35 million kilograms.
unit | The summit is 2,962 metres above sea level. | The summit is nearly 3 km above sea level. | The summit is nearly 4 km above sea level.
unit | The film runs for 135 minutes. | The film runs for two and a quarter hours. | The film runs for three hours.
unit | Water in the spring reaches 50 °C. | Water in the spring reaches 122 °F. | Water in the spring reaches 150 °F.
unit | The parcel weighs 10 pounds. | The parcel weighs roughly 4.5 kg. | The parcel weighs roughly 10 kg.
sum | The hall has 420 seats downstairs and 180 in the balcony. | The hall has 600 seats in total. | The hall has 700 seats in total.
sum | In 2020 the fund paid 12 grants and in 2021 it paid 15. | The fund paid 27 grants in 2020 and 2021 together. | The fund paid 29 grants in 2020 and 2021 together.
sum | The team won 9 matches, drew 4 and lost 2. | The team played 15 matches. | The team played 17 matches.
sum | Revenue was $40 million in Europe and $25 million in Asia. | Revenue in Europe and Asia was $65 million. | Revenue in Europe and Asia was $55 million.
difference | The population fell from 9,400 to 8,100. | The population fell by 1,300. | The population fell by 2,300.
difference | Rainfall rose from 610 mm in 2018 to 735 mm in 2019. | Rainfall rose by 125 mm from 2018 to 2019. | Rainfall rose by 225 mm from 2018 to 2019.
difference | The old tower is 80 m high and the new one 95 m. | The new tower is 15 m higher than the old one. | The old tower is 15 m higher than the new one.
difference | The price was cut from $60 to $45. | The price was cut by $15. | The price was raised by $15.
percentage | Sales grew from 200 to 250 units. | Sales grew by 25%. | Sales grew by 50%.
percentage | Of 80 applicants, 20 were accepted. | A quarter of the applicants were accepted. | Half of the applicants were accepted.
percentage | 45 of the 60 pupils passed the test. | 75% of the pupils passed the test. | 65% of the pupils passed the test.
percentage | Costs fell from $500 to $400. | Costs fell by a fifth. | Costs fell by a third.
percentage | Output doubled from 30 to 60 tonnes. | Output rose by 100%. | Output rose by 200%.
count | The park is home to lynx, otters and badgers. | Three animals live in the park: lynx, otters and badgers. | Four animals live in the park: lynx, otters and badgers.
count | The committee consists of Ana Ruiz, Tom Berg, Li Wei and Sara Okoye. | The committee has four members. | The committee has five members.
count | The office has branches in Lyon, Turin and Graz. | The office has three branches. | The office has two branches.
count | The festival was held in 2015, 2017 and 2019. | The festival was held three times. | The festival was held four times.
comparison | The Oder is 866 km long and the Weser 452 km. | The Oder is longer than the Weser. | The Weser is longer than the Oder.
comparison | Bakari scored 31 points and Lund scored 24. | Bakari scored more points than Lund. | Lund scored more points than Bakari.
comparison | The first edition cost $12 and the second $18. | The second edition cost more than the first. | The first edition cost more than the second.
comparison | The north wing dates from 1710, the south wing from 1780. | The north wing is older than the south wing. | The south wing is older than the north wing.
acronym | The European Space Agency (ESA) built the probe. | ESA built the probe. | NASA built the probe.
acronym | The Northern Fisheries Board (NFB) sets the quotas. | The NFB sets quotas. | The NFB buys quotas.
acronym | The International Monetary Fund lent the country $2 billion. | The IMF lent the country $2 billion. | The WTO lent the country $2 billion.
acronym | Random access memory is measured in gigabytes. | RAM is measured in gigabytes. | ROM is measured in gigabytes.
nominalisation | The council decided to close the pool. | The council's decision was to close the pool. | The council's decision was to open the pool.
nominalisation | The army invaded the island in 1796. | The invasion of the island by the army took place in 1796. | The invasion of the island by the navy took place in 1796.
nominalisation | Marta Lindqvist founded the school in 1911. | Marta Lindqvist was the founder of the school. | Marta Lindqvist was the teacher of the school.
nominalisation | The discovery of the comet by Okafor was announced in June. | Okafor discovered the comet. | Okafor announced the comet.
nominalisation | The company acquired a rival in 2016. | The acquisition of a rival by the company happened in 2016. | The acquisition of the company by a rival happened in 2016.
synonym | The firm purchased a small brewery in 2009. | The company bought a small brewery in 2009. | The company sold a small brewery in 2009.
synonym | The novel was written by a physician. | A doctor wrote the novel. | A lawyer wrote the novel.
synonym | The war commenced in 1618. | The war began in 1618. | The war ended in 1618.
synonym | The old cinema was demolished in 1974. | The old movie theater was torn down in 1974. | The old movie theater was rebuilt in 1974.
synonym | Children are permitted to enter the garden. | Kids may enter the garden. | Kids may not enter the garden.
synonym | The ship sank close to the harbour. | The vessel went down near the port. | The vessel went down far from the port.
synonym | The medicine reduces fever rapidly. | The drug lowers fever quickly. | The drug lowers fever slowly.
pronoun | Olga Petrov trained in Minsk. She won the title in 1988. | Olga Petrov won the title in 1988. | Olga Petrov lost the title in 1988.
pronoun | The museum stands by the river. It opened in 1931. | The museum opened in 1931. | The river opened in 1931.
pronoun | Ibrahim Diallo plays the kora. His father taught him. | Ibrahim Diallo's father taught him the kora. | Ibrahim Diallo taught his father the kora.
pronoun | The beavers returned in 2010. They have built six dams since. | The beavers have built six dams since 2010. | The beavers have built nine dams since 2010.
paraphrase | Nobody was hurt in the fire. | The fire caused no injuries. | The fire caused many injuries.
paraphrase | The lake freezes over completely in winter. | In winter the lake is completely frozen. | In summer the lake is completely frozen.
paraphrase | Tickets can only be bought online. | The sole way to buy tickets is online. | Tickets can also be bought at the door.
paraphrase | Her second novel sold better than her first. | Her second novel outsold her first. | Her first novel outsold her second.
paraphrase | The capital of the province is Leeuwarden. | Leeuwarden is the provincial capital. | Leeuwarden is the largest provincial city.
paraphrase | The plant produces enough power for 9,000 homes. | The plant can supply 9,000 homes with power. | The plant can supply 6,000 homes with power.
paraphrase | He resigned after the scandal became public. | He stepped down once the scandal was made public. | He stepped down before the scandal was made public.
paraphrase | The castle, built in 1380, is now a hotel. | The castle dates from 1380 and serves as a hotel today. | The castle dates from 1380 and serves as a museum today.
paraphrase | Bees are the main pollinators of the crop. | The crop is mainly pollinated by bees. | The crop is mainly pollinated by wind.
paraphrase | The team's coach, Ines Duarte, is from Porto. | Ines Duarte, who comes from Porto, coaches the team. | Ines Duarte, who comes from Lisbon, coaches the team.
paraphrase | The railway closed because too few passengers used it. | The railway was shut down owing to a lack of passengers. | The railway was shut down owing to a lack of coal.
paraphrase | It took the crew three weeks to clear the road. | The crew needed three weeks to clear the road. | The crew needed three days to clear the road.
paraphrase | Most of the island is covered by forest. | Forest covers most of the island. | Forest covers all of the island.
paraphrase | The song reached number one in Norway and Sweden. | The song topped the charts in Norway and Sweden. | The song topped the charts in Norway and Finland.
combined | The plant opened in 1960. It employs 900 people. | The plant, which opened in 1960, employs 900 people. | The plant, which opened in 1900, employs 960 people.
combined | Vera Kolb is a chemist. She teaches in Basel. | Vera Kolb is a chemist who teaches in Basel. | Vera Kolb is a chemist who was born in Basel.
combined | The town lies on the Elbe. The town is known for its porcelain. | The town, on the Elbe, is known for its porcelain. | The town, on the Rhine, is known for its porcelain.
combined | The dam was finished in 1936. The dam is 221 m high. | The dam is 221 m high and was finished in 1936. | The dam is 212 m high and was finished in 1936.
`;

/** Written after the rules, and all open: rules were shaped on what they showed. */
const later = `
unit | The marathon course is 42.195 km long. | The marathon course is about 26 miles long. | The marathon course is about 36 miles long.
unit | The baby weighed 3.2 kg at birth. | At birth the baby weighed 3,200 grams. | At birth the baby weighed 320 grams.
unit | The flight takes 90 minutes. | The flight takes an hour and a half. | The flight takes two and a half hours.
unit | The bridge is 1.2 kilometres long. | The bridge has a length of 1,200 metres. | The bridge has a length of 120 metres.
unit | The oven must be heated to 200 °C. | The oven must be heated to 392 °F. | The oven must be heated to 352 °F.
unit | The field covers 3 hectares. | The field covers 30,000 square metres. | The field covers 300,000 square metres.
unit | The course lasts 6 weeks. | The course lasts 42 days. | The course lasts 48 days.
unit | The hard drive stores 2 terabytes. | The hard drive stores 2,000 gigabytes. | The hard drive stores 200 gigabytes.
sum | The choir has 14 sopranos and 11 altos. | The choir has 25 sopranos and altos altogether. | The choir has 35 sopranos and altos altogether.
sum | The farm keeps 30 cows, 12 goats and 8 sheep. | The farm keeps 50 animals in total. | The farm keeps 60 animals in total.
sum | In March the shop sold 40 bikes, in April 55. | The shop sold 95 bikes in March and April together. | The shop sold 85 bikes in March and April together.
sum | The trip cost 300 euros for the flight and 450 euros for the hotel. | Flight and hotel cost 750 euros altogether. | Flight and hotel cost 700 euros altogether.
difference | The lake's level dropped from 14.2 m to 12.7 m. | The lake's level dropped by 1.5 m. | The lake's level rose by 1.5 m.
difference | The club had 340 members in 2010 and 410 in 2020. | The club gained 70 members between 2010 and 2020. | The club lost 70 members between 2010 and 2020.
difference | Anna is 34 and her brother is 29. | Anna is five years older than her brother. | Anna is five years younger than her brother.
difference | He was born in 1900 and died in 1975. | He lived for 75 years. | He lived for 57 years.
difference | Work on the tunnel started in 1998 and was completed in 2006. | Work on the tunnel took eight years. | Work on the tunnel took six years.
percentage | Membership rose from 400 to 500. | Membership rose by a quarter. | Membership rose by a half.
percentage | Of the 200 plants, 150 survived the winter. | Three quarters of the plants survived the winter. | Half of the plants survived the winter.
percentage | The company cut its staff from 1,000 to 900. | The company cut its staff by 10%. | The company cut its staff by 20%.
percentage | Half of the respondents own a car. | 50 percent of the respondents own a car. | 60 percent of the respondents own a car.
count | The band consists of Mia Holt, Jon Vik and Pia Dahl. | The band has three members. | The band has four members.
count | The zoo has tigers, lions, leopards and jaguars. | The zoo has four kinds of big cats: tigers, lions, leopards and jaguars. | The zoo has five kinds of big cats: tigers, lions, leopards and jaguars.
number-format | The company made a profit of 2,500,000 dollars. | The company made a profit of $2.5 million. | The company made a profit of $2.5 billion.
number-format | Twenty-one countries signed the pact. | 21 countries signed the pact. | 12 countries signed the pact.
number-format | The town had 48,912 residents in 2011. | In 2011 the town had nearly 49,000 residents. | In 2011 the town had nearly 94,000 residents.
number-format | The painting was sold for 1.5 million pounds. | The painting was sold for £1,500,000. | The painting was sold for £150,000.
date | The council was founded on 12.03.1954. | The council was founded on 12 March 1954. | The council was founded on 3 December 1945.
date | The storm hit the coast on August 3, 2015. | The storm hit the coast in the summer of 2015. | The storm hit the coast in the winter of 2015.
date | The school was built in 1887. | The school was built in the late 19th century. | The school was built in the late 18th century.
date | The ship sank on 14 April 1912. | The ship sank in 1912. | The ship sank in 1921.
date | The railway was opened in the 1860s. | The railway was opened in the 19th century. | The railway was opened in the 18th century.
tense | The museum displays over 400 paintings. | Over 400 paintings are displayed by the museum. | Over 4,000 paintings are displayed by the museum.
tense | Scientists are studying the whales of the bay. | Scientists study the bay's whales. | Scientists study the bay's seals.
tense | The river flooded the village twice. | The river had flooded the village twice. | The river had flooded the village three times.
voice | The king's brother murdered the queen. | The queen was murdered by the king's brother. | The king's brother was murdered by the queen.
voice | The cathedral was damaged by an earthquake in 1755. | An earthquake damaged the cathedral in 1755. | A fire damaged the cathedral in 1755.
voice | Researchers at the institute developed the vaccine. | The vaccine was developed by researchers at the institute. | The vaccine was tested by researchers at the institute.
voice | The treaty was ratified by twelve states. | Twelve states ratified the treaty. | Twelve states rejected the treaty.
voice | Dogs can hear sounds that humans cannot hear. | Sounds that humans cannot hear can be heard by dogs. | Sounds that dogs cannot hear can be heard by humans.
plural | A heron eats fish and frogs. | Herons eat fish and frogs. | Herons eat fish and snails.
plural | Wolves hunt in packs. | The wolf hunts in packs. | The wolf hunts alone.
plural | Each kit contains a brush and a comb. | The kits contain brushes and combs. | The kits contain brushes and mirrors.
acronym | The World Food Programme (WFP) delivered the rice. | The rice was delivered by the WFP. | The rice was delivered by UNICEF.
acronym | The central processing unit executes the instructions. | The CPU executes the instructions. | The GPU executes the instructions.
nominalisation | The mayor resigned in May. | The mayor's resignation came in May. | The mayor's election came in May.
nominalisation | Parliament approved the budget. | Parliament gave its approval to the budget. | Parliament refused its approval to the budget.
nominalisation | The destruction of the library by fire shocked the town. | Fire destroyed the library. | Flood destroyed the library.
synonym | The physician cured the child. | The doctor healed the child. | The doctor harmed the child.
synonym | The president's car was attacked. | The president's automobile was attacked. | The president's automobile was repaired.
synonym | The exam is very difficult. | The exam is very hard. | The exam is very easy.
synonym | The house is encircled by a big garden. | The house is surrounded by a large garden. | The house is surrounded by a small garden.
synonym | The company employs 300 people. | The firm employs 300 people. | The firm dismissed 300 people.
synonym | The film received the main award. | The movie got the main prize. | The movie lost the main prize.
paraphrase | The town lies 20 km south of the border. | The town is situated 20 km south of the border. | The town is situated 20 km north of the border.
paraphrase | Nobody knows who built the tower. | It is not known who built the tower. | It is well known who built the tower.
paraphrase | She is the author of three novels. | She wrote three novels. | She translated three novels.
paraphrase | The shop is closed on Sundays. | The shop does not open on Sundays. | The shop opens on Sundays.
paraphrase | The river is too shallow for ships. | Ships cannot use the river because it is too shallow. | Ships can use the river because it is deep.
paraphrase | He was the first Norwegian to climb the mountain. | No Norwegian climbed the mountain before him. | Many Norwegians climbed the mountain before him.
paraphrase | The bread contains no salt. | There is no salt in the bread. | There is salt in the bread.
paraphrase | Smoking is forbidden in the building. | Smoking is not allowed in the building. | Smoking is allowed in the building.
paraphrase | The museum has a collection of 800 clocks. | The museum's collection comprises 800 clocks. | The museum's collection comprises 80 clocks.
paraphrase | Peter Lang wrote the opera in 1921. | The opera by Peter Lang dates from 1921. | The opera by Peter Lang dates from 1912.
order | In 1903, Marie Curie received the Nobel Prize in Physics. | Marie Curie received the Nobel Prize in Physics in 1903. | Marie Curie received the Nobel Prize in Chemistry in 1903.
order | Rome was founded before Florence. | Florence was founded after Rome. | Rome was founded after Florence.
order | The train goes from Graz to Linz. | From Graz the train goes to Linz. | From Linz the train goes to Graz.
order | The teacher gave the pupil a book. | The teacher gave a book to the pupil. | The pupil gave a book to the teacher.
cut | The Amazon is the longest river in South America. | The Amazon is a river in South America. | The Amazon is the longest river.
cut | Refunds are given only within 14 days. | Refunds are given only within two weeks. | Refunds are given.
cut | The vaccine is safe for adults over 18. | Adults over 18 can safely use the vaccine. | The vaccine is safe for everyone.
cut | All staff except trainees get a bonus. | A bonus is given to all staff except trainees. | A bonus is given to all staff.
cut | Entry is free if you are under six. | You get in free if you are under six. | You get in free.
cut | The drug reduced pain in mice. | In mice, pain was reduced by the drug. | Pain was reduced by the drug.
cut | He is the tallest player on the team. | On the team, no player is taller than him. | He is the tallest player.
`;

/** Sentences that were parted and joined, and the same deed, place or measure put the other way round; odd lines may shape rules, too. */
const rearranged = `
apposition | Nadia Brandt, a chemist from Basel, discovered the dye in 1931. | Nadia Brandt was a chemist from Basel. | Nadia Brandt was a chemist from Bern.
apposition | Oskar Lind, the founder of the brewery, died in 1902. | Oskar Lind is the founder of the brewery. | Oskar Lind is the owner of the brewery.
apposition | The Vell, a tributary of the Oder, floods every spring. | The Vell is a tributary of the Oder. | The Vell is a tributary of the Elbe.
apposition | The prize went to Ruth Adeyemi, a violinist. | Ruth Adeyemi is a violinist. | Ruth Adeyemi is a cellist.
apposition | Henrik Moe (born 4 May 1921) was a Norwegian painter. | Henrik Moe was born on 4 May 1921. | Henrik Moe was born on 14 May 1921.
apposition | Sofia Conti (born 1950) is an Italian judge. | Sofia Conti, born in 1950, is an Italian judge. | Sofia Conti, born in 1940, is an Italian judge.
apposition | Born in Tartu in 1954, Jaan Rebane became a geologist. | Jaan Rebane was born in Tartu in 1954. | Jaan Rebane became a geologist in 1954.
apposition | Founded in 1888 by two brothers, the foundry made bells. | The foundry was founded in 1888 by two brothers. | The foundry made bells in 1888.
parted | The bridge, which opened in 1931, carries 4,000 cars a day. | The bridge opened in 1931. | The bridge carries 4,000 cars a day in 1931.
parted | Elena Popa, who trained in Cluj, directs the choir. | Elena Popa trained in Cluj. | Elena Popa directs the choir in Cluj.
parted | The museum bought the painting in 1990 and sold it in 2004. | The museum sold the painting in 2004. | The museum sold the painting in 1990.
parted | Lars Holm sailed to Greenland and wrote a book about it. | Lars Holm sailed to Greenland. | Lars Holm wrote a book in Greenland.
parted | The factory was closed in 1979, leaving 800 people without work. | The factory was closed in 1979. | The factory was closed, leaving 180 people without work.
parted | The village has a school, and its church dates from 1310. | The village has a school. | The village has a school that dates from 1310.
joined | Nadia Brandt was a chemist. She discovered the dye in 1931. | Nadia Brandt, a chemist, discovered the dye in 1931. | Nadia Brandt, a painter, discovered the dye in 1931.
joined | The bridge was opened in 1931. It carries 4,000 cars a day. | The bridge, which was opened in 1931, carries 4,000 cars a day. | The bridge, which carries 4,000 cars a day, was opened in 1913.
joined | Tom Berg founded the club. He left it in 1988. | Tom Berg founded the club and left it in 1988. | Tom Berg founded the club in 1988 and left it.
joined | The library has 40,000 books. It was built in 1911. | The library was built in 1911 and has 40,000 books. | The library was built in 1911 and has 14,000 books.
joined | Ana Ruiz designed the hall. Paul Weber designed the square. | Ana Ruiz designed the hall, and Paul Weber designed the square. | Paul Weber designed the hall and Ana Ruiz designed the square.
joined | The lake froze in 1963. Skaters crossed it for the first time. | The lake froze in 1963, and skaters crossed it for the first time. | The lake froze in 1963, and skaters crossed it for the second time.
deed | The committee rejected the proposal in June. | The rejection of the proposal by the committee came in June. | The rejection of the committee by the proposal came in June.
deed | Volunteers restored the mill. | The restoration of the mill was carried out by volunteers. | The restoration of volunteers was carried out by the mill.
deed | The invasion of the island by pirates happened in 1571. | Pirates invaded the island in 1571. | Pirates left the island in 1571.
deed | The construction of the canal by the army took six years. | The army constructed the canal in six years. | The canal was constructed by the navy in six years.
turned | The abbey was built before the castle. | The castle was built after the abbey. | The abbey was built after the castle.
turned | The north tower is taller than the south tower. | The south tower is shorter than the north tower. | The south tower is taller than the north tower.
turned | The hotel stands above the village. | The village lies below the hotel. | The hotel lies below the village.
turned | The editor sent the author a letter. | The editor sent a letter to the author. | The author sent a letter to the editor.
turned | The firm sold the mill to a baker. | The firm sold a baker the mill. | The baker sold the firm the mill.
turned | The queen granted the town a charter. | The queen granted a charter to the town. | The town granted a charter to the queen.
turned | The tunnel is 3.4 kilometres long. | The tunnel has a length of 3.4 kilometres. | The tunnel has a length of 4.3 kilometres.
turned | The tower has a height of 96 metres. | The tower is 96 metres high. | The tower is 69 metres high.
turned | The seat of the bishop is Turku. | Turku is the seat of the bishop. | The bishop of Turku is the seat.
turned | The soup contains no meat. | There is no meat in the soup. | There is no soup in the meat.
turned | There are 14 clocks in the hall. | The hall has 14 clocks. | The hall has 40 clocks.
turned | The garden has 300 roses. | There are 300 roses in the garden. | There are 300 gardens in the roses.
`;

const pairsOf = (text: string, isOpen: (at: number) => boolean): WrittenPair[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line, at) => {
      const [kind = '', quote = '', claim = '', wrong = ''] = line.split(' | ');
      return [
        { kind, quote, claim, isTrue: true, isOpen: isOpen(at) },
        { kind, quote, claim: wrong, isTrue: false, isOpen: isOpen(at) },
      ];
    });

export const writtenPairs: readonly WrittenPair[] = [
  ...pairsOf(table, (at) => at % 2 === 0),
  ...pairsOf(later, () => true),
  ...pairsOf(rearranged, (at) => at % 2 === 0),
];
