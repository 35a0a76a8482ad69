// What the palette can do. A page tells its own with `useCommands`; they are there while it is shown.
import { onBeforeUnmount, ref, shallowReactive, type Component } from 'vue'
import type { Findable } from './match'

export interface Command extends Findable {
  id: string
  icon?: Component
  /** Shown at the right: a key, or what it belongs to. */
  hint?: string
  run: () => unknown
}

/** Functions, so that the labels are those of the language in use and of what can be done now. */
export const commandSources = shallowReactive(new Set<() => Command[]>())
export const paletteOpen = ref(false)

export function useCommands(source: () => Command[]): void {
  commandSources.add(source)
  onBeforeUnmount(() => commandSources.delete(source))
}
