import { ask } from '../../api.js';
import { toolsVersion } from '../../live.js';
import { Page, Segments } from '../../parts/page.js';
import { linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { Changes } from './changes.js';
import { Permissions } from './permissions.js';

/** What servers changed about their tools, and what may be called. */
export function Trust() {
  const [, part = 'changes'] = route.value.path;
  const changes = useQuery(
    (signal) => ask('changes', { limit: 500 }, signal),
    'changes',
    toolsVersion.value,
  );
  const policies = useQuery(
    (signal) => ask('tool-policies', {}, signal),
    'policies',
    toolsVersion.value,
  );
  return (
    <Page
      title="Trust"
      about="A tool whose definition changed waits until you approve it. Permissions say what happens to a call."
      actions={
        <Segments
          label="Part of this view"
          items={[
            { text: 'Definitions', href: linkTo(['trust']), isCurrent: part !== 'permissions' },
            {
              text: 'Permissions',
              href: linkTo(['trust', 'permissions']),
              isCurrent: part === 'permissions',
            },
          ]}
        />
      }
    >
      {part === 'permissions' ? (
        <Permissions query={policies} />
      ) : (
        <Changes changes={changes} policies={policies} />
      )}
    </Page>
  );
}
