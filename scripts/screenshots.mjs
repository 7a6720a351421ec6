// Screenshots for the docs: a daemon of its own with the sample servers, some work through a real
// client, and the main views as a browser shows them. Needs a build, and Chromium (CHROMIUM_PATH).
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { chromium } from 'playwright-core';

import { root, say } from './setup.mjs';

const cli = join(root, 'dist', 'cli.js');
const images = join(root, 'docs', 'images');
const MOST_BYTES = 200_000;
/** The first ones also in the dark theme. */
const DARK_SHOTS = 2;

const home = mkdtempSync(join(tmpdir(), 'pml-shots-'));
const files = join(home, 'files');
const config = join(home, 'pml.json');
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home };
const pml = (...args) =>
  execFileSync(process.execPath, [cli, ...args, '--config', config], { env, encoding: 'utf8' });

prepare();
const agent = startAgent();
try {
  await work();
  await takeAll();
} finally {
  agent.child.kill();
  pml('stop');
  rmSync(home, { recursive: true, force: true });
}

function prepare() {
  const server = (name, ...args) => ({
    command: process.execPath,
    args: [join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js'), ...args],
  });
  cpSync(join(root, 'samples/files'), files, { recursive: true });
  mkdirSync(images, { recursive: true });
  const memory = {
    ...server('server-memory'),
    env: { MEMORY_FILE_PATH: join(home, 'memory.jsonl') },
  };
  const mcpServers = {
    filesystem: server('server-filesystem', files),
    memory,
    everything: server('server-everything', 'stdio'),
  };
  writeFileSync(config, JSON.stringify({ mcpServers }));
}

/** A client that speaks JSON lines, as an agent's does. */
function startAgent() {
  const child = spawn(process.execPath, [cli, 'serve', '--config', config], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pending = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    pending.get(id)?.({ result, error });
    pending.delete(id);
  });
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let last = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      pending.set(++last, resolve);
      send({ id: last, method, params });
    });
  const call = async (name, args) => {
    const answer = await request('tools/call', { name, arguments: args });
    if (answer.error ?? answer.result.isError)
      say(`${name}: ${JSON.stringify(answer).slice(0, 400)}`);
    return answer;
  };
  return { child, request, send, call };
}

async function work() {
  await agent.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '1' },
  });
  agent.send({ method: 'notifications/initialized' });
  const note = join(files, 'notes.md');
  const plan = join(files, 'plan.md');
  writeFileSync(note, '# Notes\n\n- ship the dashboard\n- write the docs\n');
  writeFileSync(plan, '# Plan\n\n1. build\n2. test\n');
  const intent = 'collect the open points of my notes';
  for (let time = 0; time < 3; time++) {
    await agent.call('pml_discover', { intent });
    await agent.call('pml_execute_code', {
      intent,
      code: `const [notes, plan] = await Promise.all([
  mcp.filesystem.read_text_file({ path: ${JSON.stringify(note)} }),
  mcp.filesystem.read_text_file({ path: ${JSON.stringify(plan)} }),
]);
const lines = [notes, plan].flatMap(({ content }) => content.split('\\n'));
const points = lines.filter((line) => /^(-|\\d+\\.) /.test(line));
await mcp.everything.echo({ message: points.join('; ') });
return points;`,
    });
  }
  await agent.call('pml_execute_workflow', {
    intent: 'measure the folder and remember it',
    tasks: [
      { id: 'list', tool: 'filesystem:list_directory', args: { path: files } },
      { id: 'size', tool: 'filesystem:get_file_info', args: { path: note } },
      {
        id: 'slow',
        tool: 'everything:trigger-long-running-operation',
        args: { duration: 0.6, steps: 3 },
      },
      { id: 'missing', tool: 'filesystem:read_text_file', args: { path: join(files, 'gone.md') } },
      { id: 'say', tool: 'everything:echo', args: { message: { $ref: 'list.content' } } },
    ],
  });
  await agent.call('pml_execute_workflow', {
    intent: 'write the summary next to the notes',
    answer_within_ms: 300,
    tasks: [
      { id: 'read', tool: 'filesystem:read_text_file', args: { path: note } },
      {
        id: 'write',
        tool: 'filesystem:write_file',
        args: { path: join(files, 'summary.md'), content: 'Two points are open.' },
      },
    ],
  });
}

async function takeAll() {
  // Until every tool is found by meaning.
  pml('index');
  const { runs } = JSON.parse(pml('runs', '--json'));
  const { capabilities } = JSON.parse(pml('capabilities', 'list', '--json'));
  const runOf = (words) => runs.find(({ intent = '' }) => intent.startsWith(words))?.run;
  const capability = capabilities[0]?.name;
  const shots = [
    ['overview', '/', 'Waiting for you'],
    ['run', `/runs/${runOf('measure')}?step=say`, 'Step say'],
    ['calls', `/graph?mode=calls&of=cap:${capability}`, 'The same as a table'],
    ['activity', '/activity/a3', 'Request'],
    ['graph', '/graph', 'Strongest path'],
    ['capability', `/capabilities/${capability}`, 'Locked tools'],
    ['why', '/why?q=collect%20the%20open%20points', 'Candidates of a search'],
    ['trust', '/trust/permissions', 'Trust'],
  ];
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await take(browser, 'light', shots);
    await take(browser, 'dark', shots.slice(0, DARK_SHOTS));
  } finally {
    await browser.close();
  }
}

async function take(browser, colorScheme, shots) {
  const viewport = { width: 1360, height: 850 };
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
  const { url, address } = JSON.parse(pml('ui', '--json'));
  await page.goto(url);
  for (const [name, link, heading] of shots) {
    await page.goto(`${address}#${link}`);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    if (name === 'graph') await page.locator('[data-state="ready"]').waitFor();
    // What loads late on a view is a chart or the answer to one more question.
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    const path = join(images, `dashboard-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes`);
    say(`${path} ${size}`);
  }
  await page.close();
}
