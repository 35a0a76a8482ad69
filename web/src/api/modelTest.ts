// Tries a model that is not stored.
import { api, data } from './client'
import type { ModelInput, ModelProbe } from './types'

export function testUnsaved(model: ModelInput): Promise<ModelProbe> {
  const post = api.POST as unknown as (path: string, init: { body: ModelInput }) => Promise<{ data?: ModelProbe; error?: unknown; response: Response }>
  return data(post('/api/models/test', { body: model }))
}
