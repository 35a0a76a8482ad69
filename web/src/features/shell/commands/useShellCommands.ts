// What the palette can do on every page, told by the palette itself: go somewhere, begin a conversation, change how it all looks.
import { Brush, EditPen, Key, Moon, Setting, Sunny, SwitchButton, Monitor, Switch } from '@element-plus/icons-vue'
import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { THEMES, useAppearance, type Theme } from '@/composables/useAppearance'
import { useLocale, type Locale } from '@/i18n'
import { sectionsFor } from '@/features/settings/sectionList'
import { useMe } from '@/stores/me'
import { INBOX, PLACES } from '../places'
import { capsOf } from '../shortcuts/keys'
import { useCommands, type Command } from './useCommands'

const THEME_ICONS = { system: Monitor, light: Sunny, dark: Moon } satisfies Record<Theme, unknown>

export function useShellCommands(actions: { help: () => void; signOut: () => unknown }): void {
  const { t, locale } = useI18n()
  const router = useRouter()
  const me = useMe()
  const { density, theme } = useAppearance()

  const places = () =>
    [...PLACES, INBOX]
      .filter((place) => me.may(place.permission))
      .map<Command>((place) => ({
        id: `go-${place.name}`,
        label: t(`shell.places.${place.name}`),
        icon: place.icon,
        run: () => router.push(place.path),
      }))
  const settings = () =>
    sectionsFor(me.may).map<Command>((section) => ({
      id: `settings-${section.name}`,
      label: t('shell.commands.settings', { section: t(`settings.sections.${section.name}`) }),
      icon: Setting,
      run: () => router.push(`/settings/${section.name}`),
    }))
  const themes = () =>
    THEMES.filter((value) => value !== theme.value).map<Command>((value) => ({
      id: `theme-${value}`,
      label: t('shell.commands.theme', { theme: t(`shell.themes.${value}`) }),
      icon: THEME_ICONS[value],
      run: () => (theme.value = value),
    }))

  useCommands(() => {
    const other: Locale = locale.value === 'zh' ? 'en' : 'zh'
    const start: Command[] = me.may('session:chat')
      ? [
          {
            id: 'new-chat',
            label: t('shell.commands.newChat'),
            icon: EditPen,
            hint: capsOf('mod+shift+o').join(' '),
            run: () => router.push('/chat'),
          },
        ]
      : []
    return [
      ...start,
      ...places(),
      ...themes(),
      {
        id: 'density',
        label: t(density.value === 'compact' ? 'shell.commands.comfortable' : 'shell.commands.compact'),
        icon: Brush,
        run: () => (density.value = density.value === 'compact' ? 'comfortable' : 'compact'),
      },
      {
        id: 'language',
        // In the words of the language that it leads to.
        label: other === 'zh' ? '切换为中文' : 'Switch to English',
        keywords: ['language', '语言', 'english', 'chinese'],
        icon: Switch,
        run: () => useLocale(other, true),
      },
      { id: 'shortcuts', label: t('shell.shortcuts.title'), icon: Key, hint: '?', run: actions.help },
      ...settings(),
      { id: 'sign-out', label: t('shell.signOut'), icon: SwitchButton, run: actions.signOut },
    ]
  })
}
