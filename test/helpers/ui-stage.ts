/** A real daemon with the notes server, and real browsers that are signed in to its dashboard. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchChromium } from './chromium.js';
import { openUi } from './dashboard.js';
import type { PmlClient } from './pml-client.js';
import { Workspace } from './workspace.js';

const SERVER = fileURLToPath(new URL('../fixtures/ui-server.mjs', import.meta.url));

type Json = Record<string, unknown>;

export interface StageOptions {
  readonly isHostile?: boolean;
  readonly config?: Json;
}

export class UiStage implements AsyncDisposable {
  readonly workspace: Workspace;
  readonly client: PmlClient;
  readonly #browser: Browser;
  #origin = '';

  private constructor(workspace: Workspace, client: PmlClient, browser: Browser) {
    this.workspace = workspace;
    this.client = client;
    this.#browser = browser;
  }

  static async create({ isHostile = false, config = {} }: StageOptions = {}): Promise<UiStage> {
    const workspace = await Workspace.create({
      ...config,
      mcpServers: {
        notes: {
          command: process.execPath,
          args: [SERVER],
          env: isHostile ? { HOSTILE: '1' } : {},
        },
      },
    });
    const [client, browser] = await Promise.all([workspace.connect(), launchChromium()]);
    return new UiStage(workspace, client, browser);
  }

  /** A browser of its own, signed in, on the overview. */
  async signIn(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    watchProblems(page);
    const { url, address } = await openUi(this.workspace);
    this.#origin = address;
    await page.goto(url);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    return page;
  }

  /** Opens a view by its address. */
  async open(page: Page, link: string): Promise<void> {
    await page.goto(`${this.#origin}#${link}`);
  }

  /** A file that `notes:wait_for` waits for. */
  file(name: string): string {
    return join(this.workspace.path, name);
  }

  release(name: string): void {
    writeFileSync(this.file(name), '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.workspace[Symbol.asyncDispose]();
  }
}

const problems = new WeakMap<BrowserContext, string[]>();

/** Errors of scripts and of the content security policy; the browser says both on its console. */
function watchProblems(page: Page): void {
  const own: string[] = [];
  problems.set(page.context(), own);
  page.on('pageerror', (error) => own.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const text = message.text();
    // The browser reports a daemon that is away by itself.
    if (!/Failed to load resource|net::ERR/.test(text)) own.push(text);
  });
}

export function problemsOf(page: Page): readonly string[] {
  return problems.get(page.context()) ?? [];
}
