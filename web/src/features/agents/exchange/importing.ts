// Agents from a file: read, checked against what there is here, and only then made. Pure.
import type { AgentSpec } from '@/api/types'
import { draftOf, specOf, NO_MODEL } from '../editor/draft'
import { errorsOf, fieldNamed } from '../editor/problems'
import { FORMAT, VERSION } from './exporting'

/** `key` is a text below `agents.import.notes`. An `error` keeps the agent from being made as it stands. */
export interface Note {
  kind: 'error' | 'warning'
  key: 'model' | 'tools' | 'presets' | 'name' | 'field'
  names: string[]
}
export interface Candidate {
  spec: AgentSpec
  /** The name that it has in the file. */
  original: string
  /** The model as the file calls it. */
  model: string
  notes: Note[]
  /** Agents that it may call, by name; null: not told. */
  presets: string[] | null
}
export interface Known {
  models: { id: number; name: string }[]
  tools: string[]
  agents: { id: number; name: string }[]
}
export type Unreadable = 'json' | 'format' | 'version' | 'none'
export type Reading = { ok: true; candidates: Candidate[] } | { ok: false; why: Unreadable }

type Loose = Record<string, unknown>
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)
const strings = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : null
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const truth = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)

/** Reads a file: one of ours, or the values of a single agent. */
export function read(json: string, known: Known): Reading {
  let content: unknown
  try {
    content = JSON.parse(json)
  } catch {
    return { ok: false, why: 'json' }
  }
  if (!isObject(content)) return { ok: false, why: 'format' }
  let list: unknown[]
  if (content['format'] === FORMAT) {
    if (content['version'] !== VERSION) return { ok: false, why: 'version' }
    list = Array.isArray(content['agents']) ? content['agents'] : []
  } else if (typeof content['name'] === 'string' && 'systemPrompt' in content) {
    list = [content]
  } else {
    return { ok: false, why: 'format' }
  }
  const agents = list.filter(isObject)
  if (agents.length === 0) return { ok: false, why: 'none' }
  return { ok: true, candidates: checkNames(agents.map((agent) => candidate(agent, known)), known) }
}

function candidate(agent: Loose, known: Known): Candidate {
  const delegation = isObject(agent['subagentConfig']) ? agent['subagentConfig'] : {}
  const model = text(agent['model'])
  const notes: Note[] = []
  const modelId = known.models.find(({ name }) => name === model)?.id ?? NO_MODEL
  if (modelId === NO_MODEL) notes.push({ kind: 'error', key: 'model', names: model ? [model] : [] })
  const lost = new Set<string>()
  const knownTools = (value: unknown) => {
    const names = strings(value)
    names?.filter((name) => !known.tools.includes(name)).forEach((name) => lost.add(name))
    return names?.filter((name) => known.tools.includes(name)) ?? null
  }
  const draft = draftOf({
    name: text(agent['name']).trim(),
    icon: text(agent['icon']),
    description: text(agent['description']),
    published: truth(agent['published']) ?? true,
    starters: strings(agent['starters']) ?? [],
    modelId,
    temperature: number(agent['temperature']),
    isCrewMaster: truth(agent['isCrewMaster']) ?? false,
    systemPrompt: text(agent['systemPrompt']),
    tools: knownTools(agent['tools']),
    maxToolRounds: number(agent['maxToolRounds']),
    maxWallSeconds: number(agent['maxWallSeconds']),
    budgetTokens: number(agent['budgetTokens']),
    budgetCost: number(agent['budgetCost']),
    subagentConfig: {
      enabled: truth(delegation['enabled']),
      maxConcurrent: number(delegation['maxConcurrent']),
      allowedPresetAgentIds: null,
      allowedToolNames: knownTools(delegation['allowedToolNames']),
    },
  })
  if (lost.size > 0) notes.push({ kind: 'warning', key: 'tools', names: [...lost] })
  const wrong = Object.keys(errorsOf(draft)).filter((field) => field !== 'modelId' && fieldNamed(field))
  if (wrong.length > 0) notes.push({ kind: 'error', key: 'field', names: wrong })
  const presets = strings(delegation['allowedPresetAgents'])
  return { spec: specOf(draft), original: draft.name, model, notes, presets }
}

/** Names are unique: those that are taken get a number, and it is said. */
function checkNames(candidates: Candidate[], known: Known): Candidate[] {
  const taken = new Set(known.agents.map(({ name }) => name.toLowerCase()))
  const callable = new Set([...taken, ...candidates.map(({ original }) => original.toLowerCase())])
  return candidates.map((one) => {
    const name = freeName(one.original, taken)
    taken.add(name.toLowerCase())
    const notes = [...one.notes]
    if (name !== one.original) notes.push({ kind: 'warning', key: 'name', names: [one.original, name] })
    const missing = one.presets?.filter((preset) => !callable.has(preset.toLowerCase())) ?? []
    if (missing.length > 0) notes.push({ kind: 'warning', key: 'presets', names: missing })
    return { ...one, spec: { ...one.spec, name }, notes }
  })
}

/** The name itself, or with the first number that is free: "Editor 2". `taken` in small letters. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!name || !taken.has(name.toLowerCase())) return name
  const stem = name.replace(/ \d+$/, '')
  for (let n = 2; ; n += 1) {
    const candidate = `${stem} ${n}`
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}

/** Whether an agent can be made as it stands. */
export function isReady(candidate: Candidate): boolean {
  return candidate.notes.every(({ kind }) => kind !== 'error')
}

/** With another model in place of the one that there is not here. */
export function withModel(candidate: Candidate, modelId: number): Candidate {
  return {
    ...candidate,
    spec: { ...candidate.spec, modelId },
    notes: candidate.notes.filter(({ key }) => key !== 'model'),
  }
}

/** The numbers of agents that one may call; `ids` by names in small letters. Those that are not there are left out. */
export function presetIds(candidate: Candidate, ids: ReadonlyMap<string, number>): number[] | null {
  return candidate.presets?.flatMap((name) => ids.get(name.toLowerCase()) ?? []) ?? null
}

/** Under another name, which the server checks again. */
export function renamed(candidate: Candidate, name: string): Candidate {
  return { ...candidate, spec: { ...candidate.spec, name: name.trim() }, notes: candidate.notes.filter(({ key }) => key !== 'name') }
}
