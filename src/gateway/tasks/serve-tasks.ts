import {
  asJsonObject,
  asText,
  declares,
  isJsonObject,
  type JsonObject,
  type Principal,
  type ServerName,
  TASKS_EXTENSION,
} from '../../core/index.js';
import { limitResult } from '../../results/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import {
  exposedTask,
  parseExposedTask,
  passRequest,
  safeResult,
  withoutFixedOf,
} from '../../tools/index.js';
import type { RequestContext } from '../../tools/index.js';
import { lackingExtension, methodNotFound } from '../session/client-capability.js';
import type { Sessions } from '../session/sessions.js';

/** `tasks/get`, `tasks/update` and `tasks/cancel`: of a run, or of a server that has the task. */
export async function serveTask(
  sessions: Sessions,
  method: string,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const { era, capabilities } = context.caller;
  if (era !== 'modern') throw methodNotFound(method);
  if (!declares(capabilities, TASKS_EXTENSION)) throw lackingExtension(TASKS_EXTENSION);
  const id = params['taskId'];
  if (typeof id !== 'string') throw new RpcError(RPC.invalidParams, 'params.taskId is missing');
  if (parseExposedTask(id)) return passTask(sessions, method, params, context);
  const { tasks } = sessions;
  switch (method) {
    case 'tasks/get':
      return tasks.get(id, context);
    case 'tasks/update':
      await tasks.update(id, objectOf(params['inputResponses']), context);
      return {};
    default:
      await tasks.cancel(id, context);
      return {};
  }
}

/** The server knows its task by another id, and its result may be longer than a client takes. */
async function passTask(
  sessions: Sessions,
  method: string,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const { profile, principal } = context.caller;
  const { pool } = sessions.tools;
  const { servers } = sessions.within(profile, principal).tools.viewFor(principal);
  const task = parseExposedTask(asText(params['taskId']));
  if (!task || !servers.includes(task.server) || !pool.has(task.server)) {
    throw new RpcError(RPC.invalidParams, `No such task: ${asText(params['taskId'])}`);
  }
  const server = pool.get(task.server);
  const answer = await passRequest(server, method, { ...params, taskId: task.id }, context);
  if (method !== 'tasks/get') return answer;
  const result = isJsonObject(answer['result'])
    ? limited(sessions, answer['result'], { ...task, principal })
    : null;
  return {
    ...answer,
    taskId: exposedTask(task.server, task.id),
    ...(result && { result }),
  };
}

interface ServerTask {
  readonly server: ServerName;
  readonly id: string;
  readonly principal: Principal;
}

function limited(
  { tools: { settings, view, pool, catalog }, workflows }: Sessions,
  result: JsonObject,
  { server, id, principal }: ServerTask,
): JsonObject {
  const safe = safeResult(result, `task ${id} of ${server}`, pool.get(server));
  const checked = view.uiAddresses.exposeResult(server, withoutFixedOf(catalog, server, safe));
  const { limits, exposure } = settings;
  // Which tool it is of, and whether that declares a form, is not known any more.
  const short = limitResult(checked, workflows.results.of(principal), {
    ...limits,
    keepsStructured: true,
    hasMetaTools: exposure.mode !== 'proxy',
  });
  return asJsonObject(short);
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
