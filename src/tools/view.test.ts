import { describe, expect, test } from 'vitest';

import { gatewaySettings, serverSpec } from '../../test/helpers/gateway-settings.js';
import { Catalog } from '../catalog/index.js';
import { type JsonObject, type ServerListing, serverName, silentLogger } from '../core/index.js';
import type { GatewaySettings } from './settings.js';
import { View } from './view.js';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

interface Offer {
  readonly tools?: readonly string[];
  readonly lists?: Partial<ServerListing>;
}

function catalogOf(offers: Readonly<Record<string, Offer>>): Catalog {
  const catalog = new Catalog({
    onDefinitionChange: 'warn',
    log: silentLogger,
    now: () => new Date(0),
  });
  for (const [name, { tools = [], lists = {} }] of Object.entries(offers)) {
    const listing = { capabilities: {}, serverInfo: {}, resources: [], ...NO_LISTS, ...lists };
    catalog.refresh({
      server: serverName(name),
      configHash: name,
      listing,
      rawTools: tools.map(tool),
      eras: ['legacy'],
      wasProbed: true,
    });
  }
  return catalog;
}

const NO_LISTS = { resourceTemplates: [], prompts: [] };

function viewOf(offers: Readonly<Record<string, Offer>>, changes: Partial<GatewaySettings> = {}) {
  return new View(catalogOf(offers), gatewaySettings(Object.keys(offers), changes));
}

const namesOf = (list: readonly JsonObject[]) => list.map(({ name }) => name);
const proxy = { exposure: { mode: 'proxy', pin: [], capabilities: [], skills: true } } as const;

describe('tools', () => {
  test('tools are listed sorted, whatever the order of the servers', () => {
    const one = viewOf({ b: { tools: ['y', 'x'] }, a: { tools: ['z'] } }, proxy);
    const other = viewOf({ a: { tools: ['z'] }, b: { tools: ['x', 'y'] } }, proxy);

    expect(namesOf(one.toolList)).toEqual(['a__z', 'b__x', 'b__y']);
    expect(JSON.stringify(one.toolList)).toBe(JSON.stringify(other.toolList));
  });

  test('tools keep their own names if there is only one server', () => {
    expect(namesOf(viewOf({ a: { tools: ['x'] } }, proxy).toolList)).toEqual(['x']);
  });

  test.each([
    ['meta', []],
    ['hybrid', ['a:x1']],
    ['proxy', ['a:x1', 'a:y']],
  ] as const)('tools are listed in %s mode: %j', (mode, listed) => {
    const exposure = { mode, pin: ['a:x*'], capabilities: [], skills: true };

    const view = viewOf({ a: { tools: ['x1', 'y'] } }, { exposure });

    expect(view.all.filter((entry) => view.isListed(entry)).map(({ tool }) => tool.id)).toEqual(
      listed,
    );
  });

  test('pinned tools stand behind the meta-tools', () => {
    const exposure = { mode: 'hybrid', pin: ['a:x*'], capabilities: [], skills: true } as const;

    const { toolList } = viewOf({ a: { tools: ['x1', 'y'] }, b: { tools: ['x2'] } }, { exposure });

    expect(namesOf(toolList)).toEqual([
      'pml_discover',
      'pml_read',
      'pml_execute_workflow',
      'pml_execute_code',
      'pml_continue',
      'a__x1',
    ]);
  });

  test('denied and filtered tools do not exist in the view', () => {
    const spec = { ...serverSpec('a'), toolsAllow: ['read*'], toolsDeny: ['read_secret'] };
    const servers = new Map([[spec.name, spec]]);
    const permissions = { allow: [], ask: [], deny: ['a:read_all'] };

    const { all, tools } = viewOf(
      { a: { tools: ['read', 'read_secret', 'read_all', 'write'] } },
      { servers, permissions },
    );

    expect(all.map(({ name }) => name)).toEqual(['read']);
    expect(tools.find('a:write')).toBeUndefined();
  });

  test('tools of a server whose command changed are not listed', () => {
    const spec = { ...serverSpec('a'), configHash: 'another command' };

    const view = viewOf({ a: { tools: ['x'] } }, { servers: new Map([[spec.name, spec]]) });

    expect(view.all).toEqual([]);
    expect(view.unlisted).toEqual(['a']);
  });
});

describe('resources', () => {
  const offers = {
    a: { lists: { resources: [{ uri: 'file:///same' }, { uri: 'notes://a' }] } },
    b: {
      lists: {
        resources: [{ uri: 'file:///same' }],
        resourceTemplates: [{ uriTemplate: 'wiki://{page}' }, { uriTemplate: '{broken' }],
      },
    },
  };

  test('resources with the same URI get distinct names, and the view finds them by these names', () => {
    const view = viewOf(offers);

    const uris = view.resourceList.map(({ uri }) => uri);
    expect(new Set(uris).size).toBe(3);
    const found = uris.map((uri) => view.findResource(uri as string)?.server);
    expect(found).toEqual(['a', 'a', 'b']);
    expect(view.findResource(uris[2] as string)?.uri).toBe('file:///same');
  });

  test.each([
    ['wiki://home', 'b'],
    ['notes://unlisted', undefined],
    ['pml://server/a/file%3A%2F%2F%2Fetc%2Fpasswd', undefined],
    ['pml://server/b/wiki%3A%2F%2Fhome', 'b'],
    ['pml://server/a/wiki%3A%2F%2Fhome', undefined],
    ['nothing://x', undefined],
    ['pml://server/a/%', undefined],
  ])('resource %s belongs to server %s', (uri, server) => {
    expect(viewOf(offers).findResource(uri)?.server).toBe(server);
  });
});

test('a template that matches everything does not take the URIs of another server', () => {
  const greedy = { lists: { resourceTemplates: [{ uriTemplate: '{+any}' }] } };
  const wiki = { lists: { resourceTemplates: [{ uriTemplate: 'wiki://{page}' }] } };

  const view = viewOf({ a: greedy, b: wiki });

  expect(view.findResource('wiki://home')?.server).toBe('b');
  expect(view.findResource('other://x')?.server).toBe('a');
});

describe('what permissions.deny names', () => {
  const offers = {
    a: {
      lists: {
        prompts: [{ name: 'greet' }, { name: 'insult' }],
        resources: [{ uri: 'file:///open/a' }, { uri: 'file:///secret/b' }],
        resourceTemplates: [{ uriTemplate: 'file:///{+path}' }],
      },
    },
    b: { lists: { prompts: [{ name: 'greet' }], resources: [{ uri: 'notes://b' }] } },
  };
  const denying = (...deny: string[]) =>
    viewOf(offers, { permissions: { allow: [], ask: [], deny } });
  const uris = (view: View) => view.resourceList.map(({ uri }) => uri);

  // covers: DENY-ALL-KINDS
  test('permissions.deny of a whole server hides its tools, prompts, resources and templates', () => {
    const view = denying('a:*');

    expect(namesOf(view.promptList)).toEqual(['b__greet']);
    expect(view.prompts.find('a__greet')).toBeUndefined();
    expect(uris(view)).toEqual(['notes://b']);
    expect(view.templateList).toEqual([]);
    expect(view.findResource('file:///open/a')).toBeUndefined();
    expect(view.findResource('notes://b')?.server).toBe('b');
  });

  // covers: DENY-ALL-KINDS
  test('permissions.deny of single entries leaves the rest of the server visible', () => {
    const view = denying('a:insult', 'a:file:///secret/*');

    expect(namesOf(view.promptList)).toEqual(['a__greet', 'b__greet']);
    expect(uris(view)).toEqual(['file:///open/a', 'notes://b']);
    expect(view.findResource('file:///open/a')?.server).toBe('a');
    expect(view.findResource('file:///open/other')?.server).toBe('a');
  });

  test.each([
    'file:///secret/b',
    'file:///%73ecret/b',
    'file:///open/../secret/b',
    'file:///open/%2e%2e/secret/b',
    'FILE:///SECRET/b',
    'pml://server/a/file%3A%2F%2F%2Fsecret%2Fb',
  ])('permissions.deny refuses a resource however its URI is written: %s', (uri) => {
    expect(denying('a:file:///secret/*').findResource(uri)).toBeUndefined();
  });
});

// covers: NAMES-OWN
test.each([
  ['meta', []],
  ['hybrid', ['own', 'a__pml_discover']],
  ['proxy', ['own', 'a__pml_discover']],
] as const)('a single server in %s mode cannot take a name of PML', (mode, shown) => {
  const ours = ['pml_discover', 'pml_continue', 'cap__mine', 'pml:read_result'];
  const exposure = { mode, pin: ['*'], capabilities: [], skills: true };

  const view = viewOf({ a: { tools: [...ours, 'own'] } }, { exposure });

  const listed = namesOf(view.toolList);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed).toEqual(expect.arrayContaining([...shown]));
  for (const name of ours) expect(view.tools.find(name)).toBeUndefined();
  expect(view.tools.find('a__pml_discover')).toMatchObject({ name: 'pml_discover' });
  expect(view.tools.find('own')).toMatchObject({ name: 'own' });
});

test('prompts of two servers have their server as a prefix', () => {
  const prompts = [{ name: 'greet' }];

  const view = viewOf({ a: { lists: { prompts } }, b: { lists: { prompts } } });

  expect(namesOf(view.promptList)).toEqual(['a__greet', 'b__greet']);
  expect(view.prompts.find('b__greet')).toMatchObject({ server: 'b', name: 'greet' });
});

test('instructions of servers are forwarded in proxy mode only', () => {
  const offers = {
    a: { lists: { instructions: 'Be quick.' } },
    b: { lists: { instructions: 'Be kind.' } },
  };

  expect(viewOf(offers, proxy).instructions).toBe('## a\nBe quick.\n\n## b\nBe kind.');
  expect(viewOf(offers).instructions).not.toContain('kind');
});
