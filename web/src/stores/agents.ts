// Agents as their keepers see them: listed by pages, shown, made, changed, shared.
import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import { Problem, api, data } from '@/api/client'
import type { Agent, AgentCard, AgentPreview, AgentShares, AgentSpec, PreviewRequest } from '@/api/types'

export interface AgentQuery {
  /** A part of the name or the description. */
  q?: string
  published?: boolean
  cursor?: string
  limit?: number
}

export interface AgentPage<T = Agent> {
  items: T[]
  nextCursor?: string
}

/** A change of a stored agent: what is left out stays, null takes a value away. */
export type AgentPatch = { [K in keyof AgentSpec]?: AgentSpec[K] | null }

const PAGE = 200

export const useAgents = defineStore('agents', () => {
  const byId = shallowReactive(new Map<number, Agent>())

  function keep(agent: Agent): Agent {
    byId.set(agent.id, agent)
    return agent
  }

  /** One page of those that one sees, oldest first. */
  async function page(query: AgentQuery = {}, signal?: AbortSignal): Promise<AgentPage> {
    const found = await data(api.GET('/api/agents', { params: { query }, signal }))
    return { items: found.items.map(keep), nextCursor: found.nextCursor ?? undefined }
  }

  /** All that a search finds, for an export or where names are compared. */
  async function all(query: AgentQuery = {}): Promise<Agent[]> {
    const found: Agent[] = []
    let cursor: string | undefined
    do {
      const next = await page({ ...query, limit: PAGE, cursor })
      found.push(...next.items)
      cursor = next.nextCursor
    } while (cursor)
    return found
  }

  /** All that one may talk to, for people who do not keep agents. The server does not search in these. */
  async function cards(q = '', signal?: AbortSignal): Promise<AgentPage<AgentCard>> {
    const found: AgentCard[] = []
    let cursor: string | undefined
    do {
      const next = await data(api.GET('/api/agent-cards', { params: { query: { limit: PAGE, cursor } }, signal }))
      found.push(...next.items)
      cursor = next.nextCursor ?? undefined
    } while (cursor)
    const wanted = q.toLowerCase()
    return { items: found.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted)) }
  }

  async function load(id: number): Promise<Agent> {
    return keep(await data(api.GET('/api/agents/{id}', { params: { path: { id } } })))
  }

  async function create(spec: AgentSpec): Promise<Agent> {
    return keep(await data(api.POST('/api/agents', { body: spec })))
  }

  /** Refused with `version_conflict` if the agent is no longer at `version`. */
  async function update(id: number, version: number, patch: AgentPatch): Promise<Agent> {
    const body = { ...patch, version } as unknown as Record<string, never>
    return keep(await data(api.PATCH('/api/agents/{id}', { params: { path: { id } }, body })))
  }

  async function remove(id: number): Promise<void> {
    try {
      await data(api.DELETE('/api/agents/{id}', { params: { path: { id } } }))
    } catch (cause) {
      // Somebody else was faster: it is gone, which is what was wanted.
      if (!(cause instanceof Problem) || cause.status !== 404) throw cause
    }
    byId.delete(id)
  }

  /** What an agent with these values, stored or not, would be told and given. */
  function preview(request: PreviewRequest, signal?: AbortSignal): Promise<AgentPreview> {
    return data(api.POST('/api/agents/preview-prompt', { body: request, signal }))
  }

  /** Begins a session whose turns run with these values, which need not be stored: its id. */
  async function tryOut(spec: AgentSpec, agentId?: number): Promise<string> {
    return (await data(api.POST('/api/agents/tryouts', { body: { spec, agentId } }))).sessionId
  }

  /** From the next turn on the session runs with these values. */
  async function changeTryOut(sessionId: string, spec: AgentSpec): Promise<void> {
    await data(api.PUT('/api/agents/tryouts/{sessionId}', { params: { path: { sessionId } }, body: { spec } }))
  }

  async function endTryOut(sessionId: string): Promise<void> {
    await data(api.DELETE('/api/sessions/{id}', { params: { path: { id: sessionId } } }))
  }

  function shares(id: number): Promise<AgentShares> {
    return data(api.GET('/api/agents/{id}/shares', { params: { path: { id } } }))
  }

  async function share(id: number, body: AgentShares): Promise<AgentShares> {
    const said = await data(api.PUT('/api/agents/{id}/shares', { params: { path: { id } }, body }))
    const agent = byId.get(id)
    if (agent) keep({ ...agent, visibility: said.visibility })
    return said
  }

  return { byId, page, all, cards, load, create, update, remove, preview, tryOut, changeTryOut, endTryOut, shares, share }
})
