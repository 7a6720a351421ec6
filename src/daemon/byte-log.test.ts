import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ByteLog } from './byte-log.js';

test('ByteLog keeps exactly the bytes after the furthest trim position', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ append: fc.string({ maxLength: 9, unit: 'grapheme-ascii' }) }),
      fc.record({ trim: fc.nat(60) }),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, (sequence) => {
      const log = new ByteLog();
      let whole = '';
      let position = 0;
      for (const step of sequence) {
        if ('append' in step) {
          log.append(Buffer.from(step.append));
          whole += step.append;
        } else {
          log.trim(step.trim);
          position = Math.max(position, Math.min(step.trim, whole.length));
        }
        expect(log.read()).toBe(whole.slice(position));
        expect(log.end).toBe(whole.length);
      }
    }),
  );
});

test('ByteLog counts from zero again after a reset', () => {
  const log = new ByteLog();
  log.append(Buffer.from('abc'));
  log.trim(2);

  log.reset();
  log.append(Buffer.from('de'));

  expect([log.read(), log.end]).toEqual(['de', 2]);
});
