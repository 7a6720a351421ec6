import { useEffect, useRef } from 'preact/hooks';

import icon from './icon.svg';
import { lazyView } from './lazy-view.js';
import { connection, daemonStatus, questions } from './live.js';
import { Icon, type IconName } from './parts/icon.js';
import { Empty } from './parts/states.js';
import { linkTo, route } from './router.js';
import { isDark, toggleTheme } from './theme.js';
import { Overview } from './views/overview/overview.js';

const VIEWS = {
  '': Overview,
  runs: lazyView(async () => (await import('./views/runs/runs.js')).Runs),
  activity: lazyView(async () => (await import('./views/activity/activity.js')).Activity),
  graph: lazyView(async () => (await import('./views/graph/graph.js')).Graph),
  capabilities: lazyView(
    async () => (await import('./views/capabilities/capabilities.js')).Capabilities,
  ),
  why: lazyView(async () => (await import('./views/why/why.js')).Why),
  learning: lazyView(async () => (await import('./views/learning/learning.js')).Learning),
  trust: lazyView(async () => (await import('./views/trust/trust.js')).Trust),
};

const NAVIGATION: readonly {
  readonly name: keyof typeof VIEWS;
  readonly text: string;
  readonly icon: IconName;
}[] = [
  { name: '', text: 'Overview', icon: 'overview' },
  { name: 'runs', text: 'Runs', icon: 'runs' },
  { name: 'activity', text: 'Activity', icon: 'activity' },
  { name: 'graph', text: 'Graph', icon: 'graph' },
  { name: 'capabilities', text: 'Capabilities', icon: 'capabilities' },
  { name: 'why', text: 'Why', icon: 'why' },
  { name: 'learning', text: 'Learning', icon: 'learning' },
  { name: 'trust', text: 'Trust', icon: 'trust' },
];

export function App() {
  if (connection.value === 'signed-out' && !daemonStatus.value) return <SignIn />;
  return (
    <>
      <a class="skip" href={location.hash || '#/'} onClick={focusMain}>
        Skip to the content
      </a>
      <div class="frame">
        <Side />
        <Content />
      </div>
    </>
  );
}

function focusMain(event: Event) {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}

function Content() {
  const [name = ''] = route.value.path;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A screen reader continues in the new view; the first view leaves the focus where it is.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [name]);
  const View = Object.hasOwn(VIEWS, name) ? VIEWS[name as keyof typeof VIEWS] : NotFound;
  return (
    <div>
      <ConnectionBanner />
      <main class="main" tabIndex={-1} ref={main}>
        <View />
      </main>
    </div>
  );
}

function Side() {
  const [current = ''] = route.value.path;
  const waiting = questions.value.length;
  return (
    <aside class="side" aria-label="PML">
      <a class="brand" href="#/" aria-label="PML, overview">
        <img src={icon} alt="" />
        <span>PML</span>
      </a>
      <nav class="nav" aria-label="Views">
        {NAVIGATION.map(({ name, text, icon: shape }) => (
          <a
            key={name}
            href={linkTo(name ? [name] : [])}
            {...(current === name && { 'aria-current': 'page' as const })}
          >
            <Icon name={shape} />
            <span>{text}</span>
            {name === '' && waiting > 0 && (
              <span class="count" aria-label={`${waiting} waiting`}>
                {waiting}
              </span>
            )}
          </a>
        ))}
      </nav>
      <div class="side-foot">
        <Version />
        <button type="button" class="quiet small" onClick={toggleTheme}>
          <Icon name={isDark.value ? 'sun' : 'moon'} />
          <span class="wide">{isDark.value ? 'Light theme' : 'Dark theme'}</span>
          <span class="hidden-text">Switch the theme</span>
        </button>
      </div>
    </aside>
  );
}

function Version() {
  const status = daemonStatus.value;
  if (!status) return null;
  return (
    <p class="small muted wide cut" title={status.config}>
      Version {status.version}
    </p>
  );
}

function ConnectionBanner() {
  if (connection.value === 'open') return null;
  const text = {
    connecting: 'Connecting to the daemon…',
    lost: 'The daemon does not answer. The page shows what it knew last and reconnects by itself.',
    'signed-out': 'The daemon wants a new sign-in: run "pml ui" in a terminal.',
  }[connection.value];
  return connection.value === 'connecting' ? (
    <p class="hidden-text" role="status">
      {text}
    </p>
  ) : (
    <p class="banner" role="status">
      {text}
    </p>
  );
}

function SignIn() {
  return (
    <main class="main">
      <Empty title="Sign in to see this dashboard">
        <p>
          Run <code>pml ui</code> in a terminal: it opens this page with a link that works once.
        </p>
      </Empty>
    </main>
  );
}

function NotFound() {
  return (
    <Empty title="There is no such view">
      <a href="#/">Go to the overview</a>
    </Empty>
  );
}
