// How a payload is shown: JSON pretty where it is short enough, everything else in pieces that a page
// can lay out one by one.

/** Longer texts are shown as plain text only. */
export const MAX_RICH_CHARS = 50_000
const PIECE_CHARS = 8_000

/** Indented JSON; none where it is no JSON, or nothing that indenting would help. */
export function prettyJson(text: string): string | undefined {
  if (text.length > MAX_RICH_CHARS || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined
  }
}

/** The text in pieces, broken at line ends where there are any; together they are the text. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  while (text.length - from > PIECE_CHARS) {
    const newline = text.lastIndexOf('\n', from + PIECE_CHARS)
    const to = newline > from ? newline + 1 : evenly(text, from + PIECE_CHARS)
    pieces.push(text.slice(from, to))
    from = to
  }
  pieces.push(text.slice(from))
  return pieces
}

/** Not between the two halves of one character. */
function evenly(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}

/** Saves a text as a file, exactly as it is. */
export function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
