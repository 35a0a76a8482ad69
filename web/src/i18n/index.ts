// Languages. Texts are in zh/ and en/, one file a subject; only the language in use is loaded.
import { createI18n } from 'vue-i18n'

export const LOCALES = ['zh', 'en'] as const
export type Locale = (typeof LOCALES)[number]

const STORED = 'neta.locale'

type Messages = Record<string, unknown>
const files = {
  zh: () => import('./zh'),
  en: () => import('./en'),
} satisfies Record<Locale, () => Promise<{ default: Messages }>>

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

/** Loads and shows a language; remembers it when a person chose it. */
export async function useLocale(locale: Locale, remember = false): Promise<void> {
  const loaded = await files[locale]()
  i18n.global.setLocaleMessage(locale, loaded.default as never)
  i18n.global.locale.value = locale as never
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en'
  if (remember) localStorage.setItem(STORED, locale)
}
