// Starts the program it is given and ends: `node launch.js PROGRAM ARGUMENT…`. The program keeps our
// stderr and is detached from our process tree. A shell could do the same, but can do far more.
import { spawn } from 'node:child_process';

/** Memory that threads gave back would otherwise stay in many arenas of the C library. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };

const [program = '', ...args] = process.argv.slice(2);
spawn(program, args, {
  detached: true,
  stdio: ['ignore', 'ignore', 'inherit'],
  windowsHide: true,
  env: { ...FEW_ARENAS, ...process.env },
}).unref();
