import { expect, test } from 'vitest';

import {
  type JsonObject,
  serverName,
  silentLogger,
  type ToolId,
  type ToolOverride,
} from '../core/index.js';
import { Catalog } from './catalog.js';

const ID = 'git:create' as ToolId;
const INPUT = {
  type: 'object',
  properties: { repo: { type: 'string' }, title: { type: 'string' }, draft: { type: 'boolean' } },
  required: ['repo', 'title'],
};

function override(changes: Partial<ToolOverride>): ToolOverride {
  return { hide: [], fix: {}, variables: {}, ...changes };
}

function catalogWith(changes: Partial<ToolOverride> | undefined, inputSchema: JsonObject = INPUT) {
  const overrides = new Map(changes ? [[ID, override(changes)]] : []);
  const catalog = new Catalog({
    onDefinitionChange: 'block',
    log: silentLogger,
    now: () => new Date(0),
    overrides,
  });
  const list = (description: string) =>
    catalog.refresh({
      server: serverName('git'),
      configHash: 'git',
      listing: {
        capabilities: {},
        serverInfo: {},
        resources: [],
        resourceTemplates: [],
        prompts: [],
      },
      rawTools: [{ name: 'create', description, inputSchema, annotations: { title: 'Create' } }],
      eras: ['legacy'],
      wasProbed: true,
    });
  list('of the server');
  return { catalog, list };
}

test('an override replaces the description, adds annotations and takes parameters out of the schema', () => {
  const { catalog } = catalogWith({
    description: 'of the user',
    annotations: { readOnlyHint: false },
    hide: ['draft'],
    fix: { repo: 'me/work' },
  });

  expect(catalog.tool(ID)?.definition).toMatchObject({
    description: 'of the user',
    annotations: { title: 'Create', readOnlyHint: false },
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
    },
  });
  expect(catalog.tool(ID)).toBe(catalog.tools()[0]);
  expect(catalog.listed(ID)?.definition.inputSchema).toEqual(INPUT);
});

test('a tool without an override is the very object that its server listed', () => {
  const { catalog } = catalogWith(undefined);

  expect(catalog.tool(ID)).toBe(catalog.listed(ID));
});

test('what a fixed parameter demands stays demanded, also in the branches of a schema', () => {
  const { catalog } = catalogWith(
    { fix: { repo: 'r' }, hide: ['draft'] },
    {
      ...INPUT,
      dependentRequired: { repo: ['branch', 'draft'], draft: ['title'], branch: ['repo', 'title'] },
      anyOf: [{ required: ['repo', 'title'] }, { properties: { draft: true }, required: [] }],
    },
  );

  expect(catalog.tool(ID)?.definition.inputSchema).toMatchObject({
    required: ['title', 'branch'],
    dependentRequired: { branch: ['title'] },
    anyOf: [{ required: ['title'] }, { properties: {}, required: [] }],
  });
});

test('pins watch the definition of the server: an override changes none, a changed server blocks', () => {
  const { catalog, list } = catalogWith({ description: 'of the user' });

  expect(list('of the server').changes).toEqual([]);
  catalog.setOverrides(new Map([[ID, override({ hide: ['draft'] })]]));
  expect(list('of the server').changes).toEqual([]);
  expect(catalog.tool(ID)?.status).toBe('active');

  list('another one');

  expect(catalog.tool(ID)).toMatchObject({ status: 'blocked' });
});

test('the hash of a tool follows its override, so that indexes and locks notice it', () => {
  const { catalog } = catalogWith({ description: 'one' });
  const before = catalog.tool(ID)?.hash;

  catalog.setOverrides(new Map([[ID, override({ description: 'two' })]]));

  expect(catalog.tool(ID)?.hash).not.toBe(before);
});

test('problems names overrides of unknown tools and parameters, and hidden required ones', () => {
  const { catalog } = catalogWith({ hide: ['title', 'draft'] });
  const problemsOf = (...entries: (readonly [string, Partial<ToolOverride>])[]) => {
    catalog.setOverrides(new Map(entries.map(([id, one]) => [id as ToolId, override(one)])));
    return catalog.overridden.problems((server) => server === 'git').map(({ problem }) => problem);
  };

  expect(catalog.overridden.faultOf(ID)).toContain('hides title, which its server requires');
  expect(problemsOf([ID, { hide: ['title'], fix: { title: 't' } }])).toEqual([]);
  expect(problemsOf([ID, { fix: { owner: 'me' } }])).toEqual(['the tool has no parameter owner']);
  expect(problemsOf(['git:gone', {}])).toEqual(['its server lists no such tool']);
  expect(problemsOf(['late:tool', {}])).toEqual([]);
  expect(problemsOf([ID, { fault: 'X is not set' }])).toEqual([
    'PML refuses the tool: X is not set',
  ]);
});
