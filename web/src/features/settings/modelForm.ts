// A model as its form holds it, and what of it is sent.
import type { Model, ModelInput, Provider } from '@/api/types'
import type { ModelPatch } from '@/stores/models'

export const PROVIDERS = ['openai', 'anthropic', 'demo'] as const satisfies readonly Provider[]
export const LIMITS = ['contextWindow', 'maxOutputTokens', 'maxConcurrency', 'rpm', 'tpm', 'inputPrice', 'outputPrice'] as const
export type Limit = (typeof LIMITS)[number]

/** Addresses that people use; others are typed. */
export const ADDRESSES: Record<Provider, string[]> = {
  openai: ['https://api.openai.com/v1', 'https://api.deepseek.com/v1', 'https://dashscope.aliyuncs.com/compatible-mode/v1', 'http://127.0.0.1:11434/v1'],
  anthropic: ['https://api.anthropic.com'],
  demo: [],
}

export type ModelForm = Pick<ModelInput, 'name' | 'provider' | 'modelName'> & { baseUrl: string; apiKey: string; limits: Partial<Record<Limit, number>> }

export function formOf(model?: Model): ModelForm {
  const limits: ModelForm['limits'] = {}
  for (const name of LIMITS) limits[name] = model?.[name] ?? undefined
  return {
    name: model?.name ?? '',
    provider: model?.provider ?? 'openai',
    modelName: model?.modelName ?? '',
    baseUrl: model?.baseUrl ?? '',
    apiKey: '',
    limits,
  }
}

/** The whole of it: a model that is not stored yet. */
export function inputOf(form: ModelForm): ModelInput {
  const demo = form.provider === 'demo'
  const modelName = form.modelName.trim() || (demo ? 'demo' : '')
  return {
    name: form.name.trim() || modelName,
    provider: form.provider,
    modelName,
    baseUrl: demo ? null : form.baseUrl.trim() || null,
    apiKey: demo ? null : form.apiKey.trim() || null,
    ...Object.fromEntries(LIMITS.map((name) => [name, form.limits[name] ?? null])),
  }
}

/** Only what differs from the stored one; the key, which is never shown, only if one was typed. */
export function patchOf(model: Model, form: ModelForm): ModelPatch {
  const { apiKey, ...rest } = inputOf(form)
  const stored = model as unknown as Record<string, unknown>
  const changed = Object.entries(rest).filter(([name, value]) => (stored[name] ?? null) !== (value ?? null))
  return { ...Object.fromEntries(changed), ...(apiKey ? { apiKey } : {}) }
}
