/** Capabilities as tools of their own: `cap__name` for those the user named in the configuration. */
import {
  asJsonObject,
  CAPABILITY_SERVER,
  type Capability,
  type JsonObject,
  matchGlobs,
  PmlError,
} from '../../core/index.js';
import {
  capabilityEffects,
  type CapableTools,
  exposedName,
  CONTINUE_TOOL,
  isCapabilityWithin,
  metaTools,
} from '../../tools/index.js';
import { clientSchema } from './client-schema.js';

const PREFIX = `${CAPABILITY_SERVER}__`;

/** Sorted, so that the same capabilities always give the same bytes. */
export async function listCapabilityTools(
  tools: CapableTools & { readonly catalogLoaded: Promise<void> },
): Promise<readonly JsonObject[]> {
  const { mode, capabilities } = tools.settings.exposure;
  if (capabilities.length === 0) return [];
  await tools.catalogLoaded;
  const exposed = capabilityTools(tools);
  if (mode !== 'proxy' || exposed.length === 0) return exposed;
  // What a capability asks must be answerable.
  const goOn = metaTools([]).filter(({ name }) => name === CONTINUE_TOOL);
  return [...exposed, ...goOn.map(asJsonObject)];
}

function capabilityTools(tools: CapableTools): readonly JsonObject[] {
  return tools.capabilities
    .list()
    .filter((one) => one.state.status === 'active' && isCapabilityWithin(tools, one))
    .flatMap((one) => {
      const name = toolNameOf(tools, one);
      return name === undefined ? [] : [definitionOf(tools, name, one)];
    })
    .toSorted((one, other) => (one['name']! < other['name']! ? -1 : 1));
}

/** The tool a capability is listed as; nothing if it is none, or a server has one of that name. */
export function toolNameOf(
  { settings, view }: CapableTools,
  { name }: Capability,
): string | undefined {
  if (!matchGlobs(settings.exposure.capabilities)(name)) return undefined;
  const exposed = exposedName(CAPABILITY_SERVER, name, false);
  return view.tools.find(exposed) ? undefined : exposed;
}

function definitionOf(tools: CapableTools, name: string, capability: Capability): JsonObject {
  const { isReadOnly } = capabilityEffects(tools, capability);
  return {
    name,
    title: capability.name,
    description: capability.description,
    inputSchema: clientSchema(capability.current.parameters),
    annotations: isReadOnly
      ? { readOnlyHint: true, openWorldHint: true }
      : { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  };
}

/** Whether a client means a capability by this name, which may be gone meanwhile. */
export function namesCapability({ settings, view }: CapableTools, name: string): boolean {
  if (!name.startsWith(PREFIX) || settings.exposure.capabilities.length === 0) return false;
  return view.tools.find(name) === undefined;
}

/** By a name it had when it was listed. */
export function findExposed({ capabilities, settings }: CapableTools, tool: string): Capability {
  const isListed = matchGlobs(settings.exposure.capabilities);
  const found = capabilities
    .list()
    .find(({ name, aliases }) =>
      [name, ...aliases].some(
        (one) => isListed(one) && exposedName(CAPABILITY_SERVER, one, false) === tool,
      ),
    );
  if (found) return found;
  throw new PmlError(
    'TOOL_UNKNOWN',
    `There is no capability for ${tool}; it may have been deleted`,
    {
      details: { tool },
    },
  );
}
