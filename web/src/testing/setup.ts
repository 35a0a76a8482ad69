// What every unit test starts from: the English texts.
import { beforeEach } from 'vitest'
import { config } from '@vue/test-utils'
import { i18n, loadTexts, useLocale } from '@/i18n'

config.global.plugins.push(i18n)
beforeEach(async () => {
  await useLocale('en')
  await loadTexts('agents')
  await loadTexts('settings')
})
