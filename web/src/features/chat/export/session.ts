// Fetches the whole of a session for an export: every page of its messages, and what lists cut short.
import { api, data } from '@/api/client'
import type { Message, SubagentBatch } from '@/api/types'

const PAGE = 200
/** Lists cut a subagent's answer at 4,000 and its goal at 2,000 characters. */
const CUT = { summary: 4000, goal: 2000 }

type SessionOf = Awaited<ReturnType<typeof session>>
export interface ExportedSession {
  session: SessionOf
  messages: Message[]
}

function session(id: string) {
  return data(api.GET('/api/sessions/{id}', { params: { path: { id } } }))
}

async function allMessages(id: string, signal?: AbortSignal): Promise<Message[]> {
  const pages: Message[][] = []
  let before: number | undefined
  for (;;) {
    const page = await data(
      api.GET('/api/sessions/{id}/messages', { params: { path: { id }, query: { limit: PAGE, before } }, signal }),
    )
    pages.unshift(page.items)
    before = page.items[0]?.id
    if (!page.hasMore || before === undefined) return pages.flat()
  }
}

async function whole(batch: SubagentBatch, signal?: AbortSignal): Promise<SubagentBatch> {
  const items = []
  for (const item of batch.items) {
    const cut = (item.summary?.length ?? 0) >= CUT.summary - 1 || item.goal.length >= CUT.goal - 1
    if (!cut) {
      items.push(item)
      continue
    }
    const detail = await data(api.GET('/api/subagents/{id}', { params: { path: { id: item.id } }, signal }))
    items.push({ ...item, goal: detail.goal, summary: detail.summary })
  }
  return { ...batch, items }
}

/** The session with all its messages, oldest first, and its subagents' answers uncut. */
export async function fetchSession(id: string, signal?: AbortSignal): Promise<ExportedSession> {
  const messages = await allMessages(id, signal)
  for (const message of messages) {
    const { metadata, turn } = message
    if (metadata.subagents?.length) metadata.subagents = await Promise.all(metadata.subagents.map((batch) => whole(batch, signal)))
    if (turn?.subagents?.length) turn.subagents = await Promise.all(turn.subagents.map((batch) => whole(batch, signal)))
  }
  return { session: await session(id), messages }
}
