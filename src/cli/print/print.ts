import pc from 'picocolors';

/** Results of a command. Commands other than `serve` own stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(jsonText(value));
}

/** JSON escapes only the older control characters; a terminal obeys more. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) =>
    mark
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** 12,345. Loading the data of a locale for this would take half as long as the whole command. */
export const count = (value: number): string =>
  String(value).replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','));

export const heading = (text: string): string => pc.bold(text);
