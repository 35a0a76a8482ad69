// What somebody may do with agents.

export interface AgentPermissions {
  talk: boolean
  view: boolean
  create: boolean
  edit: boolean
  remove: boolean
  audit: boolean
  /** Saving what is on the form at hand. */
  save: boolean
}

export function permissionsOf(may: (permission: string) => boolean, { save = false } = {}): AgentPermissions {
  return {
    talk: may('session:chat'),
    view: may('agent:view'),
    create: may('agent:create'),
    edit: may('agent:edit'),
    remove: may('agent:delete'),
    audit: may('audit:view'),
    save,
  }
}
