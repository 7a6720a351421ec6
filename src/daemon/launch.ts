// Starts the program it is given and ends: `node launch.js PROGRAM ARGUMENT…`. The program keeps our
// stderr and is detached from our process tree. For systems without a shell that does the same.
import { spawn } from 'node:child_process';

const [program = '', ...args] = process.argv.slice(2);
spawn(program, args, {
  detached: true,
  stdio: ['ignore', 'ignore', 'inherit'],
  windowsHide: true,
}).unref();
