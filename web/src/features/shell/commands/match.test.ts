// What the palette finds, and in which order.
import { expect, test } from 'vitest'
import { found, score } from './match'

const labels = (query: string, items: string[]) => found(query, items.map((label) => ({ label }))).map((item) => item.label)

test('nothing typed shows all as they are', () => {
  expect(labels('', ['b', 'a'])).toEqual(['b', 'a'])
})
test('a beginning is better than the beginning of a word, and that than something within', () => {
  expect(labels('chat', ['Rechatter', 'New chat', 'Chat'])).toEqual(['Chat', 'New chat', 'Rechatter'])
})
test('Chinese is found by any part', () => {
  expect(labels('对话', ['智能体', '新对话', '对话'])).toEqual(['对话', '新对话'])
})
test('letters in their order are enough, if not strewn', () => {
  expect(score('nwct', 'New chat')).toBeGreaterThan(0)
  expect(score('nt', 'n…… far away ………… t')).toBe(0)
})
test('words in any order', () => {
  expect(labels('dark theme', ['Theme: dark', 'Theme: light'])).toEqual(['Theme: dark'])
})
test('further words count less than the name', () => {
  const items = [{ label: 'Appearance', keywords: ['theme'] }, { label: 'Theme' }]
  expect(found('theme', items).map((item) => item.label)).toEqual(['Theme', 'Appearance'])
})
test('what does not answer is not shown', () => {
  expect(labels('zzz', ['Chat'])).toEqual([])
})
