// Starts the program it is given and ends: `node launch.js PROGRAM ARGUMENT…`. The program keeps our
// stderr and is nobody's child. A shell could do the same, but a shell has too many other abilities.
import { spawn } from 'node:child_process';

const [program = '', ...args] = process.argv.slice(2);
spawn(program, args, {
  detached: true,
  stdio: ['ignore', 'ignore', 'inherit'],
  windowsHide: true,
}).unref();
