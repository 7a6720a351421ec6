import { maskJson, PmlError } from '../core/index.js';
import type { createControl } from './control.js';

type Control = ReturnType<typeof createControl>;

/** The same answers, with errors that hide secrets: they end up in terminals and bug reports. */
export function maskControl(control: Control, mask: (text: string) => string): Control {
  return async (method, params) => {
    try {
      return await control(method, params);
    } catch (error) {
      if (!(error instanceof PmlError)) throw error;
      const details = maskJson(error.details, mask) as PmlError['details'];
      throw new PmlError(error.code, mask(error.message), { cause: error, details });
    }
  };
}
