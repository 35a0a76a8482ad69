// Markdown to HTML text: no raw HTML, links of few kinds, nothing that is fetched unasked. What comes
// out still passes the sanitizer.
import MarkdownIt from 'markdown-it'

export type References = Record<string, { title: string; href: string }>

/** The words in what is rendered. */
export interface Words {
  copy: string
  wrap: string
  code: string
  image: string
}

export interface Rendering {
  references: References
  words: Words
  highlight?: (code: string, language: string) => string | undefined
}

const LINK = /^(?:https?:\/\/|mailto:)/i
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i

const md = new MarkdownIt({ html: false, linkify: true, breaks: false })
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
md.validateLink = (url) => LINK.test(url.trim()) || INLINE_IMAGE.test(url.trim())
const escape = md.utils.escapeHtml
/** What `parser.render` was given. */
const rendering = (env: unknown) => env as Rendering

md.renderer.rules['link_open'] = (tokens, at, options, _env, self) => {
  const token = tokens[at]
  const href = String(token?.attrGet('href') ?? '')
  if (!token || !LINK.test(href)) return '<a>'
  token.attrSet('target', '_blank')
  token.attrSet('rel', 'noopener noreferrer nofollow')
  token.attrSet('title', href)
  return self.renderToken(tokens, at, options)
}

// An image of another server tells it who reads: it is opened by a click, in a page of its own.
md.renderer.rules['image'] = (tokens, at, _options, env) => {
  const { words } = rendering(env)
  const token = tokens[at]
  const source = String(token?.attrGet('src') ?? '')
  const name = token?.content ?? ''
  if (INLINE_IMAGE.test(source)) return `<img src="${escape(source)}" alt="${escape(name)}">`
  if (!LINK.test(source)) return escape(name)
  const label = [words.image, name].filter(Boolean).join(' · ')
  return `<a class="image-link" href="${escape(source)}" title="${escape(source)}" target="_blank" rel="noopener noreferrer nofollow">${escape(label)} (${escape(hostOf(source))})</a>`
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

function codeBlock(code: string, info: string, env: Rendering): string {
  const language = info.trim().split(/\s+/)[0] ?? ''
  const inner = env.highlight?.(code, language) ?? escape(code)
  const button = (what: 'wrap' | 'copy') => `<button type="button" class="code-button" data-code="${what}">${escape(env.words[what])}</button>`
  return (
    `<figure class="code"><figcaption><span class="language">${escape(language || env.words.code)}</span>${button('wrap')}${button('copy')}</figcaption>` +
    `<pre tabindex="0"><code>${inner}</code></pre></figure>\n`
  )
}
md.renderer.rules['fence'] = (tokens, at, _options, env) => codeBlock(tokens[at]?.content ?? '', tokens[at]?.info ?? '', rendering(env))
md.renderer.rules['code_block'] = (tokens, at, _options, env) => codeBlock(tokens[at]?.content ?? '', '', rendering(env))

md.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
md.renderer.rules['table_close'] = () => '</table></div>\n'
const cell: NonNullable<typeof md.renderer.rules[string]> = (tokens, at, options, _env, self) => {
  const token = tokens[at]
  // Alignment comes as a style, which a strict policy refuses.
  const side = /text-align:(\w+)/.exec(String(token?.attrGet('style') ?? ''))?.[1]
  if (token) token.attrs = side ? [['class', `align-${side}`]] : null
  return self.renderToken(tokens, at, options)
}
md.renderer.rules['th_open'] = cell
md.renderer.rules['td_open'] = cell

// "- [x] done": a box that shows, and cannot be clicked.
md.core.ruler.after('inline', 'task-list', (state) => {
  state.tokens.forEach((token, n) => {
    const text = token.children?.[0]
    const mark = text?.type === 'text' ? /^\[([ xX])\] +/.exec(text.content) : null
    const item = state.tokens[n - 2]
    if (!text || !mark || token.type !== 'inline' || item?.type !== 'list_item_open') return
    item.attrJoin('class', 'task')
    text.content = text.content.slice(mark[0].length)
    const box = new state.Token('task_box', 'input', 0)
    const name = (token.children ?? []).map((part) => part.content).join('')
    box.attrs = [['type', 'checkbox'], ['disabled', ''], ['aria-label', name], ...(mark[1] === ' ' ? [] : [['checked', ''] as [string, string]])]
    token.children?.unshift(box)
  })
})

export const parser = {
  /** The top-level blocks, by their lines; adds the link definitions that it meets. */
  block(text: string, references: References): { type: string; markup: string; lines: [number, number] }[] {
    const tokens: ReturnType<typeof md.parse> = []
    md.block.parse(text, md, { references }, tokens)
    return tokens.flatMap((token) =>
      token.level === 0 && token.nesting >= 0 && token.map ? [{ type: token.type, markup: token.markup, lines: token.map }] : [],
    )
  },
  render: (text: string, rendering: Rendering): string => md.render(text, { ...rendering }),
}
