// Splits a text that still grows into its top-level blocks. What is settled is never looked at again,
// and blocks come out the same however the text arrived.
import { parser, type References } from './parser'

export interface Block {
  /** Its place, which never changes. */
  key: number
  text: string
  /** Nothing that follows can change it. */
  finished: boolean
}

interface Found {
  text: string
  /** Where it ends in the text that was looked at. */
  end: number
  finished: boolean
}

const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

export class BlockSplitter {
  private settled: Block[] = []
  private settledText = ''
  private settledReferences: References = {}
  /** Link definitions, wherever they stand; another object when one came. */
  references: References = {}

  /** The blocks of `text`; `whole`: nothing follows. */
  update(text: string, whole = false): Block[] {
    const clean = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
    if (!clean.startsWith(this.settledText)) this.restart()
    const tail = clean.slice(this.settledText.length)
    const references: References = { ...this.settledReferences }
    const found = blocksOf(tail, references, whole)
    this.keep(references)
    const done = found.findIndex((block) => !block.finished)
    this.settle(tail, done < 0 ? found : found.slice(0, done))
    const open = done < 0 ? [] : found.slice(done)
    return [...this.settled, ...open.map((block, n) => ({ key: this.settled.length + n, text: block.text, finished: block.finished }))]
  }

  private restart(): void {
    this.settled = []
    this.settledText = ''
    this.settledReferences = {}
    this.references = {}
  }

  private settle(tail: string, blocks: Found[]): void {
    const last = blocks.at(-1)
    if (!last) return
    const text = tail.slice(0, last.end)
    blocksOf(text, this.settledReferences, true)
    this.settledText += text
    for (const block of blocks) this.settled.push({ key: this.settled.length, text: block.text, finished: true })
  }

  private keep(references: References): void {
    const same = (a: References, b: References) => Object.keys(a).every((name) => a[name]?.href === b[name]?.href && a[name]?.title === b[name]?.title)
    if (!same(references, this.references) || !same(this.references, references)) this.references = references
  }
}

/** The top-level blocks of a text. A block is finished once the next one has surely begun. */
function blocksOf(text: string, references: References, whole: boolean): Found[] {
  const tokens = parser.block(text, references)
  const lines = lineEnds(text)
  const complete = text.endsWith('\n') ? lines.length : lines.length - 1
  const at = (line: number) => (line <= 0 ? 0 : (lines[line - 1] ?? text.length))
  return tokens.map((token, n) => {
    const [from, to] = token.lines
    const body = text.slice(at(from), at(to))
    const next = tokens[n + 1]
    return {
      text: body,
      end: at(to),
      finished: whole || (next ? begun(next, complete) : isClosedFence(token.type, token.markup, body)),
    }
  })
}

/** A table shows itself with its second line, everything else with its first. */
function begun(token: { type: string; lines: [number, number] }, complete: number): boolean {
  return token.lines[0] + (token.type === 'table_open' ? 2 : 1) <= complete
}

function isClosedFence(type: string, markup: string, body: string): boolean {
  if (type !== 'fence' || !body.endsWith('\n')) return false
  const lines = body.trimEnd().split('\n')
  const end = lines.length > 1 ? FENCE_END.exec(lines.at(-1) ?? '')?.[1] : undefined
  return end !== undefined && end.startsWith(markup)
}

/** Where each line ends, its newline included. */
function lineEnds(text: string): number[] {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at + 1)
  if (ends.at(-1) !== text.length) ends.push(text.length)
  return ends
}
