// How good the answers are and what they cost: what judges said while the server ran (for admins), runs of suites side by side, and costs by day and role.
import '../shell/fields.css';
import './evals.css';
import { address } from '../shared/address.ts';
import { keyVersion } from '../shared/api.ts';
import { isAdmin } from '../shell/holdings.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { Costs } from './costs.tsx';
import { Online } from './online.tsx';
import { Runs } from './runs.tsx';

export function EvalsPage() {
  const at = address.value;
  const query = at.page === 'evals' ? (at.query ?? {}) : {};
  return (
    <main id="main" class="document evals" tabIndex={-1}>
      <PageHeading title="Evaluations and costs" />
      {isAdmin.value && <Online key={`online ${keyVersion.value}`} />}
      <Runs />
      <Costs key={`costs ${keyVersion.value}`} query={query} />
    </main>
  );
}
