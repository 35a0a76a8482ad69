// Blocks come out the same however the text arrived, and settled ones are left alone.
import { expect, test } from 'vitest'
import { BlockSplitter } from './blocks'
import { parser } from './parser'

const words = { copy: 'Copy', wrap: 'Wrap', code: 'code', image: 'Image' }

/** Repeatable chance. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PIECES = [
  'Words and *more* words', '# Title', '## Other', '#no title', '- one', '- two\n  - inner', '1. first', '2. second', '3) third', '> quote',
  '> - in quote', '```js\nlet a = 1\n\nlet b\n```', '```\nnever closed', '~~~\ntilde\n~~~', '    indented', '| a | b |', '|---|:-:|', '| 1 | 2 |',
  '---', '===', '***', '[link][ref]', '[ref]: https://example.org/x', '[ref]: https://example.org/y "title"', '![pic](https://example.org/p.png)',
  '- [x] done', '- [ ] open', 'text with `code` in', '中文段落，足够长。', '<b>no html</b>', '  two spaces', '* * *', '+', '-', '`', '\\', '',
  '', '', 'line with \t tab', '> ```\n> code\n> ```', '- item\n\n  goes on', 'https://example.org/auto', '\r\nwindows\r\n',
]

const ENDS = ['\n', '\n', '\n\n', '']

function document(pick: (below: number) => number): string {
  let text = ''
  for (let n = 2 + pick(9); n > 0; n -= 1) text += (PIECES[pick(PIECES.length)] ?? '') + (ENDS[pick(ENDS.length)] ?? '')
  return text
}

function render(splitter: BlockSplitter, text: string, whole: boolean): string {
  return splitter
    .update(text, whole)
    .map((block) => parser.render(block.text, { references: { ...splitter.references }, words }))
    .join('')
}

test('in any chunks the same as at once', () => {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const pick = chance(seed)
    const text = document(pick)
    const splitter = new BlockSplitter()
    for (let end = 0; end < text.length; end += 1 + pick(pick(2) ? 3 : 20)) splitter.update(text.slice(0, end))
    const expected = render(new BlockSplitter(), text, true)
    expect(render(splitter, text, true), JSON.stringify(text)).toBe(expected)
  }
})

test('block by block the same as the parser makes of the whole', () => {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const text = document(chance(seed))
    const parts = render(new BlockSplitter(), text, true)
    expect(parts, JSON.stringify(text)).toBe(parser.render(text, { references: {}, words }))
  }
})

test('a finished block keeps its text and its place', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const pick = chance(seed)
    const text = document(pick)
    const splitter = new BlockSplitter()
    const finished = new Map<number, string>()
    for (let end = 0; end <= text.length; end += 1) {
      const blocks = splitter.update(text.slice(0, end))
      blocks.forEach((block, place) => expect(block.key).toBe(place))
      for (const block of blocks) {
        const before = finished.get(block.key)
        if (before !== undefined) expect(block.text, JSON.stringify(text)).toBe(before)
        if (block.finished) finished.set(block.key, block.text)
      }
    }
  }
})

test('a closed fence is finished before anything follows', () => {
  const splitter = new BlockSplitter()
  expect(splitter.update('```js\na\n')).toMatchObject([{ finished: false }])
  expect(splitter.update('```js\na\n```')).toMatchObject([{ finished: false }])
  expect(splitter.update('```js\na\n```\n')).toMatchObject([{ finished: true }])
})

test('a text that was replaced begins anew', () => {
  const splitter = new BlockSplitter()
  splitter.update('one\n\ntwo\n\nthree')
  expect(splitter.update('other\n\ntext', true).map((block) => block.text)).toEqual(['other\n', 'text'])
})

test('a definition that comes late reaches the blocks before it', () => {
  const splitter = new BlockSplitter()
  splitter.update('[a][x]\n\nnext\n\n')
  const before = splitter.references
  splitter.update('[a][x]\n\nnext\n\n[x]: https://example.org/\n\nend', true)
  expect(splitter.references).not.toBe(before)
  expect(splitter.references['X']?.href).toBe('https://example.org/')
})
