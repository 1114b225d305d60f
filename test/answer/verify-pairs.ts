// Pairs of claim and quote judged by hand, by what they test. `+` supported, `-` not; a reason is a kind that must be among
// those given. Most were written before looking at what the verifier says; those under "small words", "splices" and "found
// by forging" were made from mistakes that it had made, and are there so that it does not make them again.

export interface HandPair {
  readonly topic: string;
  readonly claim: string;
  readonly quote: string;
  readonly supported: boolean;
  /** A reason of this kind must be among those given. */
  readonly reason?: string;
}

const table = `
# numbers
+ | The crater is 1200 metres wide. | The crater is 1,200 metres wide.
+ | The crater is 1 200 metres wide. | The crater is 1,200 metres wide.
+ | The budget was 1.5 million dollars. | The budget was $1,500,000.
+ | The budget was $1.5bn. | The budget was 1.5 billion dollars.
+ | Twelve ships sailed. | 12 ships sailed.
+ | There are 25 seats in the room. | There are twenty-five seats in the room.
+ | The board has 6.5 members per district. | The board has 6½ members per district.
+ | Half of the votes were invalid. | 50 percent of the votes were invalid.
+ | Two thirds of the land is forest. | 2/3 of the land is forest.
+ | She came 3rd in the race. | She came third in the race.
+ | Output reached 3,000 units. | Output reached three thousand units.
+ | A dozen eggs were broken. | 12 eggs were broken.
+ | The error is 0.05 percent. | The error is 0.05%.
+ | It happened in World War 2. | It happened in World War II.
- | The crater is 1,300 metres wide. | The crater is 1,200 metres wide. | number-changed
- | The crater is 12 metres wide. | The crater is 1,200 metres wide. | number-changed
- | The budget was $1.5 million. | The budget was $1.5 billion. | number-changed
- | Twelve ships sailed. | Eleven ships sailed. | number-changed
- | She came second in the race. | She came third in the race. | number-changed
- | 21 of 30 patients recovered. | 12 of 30 patients recovered. | number-changed
- | 30 of 12 patients recovered. | 12 of 30 patients recovered. | order-changed
- | Three of the five bridges were destroyed. | Five bridges were destroyed. | number-missing
- | The temperature was 5 °C. | The temperature was -5 °C. | number-changed
- | The temperature was 5 °C. | The temperature was –5 °C. | number-changed
+ | The temperature was -5 °C. | The temperature was –5 °C.
- | 5 °C is the lowest temperature. | -5 °C is the lowest temperature. | number-changed
- | -5 °C is the lowest temperature. | 5 °C is the lowest temperature. | number-changed
- | 5 °C is the lowest temperature. | The store is cold. -5 °C is the lowest temperature. | number-changed
- | 5 °C is the lowest temperature. | –5 °C is the lowest temperature. | number-changed
+ | 5 °C is the lowest temperature. | - 5 °C is the lowest temperature.
- | The lowest was 5 °C. | The lowest was **-5 °C**. | number-changed
- | The lowest was 5 °C. | The lowest was "-5 °C". | number-changed
+ | The lowest was -5 °C. | The lowest was "−5 °C".
- | The ends are 5 and 5. | The ends are [-5, 5].
- | The balance was 5. | The balance was $-5. | number-changed
- | 最低温度：5℃。 | 最低温度：-5℃。
- | 今天的最低气温是5℃。 | 今天的最低气温是−5℃。
+ | The range is 5 to 10 km. | The range is 5-10 km.
- | The range is 5 to 12 km. | The range is 5 to 10 km. | number-changed
- | Sales grew from 30 to 20 million. | Sales grew from 20 to 30 million. | number-changed
- | A third of the votes were invalid. | A quarter of the votes were invalid. | number-changed
- | It needs version 2.10. | It needs version 2.1.1. | 
- | The protein is called H2N1. | The protein is called H1N1. |
# units
+ | The race is 5,000 m long. | The race is 5 km long.
+ | The race is 5 kilometres long. | The race is 5 km long.
+ | The tablet contains 0.5 g of iron. | The tablet contains 500 mg of iron.
+ | It takes 90 minutes. | It takes 1.5 hours.
+ | The tax is 7 per cent. | The tax is 7%.
+ | The disk holds 2 terabytes. | The disk holds 2 TB.
+ | The talk lasts 1 hour. | The talk lasts 60 minutes.
- | The tablet contains 500 g of iron. | The tablet contains 500 mg of iron. | unit-changed
- | The rate rose by 3 percent. | The rate rose by 3 percentage points. | unit-changed
- | It costs €40. | It costs $40. | unit-changed
- | The race is 5 miles long. | The race is 5 km long. | unit-changed
- | It is 30 °F outside. | It is 30 °C outside. | unit-changed
- | The key lives for 24 days. | The key lives for 24 hours. | unit-changed
- | The file has 10 GB. | The file has 10 MB. | unit-changed
- | The wire carries 5 mV. | The wire carries 5 V. | unit-changed
# bounds
+ | At least 5 people came. | More than 5 people came.
+ | About 300 people came. | 300 people came.
+ | More than 100 guests attended. | Over 100 guests attended.
- | 500 people came. | Up to 500 people came. | bound-changed
- | 500 people came. | At least 500 people came. | bound-changed
- | Exactly 500 people came. | About 500 people came. | 
- | More than 500 people came. | Fewer than 500 people came. | bound-changed
- | More than 500 people came. | At least 500 people came. | bound-changed
# dates
+ | The bridge opened on March 12, 1990. | The bridge opened on 12 March 1990.
+ | The bridge opened on 1990-03-12. | The bridge opened on 12 March 1990.
+ | The bridge opened in March 1990. | The bridge opened on 12 March 1990.
+ | The bridge opened in 1990. | The bridge opened on 12 March 1990.
+ | The bridge opened in the 1990s. | The bridge opened in 1994.
+ | The meeting starts at 2:30 pm. | The meeting starts at 14:30.
+ | He died in 44 BC. | He died in 44 BCE.
+ | The war lasted from 1914 to 1918. | The war lasted from 1914 to 1918 and ended all empires.
- | The bridge opened on 12 March 1991. | The bridge opened on 12 March 1990. | date-changed
- | The bridge opened on 12 May 1990. | The bridge opened on 12 March 1990. | date-changed
- | The bridge opened on 12 March 1990. | The bridge opened in March 1990. | date-changed
- | The bridge opened in 1994. | The bridge opened in the 1990s. | date-changed
- | He died in AD 44. | He died in 44 BC. | date-changed
- | The bridge opened after 1990. | The bridge opened before 1990. | relation-changed
- | The bridge has been open since 1990. | The bridge was open until 1990. | relation-changed
- | The meeting starts at 2:30 am. | The meeting starts at 14:30. | date-changed
- | It was built in the 18th century. | It was built in the 19th century. | date-changed
- | It was built in 1858. | It was built about 1858. | hedge-removed
# names
+ | Obama visited Cuba. | Barack Obama visited Cuba.
+ | The World Health Organization confirmed the case. | The World Health Organization (WHO) confirmed the case.
+ | Doctor Miller signed the form. | Dr. Miller signed the form.
+ | Muller won the prize. | Müller won the prize.
- | Newton described the effect in 1905. | Einstein described the effect in 1905. |
- | The effect was described by Newton. | The effect was described by Einstein. | name-changed
- | John Smith visited Cuba. | Smith visited Cuba. |
- | The World Hunger Organization confirmed the case. | The World Health Organization (WHO) confirmed the case. | name-changed
- | The company is based in Austria. | The company is based in Australia. | name-changed
- | Mary Shelley and Percy Byron met. | Mary Shelley and Percy Shelley met. | name-changed
- | The UN signed the treaty. | The EU signed the treaty. |
# roles and order
+ | Brazil was beaten by Chile. | Chile beat Brazil.
+ | Chile beat Brazil. | Brazil was beaten by Chile.
+ | In 1999, Chile beat Brazil. | Chile beat Brazil in 1999.
+ | Vienna is the capital of Austria. | The capital of Austria is Vienna.
+ | Austria's capital is Vienna. | The capital of Austria is Vienna.
+ | The train goes to Rome from Milan. | The train goes from Milan to Rome.
- | Brazil beat Chile. | Chile beat Brazil. | order-changed
- | Chile was beaten by Brazil. | Chile beat Brazil. | voice-changed
- | The train goes from Rome to Milan. | The train goes from Milan to Rome. |
- | Bob is the father of Tom. | Tom is the father of Bob. | order-changed
- | Ann won in 1994 and Eve won in 1990. | Ann won in 1990 and Eve won in 1994. | order-changed
- | France exports cars and Spain exports wine. | France exports wine and Spain exports cars. | order-changed
- | Ann and Eve are 20 and 30 years old, respectively. | Eve and Ann are 20 and 30 years old, respectively. | order-changed
- | Lead is heavier than gold. | Gold is heavier than lead. | order-changed
- | The king killed the knight. | The knight killed the king. | order-changed
- | The bank robbed the man. | The bank was robbed. |
# negation
+ | The valve isn't open. | The valve is not open.
+ | The valve did not open. | The valve did not open, so the boiler burst.
- restriction-removed | The team never lost. | The team never lost in that year.
+ | They cannot leave. | They can't leave.
- | The valve is open. | The valve is not open. | negation-removed
- | The valve is not open. | The valve is open. | negation-added
- | The team lost. | The team never lost. | negation-removed
- | The test found lead in the water. | The test found no lead in the water. | negation-removed
- | The engine started. | The engine failed to start. | negation-removed
- | The drug works without side effects. | The drug works with side effects. |
- | The drug works with side effects. | The drug works without side effects. |
- | Students passed the exam. | None of the students passed the exam. | negation-removed
- | The minister resigned. | The minister denied that he had resigned. |
- | The plan is feasible. | It is false that the plan is feasible. | negation-removed
- | The room was happy. | The room was unhappy. |
- | The law is constitutional. | The law is unconstitutional. |
- | Neither Ann nor Bob came late. | Ann and Bob came late. | negation-added
- | Ann came, Bob did not. | Bob came, Ann did not. |
- | The virus is airborne. | The idea that the virus is airborne is a myth. |
- | The house is red, not blue. | The house is blue, not red. |
# hedges, modality, attribution, conditions
- restriction-removed | The drug may cause nausea. | The drug may cause nausea in children.
+ | The drug may cause nausea. | The drug causes nausea.
+ | Some mammals lay eggs. | Some mammals, such as the platypus, lay eggs.
- | The drug causes nausea. | The drug may cause nausea. | hedge-removed
- | The drug causes nausea. | The drug can cause nausea. | hedge-removed
- | He was born in Rome. | He was probably born in Rome. | hedge-removed
- | The moon formed from debris. | The moon is thought to have formed from debris. |
- | The results prove the theory. | The results suggest the theory is right. |
- | Mammals lay eggs. | Some mammals lay eggs. | hedge-removed
- | All mammals lay eggs. | Some mammals lay eggs. | quantifier-changed
- | All students passed. | Most students passed. | quantifier-changed
- | Trains are always late. | Trains are often late. | quantifier-changed
- | Trains are late. | Trains are sometimes late. | hedge-removed
- | Only members may enter the club. | Members may enter the club. | quantifier-added
- | Users must enable the flag. | Users should enable the flag. | modality-changed
- | Users enable the flag. | Users must enable the flag. | modality-changed
- | The tunnel opens in 2030. | The tunnel will open in 2030. | modality-changed
- | The earth is flat. | Some people believe that the earth is flat. | 
- | Profits will double next year. | According to the chairman, profits will double next year. | attribution-removed
- | The bank is insolvent. | The bank is insolvent, said the Financial Herald. | attribution-removed
- | The server stops. | If the disk is full, the server stops. | condition-removed
- | The fee is waived. | The fee is waived if the order exceeds 50 euros. | condition-removed
- | The server accepts requests. | The server accepts requests unless it is in maintenance. | condition-removed
- | Is the bridge safe. | Is the bridge safe? |
- | The president spoke. | The former president spoke. | modifier-removed
- | They climbed the peak. | They tried to climb the peak. | 
- | It is the largest lake of Europe. | It is one of the largest lakes of Europe. | restriction-removed
- | It is the largest city of the state. | It is the second largest city of the state. |
- | He almost won the race and won the race. | He almost won the race. |
- | He won the race. | He almost won the race. | hedge-removed
# direction and opposites
- | Prices fell by 4 percent. | Prices rose by 4 percent. | direction-changed
- | Exports increased. | Exports decreased. | direction-changed
- | The drug activates the enzyme. | The drug inhibits the enzyme. | direction-changed
- | It rains more in May than in June. | It rains less in May than in June. | direction-changed
- | The key is above the door. | The key is below the door. |
- | The law forbids smoking. | The law allows smoking. | direction-changed
- | She left after the speech. | She left before the speech. | relation-changed
- | It is true that he paid. | It is false that he paid. |
- | The coldest month is July. | The hottest month is July. | direction-changed
- | The firm imports steel. | The firm exports steel. | direction-changed
# coverage
+ | The colour of the organised archive is grey. | The color of the organized archive is gray.
+ | The village was destroyed. | The villages were destroyed in the flood.
+ | She writes novels. | She wrote novels and plays.
+ | The city has a university. | The city has a university and three museums.
+ | The “big” house was sold. | The "big" house was sold.
- | The house was sold to a banker. | The house was sold. | not-in-quote
- | Bees make honey. | The treaty was signed in Rome. | not-in-quote
- | The red house was sold. | The blue house was sold. |
- | The mayor praised the museum. | The mayor opened the museum. |
- | The dog bit the postman and the baker. | The dog bit the postman. | not-in-quote
# look-alikes
- | The pаypal page is down. | The paypal page is down. | look-alike
- | The page is d\u200bown. | The page is down. | hidden-character
- | The Goog1e page is down. | The Google page is down. | look-alike
- | The 𝐩age is down. | The page is down. | look-alike
- | It costs １２ dollars. | It costs 12 dollars. | look-alike
- | The pagé is down. | The page is down. | look-alike
+ | The cafe is closed. | The café is closed.
+ | 人口是12万。 | 人口是１２万。
# other languages
+ | Der Zug fährt um 8 Uhr. | Der Zug fährt um 8 Uhr und kommt um 9 Uhr an.
+ | Das Haus kostet 1.200.000 Euro. | Das Haus kostet 1,2 Millionen Euro.
+ | 巴黎是法国的首都。 | 巴黎是法国的首都，也是最大的城市。
+ | القاهرة هي عاصمة مصر. | القاهرة هي عاصمة مصر وأكبر مدنها.
- | Der Zug fährt nicht um 8 Uhr. | Der Zug fährt um 8 Uhr. | negation-added
- | Das Haus kostet 1,3 Millionen Euro. | Das Haus kostet 1,2 Millionen Euro. | number-changed
- | Der Zug könnte halten und hält. | Der Zug könnte halten. |
- | Das Mittel hilft. | Das Mittel hilft möglicherweise. |
- | Das Mittel hilft. | Das Mittel hilft nicht, sagt die Behörde. | negation-removed
- | 巴黎不是法国的首都。 | 巴黎是法国的首都。 | negation-added
- | 里昂是法国的首都。 | 巴黎是法国的首都。 |
- | 人口是21万。 | 人口是12万。 | number-changed
- | القاهرة ليست عاصمة مصر. | القاهرة هي عاصمة مصر. |
- | الإسكندرية هي عاصمة مصر. | القاهرة هي عاصمة مصر. |
# small words
- | The fort was held for the French. | The fort was held by the French. | not-in-quote
- | Even before Adela during, Osric had sent a company. | Even before Adela returned, Osric had sent a company. | not-in-quote
- | The various indicator can also be used. | The engine indicator can also be used. | not-in-quote
- | He stepped it 10 metres. | He stepped it up to 10 metres.
- | Growth was 6% their neighbours. | Growth was 6% less than their neighbours.
- | The sprint should be fast. | The sprint will be fast. | modality
- | Roger Where was an actor. | Roger Livesey was an actor. | not-in-quote
- | In You 2005, she released her album. | In May 2005, she released her album. | not-in-quote
- | Her father is George, the May of Selby. | Her father is George, the Earl of Selby.
+ | The war lasted from 1914 until 1918. | The war lasted from 1914 to 1918.
+ | Trade grew whilst prices fell. | Trade grew while prices fell.
- | The museum opens in May. | The museum is due to open in May.
# signs
- | The library supports C++. | The library supports C#.
- | The library supports C. | The library supports C++.
- | The rating was A. | The rating was A+.
+ | The library supports C++. | The library supports **C++**.
+ | It supports C++ and C#. | It supports C++, C#, and Java.
- | The job passes when latency > budget. | The job passes when latency < budget. | small-words-changed
- | The job passes when latency < budget. | The job passes when latency of requests > budget. | small-words-changed
- | Latency > budget fails the job. | The rule: budget > latency fails the job.
- | The job passes when a >= b. | The job passes when a > b. | small-words-changed
- | The job passes when status == done. | The job passes when status != done. | small-words-changed
- | The map goes x → y here. | The map goes x ← y here. | small-words-changed
- | It matches alpha&&beta. | It matches alpha||beta. | small-words-changed
- | The pattern is \`**/*.ts\`. | The pattern is \`/*.ts\`. | small-words-changed
- | It waits until ready is set. | It waits until !ready is set. | small-words-changed
- | The service is fast +. | The service is fast -. | small-words-changed
+ | The job passes when latency <= budget. | The job passes when **latency** ≤ \`budget\`.
+ | Open File, then Save. | Open **File** > **Save**.
+ | Anna & Bob founded the firm. | Anna and Bob founded the firm.
+ | Anna and Bob founded the firm. | Anna & Bob founded the firm.
+ | Anna said that it holds. | "Anna! said that it holds"
# splices
- | Alice joined in 1995. | Alice founded Acme in 1990, and Bob joined in 1995. | subject-changed
- | Alice founded Acme in 1995. | Alice founded Acme in 1990, and Bob joined in 1995. | date-changed
- | Alice won and lost. | Alice won and Bob lost. | subject-changed
- | Brooker returned for the next series. | Brooker presented the first series, with Mellor returning for the next series. | subject-changed
+ | Alice founded Acme. | Alice founded Acme in 1990, and Bob joined in 1995.
- | Alice sold it to Bob. | Carol founded Acme with Alice. She sold it to Bob.
+ | Carol sold it to Bob. | Carol founded Acme with Alice. She sold it to Bob.
- | It has eight teams in Norland. | The league was founded in Norland. It has eight teams.
# found by forging
- | He created "Due Ranger" and the co-creation "Walker, South". | He created "Due South" and the co-creation "Walker, Ranger".
- | The tapes were replaced with the Classics line and the Masterpiece line was cancelled. | The tapes were replaced with the Masterpiece line and the Classics line was cancelled. | order-changed
- | In Velden and Brenna, the Osric met a crowd. | In Osric and Brenna, the Velden met a crowd. | order-changed
- | From left to right stand Adela, Osric and Lucan. | From left to right stand Osric, Adela and Lucan. | order-changed
- | It is caused by the Bardet Beam. | The BBS gene is known; it is caused by the Bardet Syndrome.
- | The satellite stands at 285°E. | The satellite stands at 28.5°E.
- | The plague of 1576–77% killed many. | The plague of 1576–77 killed many. | unit-changed
- | All but two sonatas are in a major key. | It is false that all but two sonatas are in a major key. | negation
- | A plastid is lost, the genes persist. | Even if a plastid is lost, the genes persist. | condition-removed
- | The move was just about money. | The move was not just about money, but about pride. | negation
+ | It sold 2m copies. | It sold 2 million copies.
- | It is 2 m long. | It is 2 million long.
+ | It is the twelfth track. | It is the 12th track.
+ | The constructor takes 5 arguments. | The constructor takes five arguments.
+ | The wind reached 106 miles per hour. | The wind reached 106 mph.
+ | The wind reached 106 km per hour. | The wind reached 106 km/h.
- | The wind reached 106 km per hour. | The wind reached 106 mph. | unit-changed
- | The train covered 106 miles. | The train ran at 106 miles per hour.
+ | The park covers 40 square kilometres. | The park covers 40 sq km.
- | The park covers 40 square miles. | The park covers 40 sq km. | unit-changed
`;

export const handPairs: readonly HandPair[] = (() => {
  const pairs: HandPair[] = [];
  let topic = '';
  for (const line of table.trim().split('\n')) {
    if (line.startsWith('# ')) {
      topic = line.slice(2);
      continue;
    }
    const [sign, claim, quote, reason] = line.split(' |').map((part) => part.trim()) as [
      string,
      string,
      string,
      string?,
    ];
    pairs.push({ topic, claim, quote, supported: sign === '+', ...(reason ? { reason } : {}) });
  }
  return pairs;
})();
