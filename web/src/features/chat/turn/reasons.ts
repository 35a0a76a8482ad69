// Reasons by what they are: why something waits, how an answer was cut short, why a turn ended.
import type { Reason } from '@/api/types'

type Kind = 'waiting' | 'limit' | 'ended'

/** Every reason that the server knows: one that is missing here does not compile. */
const KINDS: Record<Reason, Kind> = {
  session_busy: 'waiting',
  model_limit: 'waiting',
  parent_concurrency: 'waiting',
  question: 'waiting',
  budget: 'waiting',
  handed_back: 'waiting',
  tool_rounds: 'limit',
  repeated_calls: 'limit',
  output_limit: 'limit',
  content_filter: 'limit',
  wall_time: 'limit',
  idle_time: 'limit',
  empty_answer: 'ended',
  poisoned: 'ended',
  parent_ended: 'ended',
  stopped: 'ended',
  interrupted: 'ended',
  deleted: 'ended',
  agent_gone: 'ended',
  model_auth: 'ended',
  model_address_blocked: 'ended',
  model_request: 'ended',
  context_length: 'ended',
  model_unavailable: 'ended',
  llm_idle_timeout: 'ended',
  internal: 'ended',
}

export const REASONS = Object.keys(KINDS) as Reason[]

/** Whether it shaped an answer that was completed all the same. */
export function isLimit(reason: Reason | undefined): reason is Reason {
  return reason !== undefined && (KINDS[reason] === 'limit' || reason === 'budget')
}

/** Whether the same message may do better when it is sent again, without anybody changing something. */
export function mayDoBetter(reason: Reason | undefined): boolean {
  return reason !== 'model_auth' && reason !== 'model_address_blocked' && reason !== 'agent_gone' && reason !== 'context_length'
}
