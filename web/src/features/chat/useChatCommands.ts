// What the palette and the title of the window know of the chat at hand.
import { Delete, Document, Download, Star, StarFilled } from '@element-plus/icons-vue'
import type { Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Session } from '@/api/types'
import { usePageTitle } from '@/features/shell/composables/usePageTitle'
import { useCommands } from '@/features/shell/commands/useCommands'
import type { RowAction } from './list/rowAction'

export function useChatCommands(session: Ref<Session | undefined>, act: (session: Session, action: RowAction) => unknown): void {
  const { t } = useI18n()
  usePageTitle(() => session.value?.title)
  useCommands(() => {
    const at = session.value
    if (!at) return []
    const hint = at.title || t('chat.untitled')
    const pin = at.pinned ? t('actions.unpin') : t('actions.pin')
    return [
      { id: 'chat-pin', label: pin, hint, icon: at.pinned ? StarFilled : Star, run: () => act(at, { kind: 'pin', on: !at.pinned }) },
      { id: 'chat-markdown', label: t('chat.export.markdown'), hint, icon: Document, run: () => act(at, { kind: 'export', format: 'markdown' }) },
      { id: 'chat-json', label: t('chat.export.json'), hint, icon: Download, run: () => act(at, { kind: 'export', format: 'json' }) },
      { id: 'chat-delete', label: t('chat.delete.title'), hint, icon: Delete, run: () => act(at, { kind: 'delete' }) },
    ]
  })
}
