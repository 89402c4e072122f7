/** Results go to standard output alone, everything else to standard error, so that pipes stay clean. */
export const printText = (text: string): void => void process.stdout.write(`${text}\n`);
export const printJson = (value: unknown): void => printText(JSON.stringify(value, undefined, 2));
export const printError = (text: string): void => void process.stderr.write(`tollgate: ${text}\n`);

/** Rows in aligned columns; the last column is as long as it likes. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}
