// One block as safe HTML. Finished ones are kept by their text, so that nothing is rendered twice.
import DOMPurify from 'dompurify'
import { highlighter } from './highlight'
import { parser, type References, type Words } from './parser'

const TAGS = (
  'a blockquote br button code del div em figcaption figure h1 h2 h3 h4 h5 h6 hr img input li ol p pre s span ' +
  'strong table tbody td th thead tr ul'
).split(' ')
const ATTRIBUTES = ['alt', 'aria-label', 'checked', 'class', 'data-code', 'disabled', 'href', 'rel', 'src', 'start', 'tabindex', 'target', 'title', 'type']

export function sanitize(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
    // Attributes that are no addresses.
    ADD_URI_SAFE_ATTR: ['aria-label', 'checked', 'data-code', 'disabled', 'rel', 'start', 'tabindex', 'target', 'type'],
  })
}

const MAX_KEPT = 4_000_000
const kept = new Map<string, string>()
let keptSize = 0

export interface BlockToRender {
  text: string
  finished: boolean
  references: References
  words: Words
}

/** Safe HTML of a block. */
export function renderBlock(block: BlockToRender): string {
  const { text, finished, words } = block
  if (!finished) return made(block)
  const references = text.includes('[') ? JSON.stringify(block.references) : ''
  const key = [words.copy, highlighter.value ? 'h' : '', references, text].join('\u0000')
  const before = kept.get(key)
  if (before !== undefined) return before
  const html = made(block)
  keptSize += key.length + html.length
  kept.set(key, html)
  forgetOldest()
  return html
}

function made({ text, finished, references, words }: BlockToRender): string {
  const highlight = finished ? highlighter.value : undefined
  return sanitize(parser.render(text, { references: { ...references }, words, highlight }))
}

function forgetOldest(): void {
  for (const [key, html] of kept) {
    if (keptSize <= MAX_KEPT) return
    kept.delete(key)
    keptSize -= key.length + html.length
  }
}
