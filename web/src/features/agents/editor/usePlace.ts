// Where one is in the editor, as the address says: the tab, and what stands beside the form.
import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { Field } from './draft'
import type { FieldErrors } from './problems'
import { isTab, tabOf, type Tab } from './tabs'

export type Pane = 'form' | 'beside'

export function usePlace(sharing: () => boolean) {
  const route = useRoute()
  const router = useRouter()
  const put = (change: Record<string, string | undefined>) => void router.replace({ query: { ...route.query, ...change } })

  const tab = computed<Tab>({
    get: () => {
      const said = route.query['tab']
      return isTab(said) && (said !== 'sharing' || sharing()) ? said : 'basic'
    },
    set: (value) => put({ tab: value === 'basic' ? undefined : value }),
  })
  const side = computed<'preview' | 'try'>({
    get: () => (route.query['side'] === 'try' ? 'try' : 'preview'),
    set: (value) => put({ side: value === 'preview' ? undefined : value }),
  })
  /** On a narrow page only one of the two is shown. */
  const pane = computed<Pane>({
    get: () => (route.query['pane'] === 'beside' ? 'beside' : 'form'),
    set: (value) => put({ pane: value === 'form' ? undefined : value }),
  })
  function toFirstError(errors: FieldErrors): void {
    const [first] = Object.keys(errors) as Field[]
    if (!first) return
    put({ tab: tabOf(first) === 'basic' ? undefined : tabOf(first), pane: undefined })
  }
  return { tab, side, pane, toFirstError }
}
