import { describe, expect, test } from 'vitest';

import { aChain, edgesDelta, graphWith, id } from '../../../test/helpers/graph-samples.js';
import { KnowledgeGraph } from '../knowledge-graph.js';
import { ContractedPaths } from './contracted-path.js';

const BACKUP = aChain('backup', ['fs:read', 'zip:pack', 'net:upload']);

describe('a path on which a capability is one step', () => {
  test('a path is one capability when the capability begins and ends with the requested tools', () => {
    const graph = new KnowledgeGraph();
    graph.setCapabilities([BACKUP]);

    const found = new ContractedPaths(graph).find(id('fs:read'), id('net:upload'));

    expect(found?.steps).toEqual(['cap:backup']);
    expect(found?.calls).toEqual(['fs:read', 'zip:pack', 'net:upload']);
  });

  test('a path enters a capability at its beginning and leaves it when all of it is done', () => {
    const graph = graphWith(
      ['db:find', 'fs:read', 'provides'],
      ['net:upload', 'mail:send', 'provides'],
    );
    graph.setCapabilities([BACKUP]);

    const found = new ContractedPaths(graph).find(id('db:find'), id('mail:send'));

    expect(found?.steps).toEqual(['db:find', 'cap:backup', 'mail:send']);
    expect(found?.calls).toEqual(['db:find', 'fs:read', 'zip:pack', 'net:upload', 'mail:send']);
    expect(found?.cost).toBeCloseTo(2 / 0.7);
  });

  test('a path does not leave a capability in the middle, but uses single tools instead', () => {
    const graph = graphWith(
      ['db:find', 'fs:read', 'provides'],
      ['zip:pack', 'mail:send', 'provides'],
    );
    graph.setCapabilities([BACKUP]);

    const found = new ContractedPaths(graph).find(id('db:find'), id('mail:send'));

    expect(found?.steps).toEqual(['db:find', 'fs:read', 'zip:pack', 'mail:send']);
  });

  test('a path does not enter a capability in the middle', () => {
    const graph = graphWith(
      ['db:find', 'zip:pack', 'provides'],
      ['net:upload', 'mail:send', 'provides'],
    );
    graph.setCapabilities([BACKUP]);

    const found = new ContractedPaths(graph).find(id('db:find'), id('mail:send'));

    expect(found?.steps).toEqual(['db:find', 'zip:pack', 'net:upload', 'mail:send']);
  });

  test('a path continues from a capability to a tool that was seen to need the whole capability', () => {
    const graph = graphWith(
      ['db:find', 'fs:read', 'provides'],
      ['cap:backup', 'log:note', 'dependency'],
    );
    graph.setCapabilities([BACKUP]);

    const found = new ContractedPaths(graph).find(id('db:find'), id('log:note'));

    expect(found?.steps).toEqual(['db:find', 'cap:backup', 'log:note']);
  });

  test('a path expands nested capabilities, but never a capability inside itself', () => {
    const graph = graphWith(['db:find', 'cap:all', 'sequence']);
    graph.setCapabilities([
      BACKUP,
      aChain('all', ['cap:backup', 'cap:all', 'mail:send']),
      aChain(
        'wide',
        Array.from({ length: 400 }, () => 'cap:backup'),
      ),
    ]);
    const paths = new ContractedPaths(graph);

    expect(paths.find(id('db:find'), id('cap:all'))?.calls).toEqual([
      'db:find',
      'fs:read',
      'zip:pack',
      'net:upload',
      'cap:all',
      'mail:send',
    ]);
    expect(paths.find(id('cap:wide'), id('cap:wide'))?.calls.length).toBeLessThanOrEqual(500);
  });

  test('a path search sees capabilities and edges that were added since the last search', () => {
    const graph = graphWith(['db:find', 'fs:read', 'provides']);
    const paths = new ContractedPaths(graph);
    expect(paths.find(id('db:find'), id('mail:send'))).toBeUndefined();

    graph.setCapabilities([BACKUP]);
    expect(paths.find(id('db:find'), id('mail:send'))).toBeUndefined();
    graph.apply(edgesDelta(['net:upload', 'mail:send', 'provides']));

    expect(paths.find(id('db:find'), id('mail:send'))?.steps).toEqual([
      'db:find',
      'cap:backup',
      'mail:send',
    ]);
  });
});

describe('a way from several to one', () => {
  const graph = graphWith(
    ['db:find', 'fs:read', 'provides'],
    ['fs:read', 'mail:send', 'sequence'],
    ['net:upload', 'mail:send', 'provides'],
    ['web:get', 'mail:send', 'dependency', 1],
  );
  graph.setCapabilities([BACKUP]);
  const starts = ['db:find', 'cal:next'].map(id);

  test('a path from several starts joins the requested ends, and goes through whole capabilities', () => {
    const found = new ContractedPaths(graph, { types: ['provides', 'dependency'] });

    expect(found.lead(starts, id('mail:send'))?.steps).toEqual([
      'db:find',
      'cap:backup',
      'mail:send',
    ]);
    expect(found.lead([id('fs:read')], id('net:upload'))?.steps).toEqual([
      'fs:read',
      'zip:pack',
      'net:upload',
    ]);
    expect(found.lead([], id('mail:send'))).toBeUndefined();
  });

  test('a path from several starts has only allowed steps, along edges of the given types', () => {
    const isStep = (one: string) => one !== 'cap:backup';
    const giving = new ContractedPaths(graph, { types: ['provides'], isStep });
    const any = new ContractedPaths(graph, { isStep });

    expect(giving.lead(starts, id('mail:send'))?.steps).toEqual([
      'db:find',
      'fs:read',
      'zip:pack',
      'net:upload',
      'mail:send',
    ]);
    expect(any.lead(starts, id('mail:send'))?.steps).toEqual(['db:find', 'fs:read', 'mail:send']);
  });

  test('endingWith gives the capabilities that end with a tool', () => {
    const paths = new ContractedPaths(graph);

    expect(paths.endingWith(id('net:upload'))).toEqual(['cap:backup']);
    expect(paths.endingWith(id('zip:pack'))).toEqual([]);
  });
});
