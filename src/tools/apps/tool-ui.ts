import { isJsonObject, type JsonObject, type ToolDefinition } from '../../core/index.js';

/** The scheme of addresses of user interfaces, which clients recognise them by. */
export const UI_SCHEME = 'ui://';

type WithMeta = Pick<ToolDefinition, 'name'> & { readonly _meta?: unknown };

function uiOf({ _meta: meta }: WithMeta): JsonObject {
  const ui = isJsonObject(meta) ? meta['ui'] : undefined;
  return isJsonObject(ui) ? ui : {};
}

/** The address of the user interface that shows the results of a tool. */
export function uiAddress(definition: WithMeta): string | undefined {
  const { _meta: meta } = definition;
  // The flat form is what servers wrote before the extension was final.
  const uri = uiOf(definition)['resourceUri'] ?? (isJsonObject(meta) && meta['ui/resourceUri']);
  return typeof uri === 'string' ? uri : undefined;
}

/** Whether only the user interface of its server calls the tool, and no model. */
export function isAppOnly(definition: WithMeta): boolean {
  const { visibility } = uiOf(definition);
  return Array.isArray(visibility) && !visibility.includes('model');
}

/** Whether a client that shows user interfaces needs the tool in its list. */
export function isAppTool(definition: WithMeta): boolean {
  return uiAddress(definition) !== undefined || isAppOnly(definition);
}
