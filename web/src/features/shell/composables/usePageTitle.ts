// The browser's title: how much waits, what is shown, Neta. A page whose name is not the one of its route,
// as a conversation, says it with `usePageTitle`.
import { onBeforeUnmount, shallowRef, toValue, watchEffect, type MaybeRefOrGetter, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute } from 'vue-router'

const told = shallowRef<MaybeRefOrGetter<string | undefined>>()

export function usePageTitle(title: MaybeRefOrGetter<string | undefined>): void {
  told.value = title
  onBeforeUnmount(() => {
    if (told.value === title) told.value = undefined
  })
}

export function titleOf(page: string | undefined, waiting: number): string {
  const name = page ? `${page} · Neta` : 'Neta'
  return waiting > 0 ? `(${waiting}) ${name}` : name
}

/** Keeps the title; called once, by the shell. */
export function useDocumentTitle(waiting: Ref<number>): void {
  const { t } = useI18n()
  const route = useRoute()
  watchEffect(() => {
    const page = toValue(told.value) || (route.meta.title ? t(route.meta.title) : undefined)
    document.title = titleOf(page, waiting.value)
  })
}
