// How well a text answers what was typed in the palette.

/** 0: not at all. Whole, beginning, beginning of a word, within, letters in order: the better the more. */
export function score(query: string, text: string): number {
  const wanted = query.trim().toLowerCase()
  const given = text.toLowerCase()
  if (!wanted) return 1
  if (given === wanted) return 100
  if (given.startsWith(wanted)) return 80
  const at = given.indexOf(wanted)
  if (at > 0) return /[\s\-_/:·]/.test(given[at - 1] ?? '') ? 60 : 40
  const words = wanted.split(/\s+/)
  if (words.length > 1 && words.every((word) => given.includes(word))) return 30
  return isWithin(wanted, given) ? 10 : 0
}

/** Whether all letters come in this order, not too far apart. */
function isWithin(wanted: string, given: string): boolean {
  if (wanted.length < 2) return false
  let at = -1
  let begin = -1
  for (const letter of wanted) {
    if (letter === ' ') continue
    at = given.indexOf(letter, at + 1)
    if (at < 0) return false
    if (begin < 0) begin = at
  }
  return at - begin < wanted.length * 4
}

export interface Findable {
  label: string
  /** Further words under which it is found. */
  keywords?: string[]
}

/** Those that answer, best first; of equals the first stays first. */
export function found<T extends Findable>(query: string, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, points: Math.max(score(query, item.label), ...(item.keywords ?? []).map((word) => score(query, word) * 0.8)) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ item }) => item)
}
