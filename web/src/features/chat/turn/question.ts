// A question to a person, as the call that asks it has it.
import type { ToolActivity } from '@/api/types'

/** What a `clarify` asks. */
export function questionOf(call: ToolActivity): string {
  try {
    const asked: unknown = JSON.parse(call.arguments)
    const text = typeof asked === 'object' && asked !== null && 'question' in asked ? asked.question : undefined
    return typeof text === 'string' ? text.trim() : call.arguments
  } catch {
    return call.arguments
  }
}
