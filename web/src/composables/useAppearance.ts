// Theme and density: the person's choice, kept in this browser.
import { usePreferredDark, useStorage } from '@vueuse/core'
import { computed, watchEffect } from 'vue'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

const theme = useStorage<Theme>('neta.theme', 'system')
const density = useStorage<Density>('neta.density', 'comfortable')

export function useAppearance() {
  const prefersDark = usePreferredDark()
  const isDark = computed(() => theme.value === 'dark' || (theme.value === 'system' && prefersDark.value))
  return { theme, density, isDark }
}

/** Keeps the document as chosen; called once, by the application. */
export function applyAppearance(): void {
  const { isDark } = useAppearance()
  watchEffect(() => {
    const root = document.documentElement
    root.dataset['theme'] = isDark.value ? 'dark' : 'light'
    root.dataset['density'] = density.value
  })
  document.addEventListener('visibilitychange', () => document.documentElement.toggleAttribute('data-hidden', document.hidden))
}
