// What vite.config.ts makes of the packages that are shipped.
declare module 'virtual:licences' {
  export const licences: { name: string; version: string; licence: string; text?: string }[]
}
