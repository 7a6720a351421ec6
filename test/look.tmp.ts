import { UiStage, problemsOf } from './helpers/ui-stage.js';
import * as prepared from "./helpers/prepared-store.js";
export {};
const s: any = (prepared as any).setup ?? (prepared as any).default; 
const main = async () => {
  if (typeof s === 'function') await s({ provide() {} });
  await using stage = await UiStage.create({ config: { permissions: { ask: [{ tool: 'notes:send', by: 'person' }] } } });
  const { client } = stage;
  await client.call('pml_discover', { intent: 'read a note' });
  const first = await client.call('pml_execute_workflow', { intent: 'read two notes and summarize them', tasks: [
    { id: 'a', tool: 'notes:read_note', args: { name: 'plan' } }, { id: 'b', tool: 'notes:read_note', args: { name: 'ideas' } },
    { id: 's', tool: 'notes:summarize', args: { title: { $ref: 'a.title' }, lines: { $ref: 'b.lines' } }},
    { id: 'f', tool: 'notes:fail_first', args: { key: 'k' } } ] }); console.log(JSON.stringify(first).slice(0,600));
  for (let i = 0; i < 3; i++) await client.call('pml_execute_code', { intent: 'summarize a note', code: `const [n, m] = await Promise.all([mcp.notes.read_note({ name: 'plan' }), mcp.notes.read_note({ name: 'ideas' })]);\nconst s = await mcp.notes.summarize({ title: n.title, lines: n.lines.filter((l) => l.length > 3) });\n// twice\nreturn await mcp.notes.summarize({ title: s.summary });` });
  console.log(JSON.stringify(await client.call('pml_execute_workflow', { intent: 'send the plan to Ada', answer_within_ms: 500, tasks: [ { id: 'r', tool: 'notes:read_note', args: { name: 'plan' } }, { id: 'send', tool: 'notes:send', args: { to: 'ada@example.org', text: 'hi' } }, { id: 'del', tool: 'notes:delete_note', args: { name: 'old' } } ] })).slice(0, 800));
  const { askDaemon } = await import('../src/daemon/index.js');
  const runs: any = await askDaemon(stage.workspace.dataDir, 'runs', { limit: 10 } as never);
  const caps: any = await askDaemon(stage.workspace.dataDir, 'capabilities');
  console.log(runs.runs.map((r: any) => r.run + ' ' + r.status + ' ' + r.intent), caps.capabilities.map((c: any) => c.name));
  const run = runs.runs.find((r: any) => /two notes/.test(r.intent)).run; const code = runs.runs.find((r: any) => /summarize a/.test(r.intent)).run;
  const other = runs.runs.filter((r: any) => /summarize a/.test(r.intent))[1]?.run;
  const cap = caps.capabilities[0]?.name;
  const views: [string, string][] = [['overview', '/'], ['runs', '/runs'], ['run', `/runs/${run}?step=s`], ['run-code', `/runs/${code}?at=9`], ['calls', `/runs/${code}?view=calls`], ['history', `/runs/${run}?view=history`], ['compare', `/runs/${code}/compare/${other}`], ['activity', '/activity'], ['activity-one', '/activity/a3'], ['graph', '/graph'], ['graph-table', '/graph?mode=table'], ['graph-calls', `/graph?mode=calls&of=cap:${cap}`], ['capabilities', '/capabilities'], ['capability', `/capabilities/${cap}`], ['why', '/why?q=summarize%20a%20note'], ['why-run', `/why?q=${code}`], ['learning', '/learning'], ['trust', '/trust'], ['permissions', '/trust/permissions']];
  const only = process.argv.slice(2);
  for (const theme of ['light', 'dark'] as const) {
    const page = await stage.signIn({ colorScheme: theme });
    page.on('console', (m) => console.log(theme, m.type(), m.text()));
    for (const [name, link] of views) {
      if (only.length && !only.includes(name)) continue;
      await stage.open(page, link); await page.waitForTimeout(name.startsWith('graph') ? 2500 : 900);
      await page.screenshot({ path: `/tmp/look/${theme}-${name}.png`, fullPage: true });
    }
    console.log(theme, problemsOf(page));
    if (theme === 'light') { const small = await stage.signIn({ viewport: { width: 360, height: 740 } }); for (const [name, link] of views) { if (only.length && !only.includes(name)) continue; await stage.open(small, link); await small.waitForTimeout(700); await small.screenshot({ path: `/tmp/look/small-${name}.png`, fullPage: true }); const w = await small.evaluate('document.documentElement.scrollWidth'); if (w as number > 360) console.log('WIDE', name, w); } }
  }
};
main().then(() => process.exit(0), (e) => { console.error(e); process.exit(1); });
