// What a new agent may begin with. Names and prompts are texts of the language in use.
import type { Draft } from './editor/draft'

export const TEMPLATES = ['researcher', 'writer', 'reviewer'] as const
export type Template = (typeof TEMPLATES)[number]

const VALUES: Record<Template, Partial<Draft>> = {
  researcher: { 'subagentConfig.enabled': true, 'subagentConfig.maxConcurrent': 5, maxToolRounds: 30 },
  writer: { 'subagentConfig.enabled': false, temperature: 0.8 },
  reviewer: { 'subagentConfig.enabled': false, tools: [], temperature: 0.2 },
}

export function isTemplate(value: unknown): value is Template {
  return TEMPLATES.includes(value as Template)
}

/** `text` gives the words of a key below `agents.templates.NAME`. */
export function templateValues(template: Template, text: (key: string) => string): Partial<Draft> {
  return {
    ...VALUES[template],
    name: text('name'),
    description: text('description'),
    systemPrompt: text('prompt'),
    starters: [text('starter1'), text('starter2')],
  }
}
