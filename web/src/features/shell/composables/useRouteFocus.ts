// After going to another page the focus is on that page, so that the next Tab and a screen reader begin
// there. A page that puts the focus somewhere itself, as into a composer, keeps it there.
import { nextTick } from 'vue'
import { useRouter } from 'vue-router'

export function useRouteFocus(page: () => HTMLElement | null | undefined): void {
  useRouter().afterEach(async (to, from, failure) => {
    if (failure || from.matched.length === 0 || to.name === from.name) return
    await nextTick()
    const main = page()
    const focused = document.activeElement
    if (main && !(focused && focused !== document.body && main.contains(focused))) main.focus({ preventScroll: true })
  })
}
