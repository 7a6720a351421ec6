/** A Markdown table. Cells may hold any text but line breaks. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function escaped(cell: string): string {
  return cell.replaceAll(/(?<!\\)\|/g, '\\|');
}
