export function glossesOf(_text: string): string[] {
  return [];
}
