import { Command } from 'commander';

import type { DaemonFlags } from '../daemon/ask.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';
import { describeFinding, type Finding, hasFailed, summarize } from './finding.js';

export interface DoctorFlags extends DaemonFlags {
  readonly repair?: boolean;
}

/** `pml doctor`: looks at everything PML needs and says what to do about what is wrong. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .option('--repair', 'restore a damaged store from its newest good snapshot')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: DoctorFlags) => {
      // Loads much of PML, which `--help` does not need.
      const { examine } = await import('./examine.js');
      const findings = await examine(flags, (line) => process.stderr.write(`${line}\n`));
      if (flags.json) printJson({ ok: !hasFailed(findings), findings });
      else await page(describeFindings(findings));
      process.exitCode = hasFailed(findings) ? 1 : 0;
    });
}

/** One line a finding, with what to do below it; then how many failed. */
export function describeFindings(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(...findings.map(({ what }) => what.length));
  return [...findings.map((one) => describeFinding(one, width)), '', summarize(findings)];
}
