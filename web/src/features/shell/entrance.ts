// Puts the guard before every page, and hears when the login ends in between.
import type { Router } from 'vue-router'
import { onSignedOut } from '@/api/client'
import { loadTexts } from '@/i18n'
import { useMe } from '@/stores/me'
import { decide } from './guard'

export function installEntrance(router: Router): void {
  onSignedOut(() => useMe().noteSignedOut())
  router.beforeEach(async (to) => {
    const me = useMe()
    const standing = me.standing === 'unknown' ? await me.findOut() : me.standing
    return decide({ name: to.name, fullPath: to.fullPath, open: to.meta.open === true, next: to.query['next'] }, standing)
  })
  router.beforeResolve(async (to) => {
    if (to.meta.texts) await loadTexts(to.meta.texts)
  })
}
