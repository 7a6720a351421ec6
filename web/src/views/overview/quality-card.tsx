import { ask } from '../../api.js';
import { snapshots } from '../../live.js';
import { Card } from '../../parts/page.js';
import { QualityChart } from '../../parts/quality-chart.js';
import { Loaded } from '../../parts/states.js';
import { linkTo } from '../../router.js';
import { useQuery } from '../../use-query.js';

const DAYS = 30;

export function QualityCard() {
  const history = useQuery(
    (signal) => ask('metrics-history', { days: DAYS }, signal),
    'history',
    snapshots.value,
  );
  return (
    <Card title="Ranking quality" aside={<a href={linkTo(['learning'])}>Learning</a>}>
      <Loaded query={history}>{({ days }) => <QualityChart days={days} />}</Loaded>
    </Card>
  );
}
