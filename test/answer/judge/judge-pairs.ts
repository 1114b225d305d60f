// Claims that the rules of the verifier accept and a careful reader does not: each leaves out what its quote binds the statement to
// (docs/verification.md, "What it does not do"). And what a reader accepts of the same quotes.

export interface JudgedPair {
  readonly claim: string;
  readonly quote: string;
}

const table = `
Patients recovered within a week. | Patients with mild asthma recovered within a week.
The drug lowers blood pressure. | The drug lowers blood pressure in rats.
The bridge carries trains. | The bridge carries trains on summer weekends.
Members pay no fee. | Members under the age of twelve pay no fee.
The museum is open on Mondays. | The museum is open on Mondays during July.
Visitors may bring dogs. | Visitors to the outer garden may bring dogs.
The warranty covers water damage. | The warranty covers water damage for business customers.
Employees receive a bonus. | Employees of the Oslo branch receive a bonus.
The tower was the tallest building. | The tower was the tallest building in the province.
She won the prize. | She won the prize for second place.
The vaccine prevents infection. | The vaccine prevents infection in the first two months.
Students can borrow ten books. | Students in their final year can borrow ten books.
The company makes a profit. | The company makes a profit before interest and taxes.
Water boils at 90 degrees. | Water boils at 90 degrees on the summit.
The road is closed to lorries. | The road is closed to lorries between the mill and the ford.
Smoking is allowed. | Smoking is allowed on the roof terrace.
The algorithm runs in linear time. | The algorithm runs in linear time on sorted input.
The lake is frozen. | The lake is frozen from January to March.
All flights were cancelled. | All flights to Reykjavik were cancelled.
The population doubled. | The population of herons doubled.
The hall seats 900 people. | The hall seats 900 people after the planned extension.
The engine uses hydrogen. | The engine of the second prototype uses hydrogen.
The service costs nothing. | The service costs nothing for the first month.
The treaty was signed by Norway. | The treaty was signed by Norway and, years later, withdrawn.
`;

export const looseClaims: readonly JudgedPair[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [claim = '', quote = ''] = line.split(' | ');
    return { claim, quote };
  });

export const faithfulClaims: readonly JudgedPair[] = looseClaims.map(({ quote }) => ({ claim: quote, quote }));
