// How long a message may be, counted as the server counts: characters, not UTF-16 units.

export const MESSAGE_LIMIT = 200_000
/** From here on the count is shown. */
export const NEAR_LIMIT = 180_000

export function lengthOf(text: string): number {
  // Only long texts are worth counting exactly.
  if (text.length < NEAR_LIMIT) return text.length
  let count = 0
  for (const _ of text) count += 1
  return count
}
