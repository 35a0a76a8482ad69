// Languages. Texts are in zh/ and en/, one file a subject; only the language in use is loaded.
import type { Language } from 'element-plus/es/locale/index'
import { shallowRef } from 'vue'
import { createI18n } from 'vue-i18n'

export const LOCALES = ['zh', 'en'] as const
export type Locale = (typeof LOCALES)[number]

const STORED = 'neta.locale'

type Messages = Record<string, unknown>
const files = {
  zh: () => import('./zh'),
  en: () => import('./en'),
} satisfies Record<Locale, () => Promise<{ default: Messages; element: Language }>>

/** Texts that only some pages need: loaded with them, and from then on with each language. */
export type LateTexts = 'agents' | 'settings'
const lateFiles = import.meta.glob<{ default: Messages }>(['./*/agents.json', './*/settings.json'])
const late = new Set<LateTexts>()

/** Element Plus's own words. */
export const elementLocale = shallowRef<Language>()

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: false,
  missingWarn: import.meta.env.DEV,
  fallbackWarn: false,
  messages: {},
})

function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale)
}

/** The stored choice, else the browser's first language that we have, else English. */
export function preferredLocale(stored = localStorage.getItem(STORED), languages = navigator.languages): Locale {
  if (isLocale(stored)) return stored
  return languages.map((tag) => tag.split('-')[0]).find(isLocale) ?? 'en'
}

export function currentLocale(): Locale {
  return i18n.global.locale.value as Locale
}

async function addLate(locale: Locale, name: LateTexts): Promise<void> {
  const file = await lateFiles[`./${locale}/${name}.json`]?.()
  if (file) i18n.global.mergeLocaleMessage(locale, { [name]: file.default })
}

/** Has these texts at hand, also after the language changed. */
export async function loadTexts(name: LateTexts): Promise<void> {
  if (late.has(name)) return
  await addLate(currentLocale(), name)
  late.add(name)
}

/** Loads and shows a language; remembers it when a person chose it. */
export async function useLocale(locale: Locale, remember = false): Promise<void> {
  const loaded = await files[locale]()
  i18n.global.setLocaleMessage(locale, loaded.default as never)
  await Promise.all([...late].map((name) => addLate(locale, name)))
  elementLocale.value = loaded.element
  i18n.global.locale.value = locale as never
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en'
  if (remember) localStorage.setItem(STORED, locale)
}
