import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A Markdown page of the project, by its path from the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

export interface Fence {
  readonly page: string;
  readonly line: number;
  /** The words after the three backticks: the language, then what the sample is. */
  readonly info: readonly string[];
  readonly body: string;
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** README, changelog and everything below `docs`. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true })
    .map((file) => `docs/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'))
    .toSorted();
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'bench/README.md', ...docs].map(readPage);
}

export function fencesOf({ path, text }: Page): readonly Fence[] {
  const fences: Fence[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, info] = /^```(.+)$/.exec(lines[at] ?? '') ?? [];
    if (info === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    const body = lines.slice(at + 1, end).join('\n');
    fences.push({ page: path, line: at + 1, info: info.split(' '), body });
    at = end;
  }
  return fences;
}

/** The page without its fenced samples. */
export function withoutFences({ text }: Page): string {
  return text.replaceAll(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
}

/** Headings with the anchor that GitHub gives them. */
export function headingsOf(
  page: Page,
): readonly { title: string; level: number; anchor: string }[] {
  const found = withoutFences(page).matchAll(/^(#{1,6}) (.+)$/gm);
  return Array.from(found, ([, marks = '', title = '']) => ({
    title,
    level: marks.length,
    anchor: title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  }));
}

/** What is wrong with the links of a page to other pages, files and headings. */
export function brokenLinks(page: Page): readonly string[] {
  const links = [...withoutFences(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
  return links.filter((to) => !/^https?:/.test(to) && !leadsSomewhere(page, to));
}

function leadsSomewhere(page: Page, to: string): boolean {
  const [file = '', anchor] = to.split('#');
  const path = posix.normalize(posix.join(dirname(page.path), file));
  if (file !== '' && !existsSync(join(ROOT, path))) return false;
  if (anchor === undefined) return true;
  const target = file === '' ? page : readPage(path);
  return headingsOf(target).some((one) => one.anchor === anchor);
}

/** Sentences of the prose: no samples, no tables' marks, no addresses of links. */
export function sentencesOf(page: Page): readonly string[] {
  const prose = withoutFences(page)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'code');
  return prose
    .split('\n')
    .flatMap((line) => line.split(/\s\|\s|^\||\|$/))
    .flatMap((part) => part.split(/(?<=[.!?])\s+/))
    .map((one) => one.trim())
    .filter(Boolean);
}

/** The text without the parts that `npm run docs` writes. */
export function withoutGenerated(text: string): string {
  return text.replaceAll(/<!-- generated: (\w+) -->[\s\S]*?<!-- end: \1 -->/g, '');
}
