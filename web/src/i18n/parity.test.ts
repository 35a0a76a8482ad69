// Both languages say the same things with the same placeholders.
import { expect, test } from 'vitest'

const all = (files: Record<string, { default: unknown }>) => Object.fromEntries(Object.entries(files).map(([path, file]) => [path.split('/').pop(), file.default]))
const en = all(import.meta.glob('./en/*.json', { eager: true }))
const zh = all(import.meta.glob('./zh/*.json', { eager: true }))

function texts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, inner]) => texts(inner, path ? `${path}.${key}` : key))
}
const placeholders = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort()

test('the keys are equal', () => {
  const keys = (messages: unknown) => texts(messages).map(([key]) => key).sort()
  expect(keys(zh)).toEqual(keys(en))
})

test('no text is blank, and placeholders are equal', () => {
  const english = new Map(texts(en))
  for (const [key, text] of texts(zh)) {
    expect(text.trim(), key).not.toBe('')
    expect(english.get(key)?.trim(), key).not.toBe('')
    expect(placeholders(text), key).toEqual(placeholders(english.get(key) ?? ''))
  }
})

test('nothing Chinese is left in English', () => {
  for (const [key, text] of texts(en)) expect(text, key).not.toMatch(/[\u4e00-\u9fff]/)
})
