// What the agent on the form would be told and given: asked of the server shortly after each change.
import { ref, shallowRef, watch } from 'vue'
import type { AgentPreview, PreviewRequest, Scene } from '@/api/types'
import { useAgents } from '@/stores/agents'
import { pick, type Draft } from './draft'
import { errorsOf } from './problems'

const SOON_MS = 350
const FIELDS = [
  'systemPrompt',
  'tools',
  'maxToolRounds',
  'maxWallSeconds',
  'subagentConfig.enabled',
  'subagentConfig.maxConcurrent',
  'subagentConfig.allowedPresetAgentIds',
  'subagentConfig.allowedToolNames',
] as const

export function requestOf(draft: Draft, id: number | undefined, scene: Scene | undefined): PreviewRequest {
  return {
    id,
    scene,
    systemPrompt: draft.systemPrompt,
    tools: draft.tools,
    maxToolRounds: draft.maxToolRounds,
    maxWallSeconds: draft.maxWallSeconds,
    subagentConfig: {
      enabled: draft['subagentConfig.enabled'],
      maxConcurrent: draft['subagentConfig.maxConcurrent'],
      allowedPresetAgentIds: draft['subagentConfig.allowedPresetAgentIds'],
      allowedToolNames: draft['subagentConfig.allowedToolNames'],
    },
  }
}

export function usePreview(draft: () => Draft, id: () => number | undefined) {
  const agents = useAgents()
  /** Not chosen: the one in which people talk to it. */
  const scene = ref<Scene>()
  const preview = shallowRef<AgentPreview>()
  const error = shallowRef<unknown>()
  const loading = ref(false)
  const again = ref(0)

  watch(
    [() => JSON.stringify(pick(draft(), FIELDS)), id, scene, again],
    async (_now, before, onCleanup) => {
      const errors = errorsOf(draft())
      if (FIELDS.some((field) => errors[field])) return
      const abort = new AbortController()
      const timer = before[0] === undefined ? undefined : SOON_MS
      let wake: () => void = () => undefined
      const handle = setTimeout(() => wake(), timer)
      onCleanup(() => {
        clearTimeout(handle)
        abort.abort()
      })
      await new Promise<void>((resolve) => (wake = resolve))
      loading.value = true
      try {
        preview.value = await agents.preview(requestOf(draft(), id(), scene.value), abort.signal)
        error.value = undefined
      } catch (cause) {
        if (!abort.signal.aborted) error.value = cause
      } finally {
        if (!abort.signal.aborted) loading.value = false
      }
    },
    { immediate: true },
  )
  return { scene, preview, error, loading, retry: () => (again.value += 1) }
}
