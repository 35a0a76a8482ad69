// Hints about a prompt that is probably not meant as it stands. They never keep one from saving. Pure.
import type { Draft } from './draft'

export const HINTS = ['asksUser', 'plansDelegation', 'namesTool', 'empty', 'long'] as const
export type Hint = (typeof HINTS)[number]

export interface Finding {
  hint: Hint
  /** The words that it is about. */
  words?: string
}

/** Longer prompts are paid for with every call. */
const LONG = 16_000
const ASKS =
  /\b(?:ask|query|consult|check with|confirm with|wait for)\s+(?:the\s+|your\s+)?(?:user|customer|person|human)s?\b|\bclarifying questions?\b|(?:询问|请问|追问|反问|问一下|征求|等待)(?:一下)?(?:用户|客户|对方)|向(?:用户|客户)(?:提问|确认|询问|追问)|(?:与|跟|和)(?:用户|客户)确认/iu
const DELEGATES = /\bdelegat(?:e|es|ing)\b|\bsub-?agents?\b|(?:委派|子代理|子智能体)/iu

export interface Context {
  /** Whether it may delegate, with all that it inherits. */
  delegates: boolean
  /** Whether others may call it, so that it may be a subagent. */
  mayBeCalled: boolean
  /** All tools that there are. */
  toolNames: string[]
  /** Those that it has; none known yet: not told. */
  given?: string[]
}

export function lint(draft: Draft, context: Context): Finding[] {
  const prompt = draft.systemPrompt
  const findings: Finding[] = []
  if (!prompt.trim()) return [{ hint: 'empty' }]
  const asks = ASKS.exec(prompt)
  if (asks && context.mayBeCalled) findings.push({ hint: 'asksUser', words: asks[0] })
  const plans = DELEGATES.exec(prompt)
  if (plans && !context.delegates) findings.push({ hint: 'plansDelegation', words: plans[0] })
  const { given } = context
  if (given) {
    const missing = context.toolNames.find((name) => !given.includes(name) && mentions(prompt, name))
    if (missing) findings.push({ hint: 'namesTool', words: missing })
  }
  if (prompt.length > LONG) findings.push({ hint: 'long' })
  return findings
}

function mentions(text: string, name: string): boolean {
  const at = text.indexOf(name)
  const inWord = (character: string | undefined) => character !== undefined && /\w/.test(character)
  return at >= 0 && !inWord(text[at - 1]) && !inWord(text[at + name.length])
}
