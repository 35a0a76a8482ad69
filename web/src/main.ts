// Starts the web interface.
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { applyAppearance } from './composables/useAppearance'
import { installEntrance } from './features/shell/entrance'
import { installPageFailure } from './features/shell/pageFailure'
import { i18n, preferredLocale, useLocale } from './i18n'
import { router } from './router'
import './styles/tokens.css'
import './styles/element.css'
import './styles/base.css'

async function start(): Promise<void> {
  applyAppearance()
  await useLocale(preferredLocale())
  const app = createApp(App).use(createPinia()).use(i18n)
  installEntrance(router)
  installPageFailure(router)
  app.use(router).mount('#app')
}

void start()
