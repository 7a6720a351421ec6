import { ask } from '../../api.js';
import { snapshots } from '../../live.js';
import { Card, Page } from '../../parts/page.js';
import { QualityChart } from '../../parts/quality-chart.js';
import { Loaded } from '../../parts/states.js';
import { useQuery } from '../../use-query.js';
import { AheadTable } from './ahead-table.js';
import { Calibration } from './calibration.js';
import { Parts } from './parts.js';
import { PlanHistory } from './plan-history.js';
import { RankingTable } from './ranking-table.js';

import './learning.css';

const DAYS = 90;

/** What PML learned, whether it is allowed to use it, and whether its claims come true. */
export function Learning() {
  const version = snapshots.value;
  const reliability = useQuery(
    (signal) => ask('metrics-reliability', {}, signal),
    'reliability',
    version,
  );
  const ranking = useQuery((signal) => ask('metrics-ranking', {}, signal), 'ranking', version);
  const history = useQuery(
    (signal) => ask('metrics-history', { days: DAYS }, signal),
    'history',
    version,
  );
  const ahead = useQuery((signal) => ask('metrics-speculation', {}, signal), 'ahead', version);
  return (
    <Page
      title="Learning"
      about="Every learned part must beat the simpler one on past requests before PML uses it."
    >
      <Loaded query={reliability}>{({ parts }) => <Parts parts={parts} />}</Loaded>
      <div class="grid-2">
        <Card title="Search quality by day">
          <Loaded query={history}>{({ days }) => <QualityChart days={days} />}</Loaded>
        </Card>
        <Card title="Plans by day">
          <Loaded query={history}>{({ days }) => <PlanHistory days={days} />}</Loaded>
        </Card>
      </div>
      <Card title="Do claims come true?">
        <Loaded query={reliability}>{({ claims }) => <Calibration claims={claims} />}</Loaded>
      </Card>
      <Card title="Done before it was asked" isFlush>
        <Loaded query={ahead}>{(metrics) => <AheadTable metrics={metrics} />}</Loaded>
      </Card>
      <Card title="Quality of decisions" isFlush>
        <Loaded query={ranking}>{(metrics) => <RankingTable metrics={metrics} />}</Loaded>
      </Card>
    </Page>
  );
}
