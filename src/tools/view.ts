import type { Catalog } from '../catalog/index.js';
import {
  asJsonObject,
  asText,
  type CatalogServer,
  type JsonObject,
  matchGlobs,
  type ServerName,
  type ToolId,
} from '../core/index.js';
import { listAppTool } from './apps/list-app-tools.js';
import { isAppTool, UI_SCHEME, uiAddress } from './apps/tool-ui.js';
import { UiAddresses, type UiPlace } from './apps/ui-addresses.js';
import { deniedAddresses, deniedNames, type IsDenied } from './denied-names.js';
import { NameTable, type ViewTool } from './exposed-names.js';
import { META_INSTRUCTIONS, metaTools } from './meta-tools.js';
import { isReservedName } from './reserved-names.js';
import type { GatewaySettings } from './settings.js';
import { coversUri } from './uri-template.js';

/** Before the names of resources whose URIs another server uses as well. */
export const OWNED_URI = 'pml://server/';

interface ViewItem {
  readonly server: ServerName;
  readonly name: string;
  readonly item: JsonObject;
}

/**
 * What clients may see right now: made from catalog and configuration, thrown away when either
 * changes. Lists are sorted, so the same servers always give the same bytes.
 */
export class View {
  readonly tools: NameTable<ViewTool>;
  readonly prompts: NameTable<ViewItem>;
  readonly servers: readonly ServerName[];
  readonly #settings: GatewaySettings;
  readonly #isPinned: (tool: string) => boolean;
  readonly #listed: readonly CatalogServer[];
  readonly #tools: readonly ViewTool[];
  readonly #prompts: readonly ViewItem[];
  readonly #isDenied: { readonly name: IsDenied; readonly address: IsDenied };
  #uiAddresses: UiAddresses | undefined;

  /** `isHidden`: tools that clients do not see although their server is theirs. */
  constructor(
    catalog: Catalog,
    settings: GatewaySettings,
    isHidden: (tool: ToolId) => boolean = () => false,
  ) {
    this.#settings = settings;
    this.#isPinned = matchGlobs(settings.exposure.pin);
    const { deny } = settings.permissions;
    this.#isDenied = { name: deniedNames(deny), address: deniedAddresses(deny) };
    this.servers = [...settings.servers.keys()].toSorted();
    this.#listed = this.servers.flatMap((name) => {
      const server = catalog.server(name);
      return server?.configHash === settings.servers.get(name)?.configHash ? (server ?? []) : [];
    });
    const isAlone = this.servers.length === 1;
    const listed = new Set(this.#listed.map(({ name }) => name));
    this.#tools = visibleTools(catalog, settings, listed).filter(({ tool }) => !isHidden(tool.id));
    this.tools = new NameTable(this.#tools, isAlone, isReservedName);
    this.#prompts = this.#items('prompts', 'name');
    this.prompts = new NameTable(this.#prompts, isAlone);
  }

  /** Servers whose lists we do not have yet. */
  get unlisted(): readonly ServerName[] {
    const listed = new Set(this.#listed.map(({ name }) => name));
    return this.servers.filter((name) => !listed.has(name));
  }

  get all(): readonly ViewTool[] {
    return this.#tools;
  }

  /** `tools/list`. */
  get toolList(): readonly JsonObject[] {
    const { mode } = this.#settings.exposure;
    const meta = metaTools(this.servers).map(asJsonObject);
    if (mode === 'meta') return meta;
    const shown = this.#tools.filter((entry) => this.isListed(entry));
    const proxied = shown.map((entry) => ({
      ...asJsonObject(entry.tool.definition),
      name: this.tools.nameOf(entry),
    }));
    const sorted = proxied.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return mode === 'proxy' ? sorted : [...meta, ...sorted];
  }

  /**
   * `tools/list` of a client that shows user interfaces: what every client gets, and the tools that such
   * a client can only use if it lists them.
   */
  get appToolList(): readonly JsonObject[] {
    const { mode } = this.#settings.exposure;
    const shown = this.#tools.filter((one) => this.isListed(one) || isAppTool(one.tool.definition));
    const listed = shown.map((entry) => listAppTool(entry, this.tools, this.uiAddresses));
    const sorted = listed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return mode === 'proxy' ? sorted : [...metaTools(this.servers).map(asJsonObject), ...sorted];
  }

  /** Addresses of user interfaces: servers list them, or name them with a tool only. */
  get uiAddresses(): UiAddresses {
    this.#uiAddresses ??= new UiAddresses(this.#uiPlaces());
    return this.#uiAddresses;
  }

  /** Whether clients are shown the tool, with its annotations, under a name of its own. */
  isListed({ tool }: ViewTool): boolean {
    const { mode } = this.#settings.exposure;
    return mode === 'proxy' || (mode === 'hybrid' && this.#isPinned(tool.id));
  }

  get promptList(): readonly JsonObject[] {
    return this.#prompts.map((entry) => ({ ...entry.item, name: this.prompts.nameOf(entry) }));
  }

  get resourceList(): readonly JsonObject[] {
    const seen = new Set<unknown>();
    return this.#items('resources', 'uri').flatMap(({ server, item }) => {
      const uri = item['uri'];
      const isTaken = seen.has(uri);
      seen.add(uri);
      return [{ ...item, ...(isTaken && { uri: this.#takenUri(server, asText(uri)) }) }];
    });
  }

  get templateList(): readonly JsonObject[] {
    return this.#items('resourceTemplates', 'uriTemplate').map(({ item }) => item);
  }

  get instructions(): string {
    if (this.#settings.exposure.mode !== 'proxy') return META_INSTRUCTIONS;
    const texts = this.#listed.flatMap(({ name, listing }) =>
      listing.instructions ? [{ name, text: listing.instructions }] : [],
    );
    if (texts.length === 1 && this.servers.length === 1) return texts[0]?.text ?? '';
    return texts.map(({ name, text }) => `## ${name}\n${text}`).join('\n\n');
  }

  /**
   * The server a resource belongs to, and the name that server knows it by. An address that no server
   * lists, and no template covers, belongs to none: a client cannot make a server read what it likes.
   */
  findResource(uri: string): { server: ServerName; uri: string } | undefined {
    const owned = /^pml:\/\/server\/([^/]+)\/(.+)$/.exec(uri);
    const inner = owned ? decodeUri(owned[2] ?? '') : uri;
    if (inner === undefined) return undefined;
    const ui = uri.startsWith(UI_SCHEME) ? this.uiAddresses.find(uri) : undefined;
    if (ui) return ui;
    const isWanted = ({ server }: ViewItem) =>
      (!owned || server === owned[1]) && !this.#isDenied.address(server, inner);
    const found =
      this.#items('resources', 'uri').find((one) => one.name === inner && isWanted(one)) ??
      this.#templates(inner).find(isWanted);
    return found && { server: found.server, uri: inner };
  }

  isAddressDenied(server: ServerName, uri: string): boolean {
    return this.#isDenied.address(server, uri);
  }

  /** The server with a template that is, or covers, this URI. */
  findTemplate(uri: string): ServerName | undefined {
    return this.#templates(uri).find(({ server }) => !this.#isDenied.address(server, uri))?.server;
  }

  #takenUri(server: ServerName, uri: string): string {
    const isUi = uri.startsWith(UI_SCHEME);
    return isUi ? this.uiAddresses.exposed(server, uri) : ownedUri(server, uri);
  }

  #uiPlaces(): readonly UiPlace[] {
    const listed = this.#items('resources', 'uri').map(({ server, name }) => ({
      server,
      uri: name,
    }));
    const named = this.#tools.flatMap(({ server, tool }) => {
      const uri = uiAddress(tool.definition);
      return uri === undefined || this.#isDenied.address(server, uri) ? [] : [{ server, uri }];
    });
    const order = (server: ServerName) => this.servers.indexOf(server);
    return [...listed, ...named]
      .filter(({ uri }) => uri.startsWith(UI_SCHEME))
      .toSorted((one, other) => order(one.server) - order(other.server));
  }

  /** The most exact first: a template that covers everything does not take what another one names. */
  #templates(uri: string): readonly ViewItem[] {
    return this.#items('resourceTemplates', 'uriTemplate')
      .filter(({ name }) => name === uri || coversUri(name, uri))
      .toSorted((one, other) => fixedLength(other.name) - fixedLength(one.name));
  }

  #items(kind: 'prompts' | 'resources' | 'resourceTemplates', key: string): readonly ViewItem[] {
    const isDenied = kind === 'prompts' ? this.#isDenied.name : this.#isDenied.address;
    return this.#listed.flatMap(({ name: server, listing }) =>
      listing[kind].flatMap((item) => {
        const name = item[key];
        if (typeof name !== 'string' || isDenied(server, name)) return [];
        return [{ server, name, item }];
      }),
    );
  }
}

function visibleTools(
  catalog: Catalog,
  settings: GatewaySettings,
  listed: ReadonlySet<ServerName>,
): readonly ViewTool[] {
  const isDenied = matchGlobs(settings.permissions.deny);
  const filters = new Map(
    [...settings.servers].map(([name, { toolsAllow, toolsDeny }]) => {
      const allows = toolsAllow ? matchGlobs(toolsAllow) : () => true;
      const denies = matchGlobs(toolsDeny);
      return [name, (tool: string) => allows(tool) && !denies(tool)] as const;
    }),
  );
  return catalog.tools().flatMap((tool) => {
    const { server, definition, status, id } = tool;
    if (status !== 'active' || !listed.has(server) || isDenied(id)) return [];
    if (!filters.get(server)?.(definition.name)) return [];
    return [{ server, name: definition.name, tool }];
  });
}

/** Characters of a template that every URI of it begins with. */
function fixedLength(template: string): number {
  const variable = template.indexOf('{');
  return variable === -1 ? template.length : variable;
}

/** A name of our own for a resource whose URI another server uses as well. */
function ownedUri(server: ServerName, uri: string): string {
  return `${OWNED_URI}${server}/${encodeURIComponent(uri)}`;
}

function decodeUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // No name of ours.
  }
}
