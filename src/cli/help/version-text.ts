import { BUILD, VERSION } from '../../app/version.js';

/** One line for people; `isJson` for scripts; `isBare` is the number alone. */
export function describeVersion({ isJson = false, isBare = false } = {}): string {
  const { version: node } = process;
  if (isBare) return VERSION;
  if (isJson) return JSON.stringify({ version: VERSION, build: BUILD, node });
  return `pml ${VERSION} (build ${BUILD}, Node ${node})`;
}
