// Short names for the types of the OpenAPI document.
import type { components } from './schema'

type Schemas = components['schemas']

export type Agent = Schemas['AgentView']
export type AgentCard = Schemas['AgentCard']
export type AgentSpec = Schemas['AgentSpec']
export type BatchSummary = Schemas['BatchSummary']
export type ChatAnswer = Schemas['ChatAnswer']
export type Cursor = Schemas['Cursor']
export type ErrorInfo = Schemas['ErrorInfo']
export type Event = Schemas['Event']
export type Me = Schemas['Me']
export type MePatch = Schemas['MePatch']
export type Message = Schemas['MessageView']
export type Model = Schemas['ModelView']
export type OpenPause = Schemas['OpenPause']
export type Pause = Schemas['PauseView']
export type ProblemBody = Schemas['Problem']
export type PauseStatus = Schemas['PauseStatus']
export type Reason = Schemas['Reason']
export type RunStatus = Schemas['RunStatus']
export interface SessionLive {
  messageId: number
  runId: number
  status: RunStatus
  queuedTurns: number
  activeSubagents: number
}
export interface SessionContents {
  turns: number
  messages: number
  subagents: number
  liveTurns: number
  openPauses: number
}
export type Session = Schemas['Session'] & {
  pinned?: boolean
  agentName?: string | null
  live?: SessionLive | null
  openPauses?: number
}
export type Subagent = Schemas['SubagentView']
export type SubagentBatch = Schemas['SubagentBatch']
export type SubagentDetail = Schemas['SubagentDetail']
export type SubagentItem = Schemas['SubagentItem']
export type SubagentStatus = Schemas['SubagentStatus']
export type TodoItem = Schemas['TodoItem']
export type TokenUsage = Schemas['TokenUsage']
export type ToolActivity = Schemas['ToolActivity']
export type ToolInfo = Schemas['ToolInfo']
export type TurnView = Schemas['TurnView']
