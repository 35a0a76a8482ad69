// The places that the rail and the phone's bar lead to, and what one must be allowed for each.
import { ChatLineRound, Cpu, MessageBox } from '@element-plus/icons-vue'
import type { Component } from 'vue'

export interface Place {
  name: 'chat' | 'agents' | 'inbox'
  path: string
  icon: Component
  permission: string
}

export const PLACES: Place[] = [
  { name: 'chat', path: '/chat', icon: ChatLineRound, permission: 'session:view' },
  { name: 'agents', path: '/agents', icon: Cpu, permission: 'agent:use' },
]
export const INBOX: Place = { name: 'inbox', path: '/inbox', icon: MessageBox, permission: 'session:view' }

/** Whether an address is within a place. */
export function isAt(place: Place, path: string): boolean {
  return path === place.path || path.startsWith(`${place.path}/`)
}
