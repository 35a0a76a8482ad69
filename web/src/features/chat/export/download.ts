// Saves a text as a file of the person's machine.

/** A name that every file system takes. */
export function fileName(title: string, extension: string): string {
  const base = title
    .replace(/[\\/:*?"<>|\u0000-\u001f]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
  const cut = [...base].slice(0, 80).join('').trim()
  return `${cut || 'session'}.${extension}`
}

export function saveText(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // After the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
