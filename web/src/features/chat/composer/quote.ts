// Puts a text that is quoted before what one writes about it.

export function quoted(draft: string, text: string): string {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
  const before = draft.trimEnd()
  return `${before === '' ? '' : `${before}\n\n`}${lines}\n\n`
}
