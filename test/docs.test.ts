import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { type ConfigSchema, keysOf } from '../scripts/docs/config-tables.js';
import { generatedParts, replacePart } from '../scripts/docs/generated-parts.js';
import { CLIENTS } from '../src/clients/index.js';
import { configJsonSchema } from '../src/config/json-schema.js';
import { ERROR_GUIDE } from '../src/core/error-guide.js';
import {
  brokenLinks,
  headingsOf,
  type Page,
  readPage,
  readPages,
  sentencesOf,
  withoutGenerated,
} from './helpers/markdown.js';

const MOST_README_BYTES = 8_192;
const MOST_WORDS = 35;

const pages = readPages();
const generated = await generatedParts();
const wordsIn = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

describe('links of the documentation', () => {
  test('the scan for links finds a missing file, a missing heading and nothing else', () => {
    const page: Page = {
      path: 'docs/made-up.md',
      text: '# Made up\n[a](agents.md) [b](#made-up) [c](gone.md) [d](agents.md#gone) [e](https://x.y)',
    };

    expect(brokenLinks(page)).toEqual(['gone.md', 'agents.md#gone']);
  });

  // covers: DOCS-LINKS
  test('every link and anchor of the documentation leads to a file and a heading that exist', () => {
    const broken = pages.flatMap((page) => brokenLinks(page).map((to) => `${page.path}: ${to}`));

    expect(pages.length).toBeGreaterThan(40);
    expect(broken).toEqual([]);
  });

  test('every page of docs is linked from the index of the documentation or of its folder', () => {
    const linked = (from: string) => readPage(from).text;
    const guides = pages
      .map(({ path }) => path)
      .filter((path) => /^docs\/[\w-]+\.md$/.test(path) && path !== 'docs/README.md');

    expect(guides.length).toBeGreaterThan(10);
    expect(guides.filter((path) => !linked('docs/README.md').includes(path.slice(5)))).toEqual([]);
  });

  test('no page of docs has two headings with the same anchor', () => {
    const doubled = pages
      .filter(({ path }) => path.startsWith('docs/'))
      .flatMap((page) => {
        const anchors = headingsOf(page).map(({ anchor }) => anchor);
        return anchors
          .filter((one, place) => anchors.indexOf(one) !== place)
          .map((one) => `${page.path}#${one}`);
      });

    expect(doubled).toEqual([]);
  });
});

describe('generated parts of the documentation', () => {
  // covers: DOCS-GENERATED
  test.each(generated.map((part) => [part.name, part] as const))(
    'the page on %s says what the code says; else run `npm run docs`',
    (_name, part) => {
      const page = readFileSync(part.page, 'utf8');

      expect(part.text.length).toBeGreaterThan(500);
      expect(replacePart(page, part)).toBe(page);
    },
  );

  test('page without the marks of its generated part is an error', () => {
    expect(() => replacePart('# Page', { name: 'commands', text: 'x' })).toThrow('lacks the marks');
  });

  test('every key of the configuration has a description', () => {
    const keys = keysOf(configJsonSchema() as ConfigSchema);
    const servers = (configJsonSchema() as ConfigSchema).properties?.['mcpServers'];
    const all = [...keys, ...keysOf(servers?.additionalProperties as ConfigSchema)];

    expect(all.length).toBeGreaterThan(60);
    expect(all.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([]);
  });

  test('every error code has a meaning and a remedy that are whole sentences', () => {
    const bad = Object.entries(ERROR_GUIDE).filter(
      ([, { meaning, remedy }]) => !meaning.endsWith('.') || !remedy.endsWith('.'),
    );

    expect(bad.map(([code]) => code)).toEqual([]);
  });
});

/** Frozen pages, and pages generated from the code they document. */
const NOT_GUIDES = /^(CHANGELOG|bench\/|docs\/(architecture|decisions\/))/;
const MOST_WORDS_OF_GUIDES = 40;

describe('prose of the guides', () => {
  const guides = pages
    .filter(({ path }) => !NOT_GUIDES.test(path))
    .map(({ path, text }) => ({ path, text: withoutGenerated(text) }));

  test('no sentence of the guides has more than 40 words', () => {
    const long = guides.flatMap((page) =>
      sentencesOf(page)
        .filter((one) => wordsIn(one) > MOST_WORDS_OF_GUIDES)
        .map((one) => `${page.path}: ${one}`),
    );

    expect(guides.length).toBeGreaterThan(15);
    expect(long).toEqual([]);
  });
});

describe('the README', () => {
  const readme = readPage('README.md');

  // covers: README-SHORT
  test('the README has at most 8 KB', () => {
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(MOST_README_BYTES);
  });

  test('the scan for sentences sees prose, tables and lists, and counts words', () => {
    const text =
      '# T\nOne two. Three `a b c` four!\n\n| x y | z |\n- five [six seven](a.md)\n```\nno\n```';

    expect(sentencesOf({ path: 'x.md', text }).map(wordsIn)).toEqual([1, 2, 3, 2, 1, 3]);
  });

  // covers: README-SHORT
  test('no sentence of the README has more than 35 words', () => {
    const sentences = sentencesOf(readme);

    expect(sentences.length).toBeGreaterThan(60);
    expect(sentences.filter((one) => wordsIn(one) > MOST_WORDS)).toEqual([]);
  });

  test('the README names every client that `pml init` knows', () => {
    expect(CLIENTS.filter((client) => !readme.text.includes(`\`${client}\``))).toEqual([]);
  });

  test('README starts with the two commands for a clone', () => {
    expect(headingsOf(readme)[1]?.title).toBe('Two commands');
    expect(readme.text.indexOf('npm start')).toBeLessThan(600);
    expect(readme.text.indexOf('npm test')).toBeLessThan(700);
  });
});
