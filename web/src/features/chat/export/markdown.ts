// A session as Markdown. What people typed and names are shown as they were typed; answers are
// Markdown already and stand as they are.
import type { Message, SubagentItem, ToolActivity } from '@/api/types'

/** The words that the document needs, in the reader's language. */
export interface ExportWords {
  user: string
  assistant: string
  thinking: string
  plan: string
  tools: string
  subagents: string
  goal: string
  arguments: string
  result: string
  error: string
  exported: string
  status: (status: string) => string
  time: (iso: string) => string
}

/** Text that is to be read as it is, not as Markdown or HTML. */
export function escapeText(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~]/g, (c) => `\\${c}`)
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .split('\n')
    .map(escapeLineStart)
    .join('\n')
}

function escapeLineStart(line: string): string {
  return line
    .replace(/^(\s*)([#+=-])/, '$1\\$2')
    .replace(/^(\s*)(\d+)([.)])/, '$1$2\\$3')
    .replace(/^\s+/, (space) => space.replace(/ /g, '&nbsp;').replace(/\t/g, '&nbsp;&nbsp;&nbsp;&nbsp;'))
}

/** On one line, for headings and lists. */
export function escapeLine(text: string): string {
  return escapeText(text.replace(/\s+/g, ' ').trim())
}

/** A block in which nothing is Markdown: its fence is longer than any within. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

/** Closes a fence that an answer left open, as one that was stopped: it would swallow what follows. */
export function closeFences(markdown: string): string {
  let open: string | undefined
  for (const line of markdown.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    if (!fence) continue
    const mark = fence[1] ?? ''
    if (open === undefined) {
      if (!(mark.startsWith('`') && (fence[2] ?? '').includes('`'))) open = mark
    } else if (mark[0] === open[0] && mark.length >= open.length && (fence[2] ?? '').trim() === '') open = undefined
  }
  return open === undefined ? markdown : `${markdown.replace(/\n$/, '')}\n${open}`
}

/** Hard line breaks, as they were typed. */
function typed(text: string): string {
  return escapeText(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}  `))
    .join('\n')
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

function toolPart(tool: ToolActivity, words: ExportWords): string {
  const parts = [`- **${escapeLine(tool.name)}** (${words.status(tool.status)})`]
  if (tool.arguments.trim()) parts.push(indent(`${words.arguments}:\n\n${fenced(tool.arguments, looksLikeJson(tool.arguments) ? 'json' : '')}`))
  if (tool.preview) parts.push(indent(`${words.result}:\n\n${fenced(tool.preview)}`))
  return parts.join('\n\n')
}

function subagentPart(item: SubagentItem, words: ExportWords): string {
  const parts = [`#### ${escapeLine(item.name)} (${words.status(item.status)})`, `${words.goal}:\n\n${typed(item.goal)}`]
  if (item.summary) parts.push(closeFences(item.summary))
  if (item.error) parts.push(`${words.error}: ${escapeLine(item.error)}`)
  return parts.join('\n\n')
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}

function assistantParts(message: Message, words: ExportWords): string[] {
  const { turn, metadata } = message
  const todos = turn?.todos ?? metadata.todos ?? []
  const tools = turn?.tools ?? metadata.tools ?? []
  const batches = turn?.subagents ?? metadata.subagents ?? []
  const content = turn?.content ?? message.content
  const thinking = turn?.thinking ?? message.thinking
  const error = turn?.error ?? message.error
  const parts: string[] = []
  if (todos.length > 0) {
    parts.push(`### ${words.plan}`)
    parts.push(todos.map((todo) => `- [${todo.status === 'completed' ? 'x' : ' '}] ${escapeLine(todo.content)}`).join('\n'))
  }
  for (const batch of batches) {
    parts.push(`### ${words.subagents}: ${escapeLine(batch.title)}`)
    parts.push(...batch.items.map((item) => subagentPart(item, words)))
  }
  if (tools.length > 0) parts.push(`### ${words.tools}`, ...tools.map((tool) => toolPart(tool, words)))
  if (thinking) parts.push(`### ${words.thinking}`, typed(thinking))
  if (content) parts.push(closeFences(content))
  if (error) parts.push(`**${words.error}:** ${escapeLine(error.message)}`)
  return parts
}

/** Messages oldest first. */
export function toMarkdown(title: string, messages: Message[], words: ExportWords): string {
  const parts = [`# ${escapeLine(title)}`, words.exported]
  for (const message of messages) {
    const who = message.role === 'user' ? words.user : message.agentName ? escapeLine(message.agentName) : words.assistant
    parts.push('---', `## ${who} · ${words.time(message.createTime)}`)
    parts.push(...(message.role === 'user' ? [typed(message.content)] : assistantParts(message, words)))
  }
  return `${parts.join('\n\n')}\n`
}
