// Short names for the types of the OpenAPI document.
import type { components } from './schema'

type Schemas = components['schemas']

/** What a person sets of an agent besides what the OpenAPI document already has. */
export interface AgentShow {
  icon?: string
  published?: boolean
  starters?: string[]
}
export type Agent = Schemas['AgentView'] & AgentShow & { lastRunTime?: string | null; modelName?: string }
export type AgentCard = Schemas['AgentCard']
export type AgentPreview = Schemas['Preview']
export type AgentShares = Schemas['AgentShares']
export type AgentSpec = Schemas['AgentSpec'] & AgentShow
export type BlockedTool = Schemas['BlockedTool']
export type BatchSummary = Schemas['BatchSummary']
export type ChatAnswer = Schemas['ChatAnswer']
export type Cursor = Schemas['Cursor']
export type EffectiveDelegation = Schemas['EffectiveDelegation']
export type ErrorInfo = Schemas['ErrorInfo']
export type Event = Schemas['Event']
export type Me = Schemas['Me']
export type MePatch = Schemas['MePatch']
export type Message = Schemas['MessageView']
export type Model = Schemas['ModelView']
export type ModelInput = Schemas['ModelInput'] & { apiKey?: string | null }
export type ModelProbe = Schemas['ProbeResult']
export type OpenPause = Schemas['OpenPause']
export type Pause = Schemas['PauseView'] & { sessionTitle?: string | null; agentName?: string | null }
export type PreviewRequest = Schemas['PreviewRequest']
export interface FieldProblem {
  field: string
  detail: string
}
export type ProblemBody = Schemas['Problem'] & { errors?: FieldProblem[] | null; current?: Agent | null }
export type PauseStatus = Schemas['PauseStatus']
export type Reason = Schemas['Reason']
export type Origin = Schemas['Origin']
export type Refusal = Schemas['Refusal']
export type Scene = Schemas['Scene']
export type RunStatus = Schemas['RunStatus']
export type Session = Schemas['Session']
export type SessionContents = Schemas['SessionContents']
export type SessionDetail = Schemas['SessionDetail']
export type Subagent = Schemas['SubagentView']
export type SubagentBatch = Schemas['SubagentBatch']
export type SubagentDetail = Schemas['SubagentDetail']
export type SubagentItem = Schemas['SubagentItem']
export type SubagentStatus = Schemas['SubagentStatus']
export type TodoItem = Schemas['TodoItem']
export type TokenUsage = Schemas['TokenUsage']
export type ToolActivity = Schemas['ToolActivity']
export type ToolCallDetail = Schemas['ToolCallDetail']
export type ToolInfo = Schemas['ToolInfo']
export type TurnView = Schemas['TurnView']
export type Why = Schemas['Why']
export type AuditLine = Schemas['AuditLine']
export type Bill = Schemas['Bill']
export type BillBy = Schemas['BillBy']
export type Key = Schemas['KeyView']
export type KeyInput = Schemas['KeyInput']
export type Login = Schemas['LoginView']
export type MyUsage = Schemas['MyUsage']
export type NewKey = Schemas['NewKey']
export type PermissionInfo = Schemas['PermissionView']
export type Provider = Schemas['Provider']
export type Role = Schemas['Role']
export type RoleRequest = Schemas['RoleRequest']
export type User = Schemas['User']
export type UserPatch = Schemas['UserPatch']
export type UserRequest = Schemas['UserRequest']
