// Makes a text field as high as its text.

/** At least its `rows`, at most `lines`; beyond that it scrolls. */
export function fit(field: HTMLTextAreaElement, lines: number): void {
  const style = getComputedStyle(field)
  const line = parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.6
  const padding = parseFloat(style.paddingBlockStart) + parseFloat(style.paddingBlockEnd)
  const most = line * lines + padding
  field.style.blockSize = 'auto'
  const wanted = field.scrollHeight
  field.style.blockSize = `${Math.min(wanted, most)}px`
  field.style.overflowY = wanted > most ? 'auto' : 'hidden'
}
