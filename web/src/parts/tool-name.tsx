import { splitTool } from '../pure/format.js';
import { linkTo } from '../router.js';

/** `server:tool`, the server subdued; capabilities link to their page. */
export function ToolName({ id }: { readonly id: string }) {
  const { server, name } = splitTool(id);
  if (server === 'cap') {
    return (
      <a class="tool-name" href={linkTo(['capabilities', name])} title={id}>
        <span class="server">cap:</span>
        {name}
      </a>
    );
  }
  return (
    <span class="tool-name" title={id}>
      {server !== undefined && <span class="server">{server}:</span>}
      {name}
    </span>
  );
}
