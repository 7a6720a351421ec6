import type { JsonObject, Principal } from '../../core/index.js';
import type { Served } from '../session/client-scope.js';
import { skillsFor } from '../session/narrow-client.js';

export type ItemList = 'resources/list' | 'resources/templates/list' | 'prompts/list';

/** Resources, templates or prompts that a client may see. */
export async function listItems(
  scope: Served,
  method: ItemList,
  principal: Principal,
): Promise<JsonObject> {
  await scope.tools.firstListing();
  const { resourceList, templateList, promptList } = scope.tools.viewFor(principal);
  switch (method) {
    case 'resources/list':
      return { resources: [...resourceList, ...skillsFor(scope, principal)] };
    case 'resources/templates/list':
      return { resourceTemplates: templateList };
    case 'prompts/list':
      return { prompts: promptList };
  }
}
