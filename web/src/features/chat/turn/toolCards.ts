// Which component shows a tool's call: one of its own, or the plain one.
import type { Component } from 'vue'
import ClarifyCard from './ClarifyCard.vue'
import ToolCard from './ToolCard.vue'

const CARDS: Record<string, Component> = { clarify: ClarifyCard }

export function cardOf(name: string): Component {
  return CARDS[name] ?? ToolCard
}
