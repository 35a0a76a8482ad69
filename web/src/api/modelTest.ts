// Tries a model as it is written in a form. With the id of a stored one its key is used where none is given.
import { api, data } from './client'
import type { ModelProbe, ModelTrial } from './types'

export function testUnsaved(model: ModelTrial): Promise<ModelProbe> {
  return data(api.POST('/api/models/test', { body: model }))
}
