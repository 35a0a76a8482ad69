import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import type { Message, SubagentBatch } from '@/api/types'
import { fileName } from './download'
import { closeFences, escapeLine, escapeText, fenced, toMarkdown, type ExportWords } from './markdown'

const html = new MarkdownIt({ html: true, linkify: false })
/** What a reader sees of it. */
const seen = (markdown: string) => {
  const div = document.createElement('div')
  div.innerHTML = html.render(markdown)
  return div
}
const words: ExportWords = {
  user: 'You', assistant: 'Assistant', thinking: 'Thinking', plan: 'Plan', tools: 'Tools', subagents: 'Subagents',
  goal: 'Goal', arguments: 'Arguments', result: 'Result', error: 'Error', exported: 'Exported',
  status: (status) => status, time: (iso) => iso,
}
const metadata = { todos: [], tools: [], subagents: [], reason: null, told: null }
const message = (role: 'user' | 'assistant', content: string, rest: Partial<Message> = {}): Message => ({
  id: 1, sessionId: 's', role, status: 'completed', content, metadata,
  createTime: '2026-12-01T10:00:00.000Z', updateTime: '2026-12-01T10:00:00.000Z', ...rest,
})

describe('text that people typed is read as they typed it', () => {
  test.each([
    '# no heading', '- no list', '1. no list', '> no quote', '*no* _emphasis_', '<b>no html</b>', '&amp; no entity',
    '[no](http://link)', '`no code`', '| no | table |', '~~no~~', '1) no list', '+ no list', '\\ a backslash', '---', '===',
  ])('%s', (text) => {
    const div = seen(escapeText(text))
    expect(div.textContent?.trim()).toBe(text)
    expect(div.querySelector('h1, li, blockquote, em, strong, b, a, code, table, s, hr, h2')).toBeNull()
  })
  test('a heading stays on its line', () => {
    expect(seen(`# ${escapeLine('a\n# b')}`).querySelectorAll('h1')).toHaveLength(1)
  })
})

test('a fence is longer than any within', () => {
  const text = 'before\n````\ninside\n````\n```\nafter'
  expect(seen(`${fenced(text)}\n\nnext`).querySelector('code')?.textContent).toBe(`${text}\n`)
})

describe('a fence that was left open', () => {
  test('is closed', () => {
    expect(seen(`${closeFences('```js\nlet a')}\n\n# next`).querySelector('h1')?.textContent).toBe('next')
    expect(seen(`${closeFences('~~~~\n```\nlet a\n```')}\n\n# next`).querySelector('h1')?.textContent).toBe('next')
  })
  test('and nothing else changes', () => {
    for (const whole of ['plain', '```\na\n```', 'a `code` b', '``` not a `fence`\ntext']) expect(closeFences(whole)).toBe(whole)
  })
})

test('the whole of a turn is there, in the order of the page', () => {
  const batch: SubagentBatch = {
    parentMessageId: 2, batchId: 'b', title: 'Look # into', summary: { total: 1, queued: 0, running: 0, completed: 1, failed: 0, cancelled: 0 },
    items: [{ id: 5, name: 'Scout', sourceType: 'clone', status: 'completed', goal: 'look <there>', summary: '```\nopen', sortOrder: 0 }],
  }
  const answer = message('assistant', 'The *answer*', {
    agentName: 'Helper',
    thinking: 'hm',
    error: { kind: 'internal', message: 'it_broke' },
    metadata: {
      ...metadata,
      todos: [{ content: 'do [it]', status: 'completed' }],
      tools: [{ toolCallId: 't', name: 'get_time', arguments: '{"a":"```"}', status: 'ok', preview: 'now' }],
      subagents: [batch],
    },
  })
  const text = toMarkdown('A <title>', [message('user', '# hi\nthere'), answer], words)
  const div = seen(text)
  expect([...div.querySelectorAll('h1,h2,h3,h4')].map((h) => h.textContent)).toEqual([
    'A <title>',
    'You · 2026-12-01T10:00:00.000Z',
    'Helper · 2026-12-01T10:00:00.000Z',
    'Plan',
    'Subagents: Look # into',
    'Scout (completed)',
    'Tools',
    'Thinking',
  ])
  expect(div.querySelector('blockquote')?.textContent?.trim()).toBe('# hi\nthere')
  expect([...div.querySelectorAll('code')].map((c) => c.textContent)).toEqual(['open\n', '{"a":"```"}\n', 'now\n'])
  expect(div.querySelector('em')?.textContent).toBe('answer')
  expect(div.textContent).toContain('Error: it_broke')
})

test('file names are taken by every system', () => {
  expect(fileName('a/b: "c"?', 'md')).toBe('a b c.md')
  expect(fileName('...', 'json')).toBe('session.json')
  expect(fileName('对话'.repeat(100), 'md')).toBe(`${'对话'.repeat(40)}.md`)
})
