/** Whether a URI could have come from a template (RFC 6570): enough to find its owner, not to parse it. */
export function coversUri(template: string, uri: string): boolean {
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((part) => (part.startsWith('{') ? expression(part) : escapeRegExp(part)))
    .join('');
  return new RegExp(`^${pattern}$`).test(uri);
}

function expression(part: string): string {
  const operator = part[1] ?? '';
  if (operator === '?' || operator === '&') return '(?:[?&][^#]*)?';
  if (operator === '#') return '(?:#.*)?';
  if (operator === '+' || operator === '/' || part.includes('*')) return '.+';
  return '[^/?#]+';
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
