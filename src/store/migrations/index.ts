import { catalog } from './0001-catalog.js';
import { discovery } from './0002-discovery.js';
import { runs } from './0003-runs.js';
import { capabilities } from './0004-capabilities.js';
import { results } from './0005-results.js';
import { graph } from './0006-graph.js';
import { pastArguments } from './0007-arguments.js';
import { decisions } from './0008-decisions.js';
import { sessions } from './0009-sessions.js';
import { templates } from './0010-templates.js';
import { origins } from './0011-origins.js';
import { episodes } from './0012-episodes.js';
import { dashboard } from './0013-dashboard.js';
import { toolVectors } from './0014-tool-vectors.js';
import { errorMessages } from './0015-error-messages.js';
import { planModels } from './0016-plan-models.js';
import { signIns } from './0017-sign-ins.js';
import { owners } from './0018-owners.js';
import type { Migration } from './migration.js';

/** In order of version, without gaps. */
export const migrations: readonly Migration[] = [
  catalog,
  discovery,
  runs,
  capabilities,
  results,
  graph,
  pastArguments,
  decisions,
  sessions,
  templates,
  origins,
  episodes,
  dashboard,
  toolVectors,
  errorMessages,
  planModels,
  signIns,
  owners,
];
