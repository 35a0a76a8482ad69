// The sections of the settings, and what one must be allowed to see each.
export const SECTIONS = [
  { name: 'appearance', group: 'own', permission: undefined },
  { name: 'profile', group: 'own', permission: undefined },
  { name: 'sessions', group: 'own', permission: undefined },
  { name: 'keys', group: 'own', permission: ['key:own', 'key:manage'] },
  { name: 'usage', group: 'own', permission: undefined },
  { name: 'models', group: 'workspace', permission: ['model:view'] },
  { name: 'users', group: 'workspace', permission: ['user:view'] },
  { name: 'roles', group: 'workspace', permission: ['user:view'] },
  { name: 'audit', group: 'workspace', permission: ['audit:view'] },
  { name: 'about', group: 'workspace', permission: undefined },
] as const

export type Section = (typeof SECTIONS)[number]
export type SectionName = Section['name']

/** Those that somebody may see. */
export function sectionsFor(may: (permission: string) => boolean): Section[] {
  return SECTIONS.filter((section) => section.permission === undefined || section.permission.some(may))
}
