// Colours for code. Loaded when the first finished code block is shown, not before.
import { shallowRef } from 'vue'

export type Highlight = (code: string, language: string) => string | undefined

/** Longer code stays plain: colouring it would hold up the page. */
const MAX_CHARS = 50_000

/** Missing until it is loaded. */
export const highlighter = shallowRef<Highlight>()
let loading: Promise<void> | undefined

export function loadHighlighter(): Promise<void> {
  loading ??= import('./languages')
    .then(({ default: hljs }) => {
      highlighter.value = (code, language) => {
        if (code.length > MAX_CHARS || !language || !hljs.getLanguage(language)) return undefined
        return hljs.highlight(code, { language, ignoreIllegals: true }).value
      }
    })
    .catch(() => {
      // Without colours the code can be read all the same; the next block tries again.
      loading = undefined
    })
  return loading
}
