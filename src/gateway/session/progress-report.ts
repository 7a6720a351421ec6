import { isJsonObject, type JsonObject, type Progress } from '../../core/index.js';

/** Reports progress of a request under the token that its client chose; undefined without one. */
export function progressReport(
  params: JsonObject,
  notify: (params: JsonObject) => void,
): ((progress: Progress) => void) | undefined {
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
  const { progressToken } = meta;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
  return (progress) => notify({ ...progress, progressToken });
}
