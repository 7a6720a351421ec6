/** A template of a server must not cost more than this; real ones have a handful. */
const MAX_PARTS = 201;

/**
 * Whether a URI could have come from a template (RFC 6570): enough to find its owner, not to parse it.
 *
 * Servers write templates, so no RegExp is made of them: it could backtrack for ever. Instead every
 * part turns the places reached so far into those it can end at, all at once.
 */
export function coversUri(template: string, uri: string): boolean {
  const parts = template.split(/(\{[^{}]*\})/);
  if (parts.length > MAX_PARTS) return false;
  let reached: readonly number[] = [0];
  for (const part of parts) {
    reached =
      part.startsWith('{') && part.endsWith('}')
        ? afterExpression(part, uri, reached)
        : afterLiteral(part, uri, reached);
    if (reached.length === 0) return false;
  }
  return reached.at(-1) === uri.length;
}

/** Places are in ascending order, here and in all that follows. */
function afterLiteral(text: string, uri: string, places: readonly number[]): readonly number[] {
  return places.filter((at) => uri.startsWith(text, at)).map((at) => at + text.length);
}

function afterExpression(part: string, uri: string, places: readonly number[]): readonly number[] {
  const operator = part[1] ?? '';
  if (operator === '?' || operator === '&')
    return orSkipped(places, uri, { opens: '?&', ends: '#' });
  if (operator === '#') return orSkipped(places, uri, { opens: '#', ends: '' });
  if (operator === '+' || operator === '/' || part.includes('*')) return afterText(places, uri, '');
  return afterText(places, uri, '/?#');
}

function orSkipped(
  places: readonly number[],
  uri: string,
  { opens, ends }: { opens: string; ends: string },
): readonly number[] {
  const opened = places.filter((at) => at < uri.length && opens.includes(uri.charAt(at)));
  const all = new Set([...places, ...afterText(opened, uri, ends)]);
  return [...all].toSorted((one, other) => one - other);
}

/** Where one or more characters, none of them in `ends`, can lead to. */
function afterText(places: readonly number[], uri: string, ends: string): readonly number[] {
  const found: number[] = [];
  let last = 0;
  for (const place of places) {
    // What lies before `last` was gone through from an earlier place.
    for (let at = Math.max(place, last); at < uri.length; at++) {
      if (ends.includes(uri.charAt(at))) break;
      last = at + 1;
      found.push(last);
    }
  }
  return found;
}
