import { expect, test } from 'vitest'
import { nextTick, ref } from 'vue'
import type { Turn } from '@/stores/turn'
import { RECENT, useThreadWindow } from './useThreadWindow'

const turn = (n: number): Turn => ({
  messageId: n * 2, sessionId: 's', user: { id: n * 2 - 1, content: '', createTime: '2026-12-01T10:00:00' }, status: 'completed',
  content: '', thinking: '', todos: [], tools: [], subagents: [], pauses: [], createTime: '2026-12-01T10:00:00', ended: true,
})
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => turn(from + n))

/** A session of `total` turns, of which the last `loaded` are there at first. */
function session(total: number, loaded: number) {
  const turns = ref(range(total - loaded + 1, total))
  const hasEarlier = ref(total > loaded)
  const following = ref(true)
  const loadEarlier = async () => {
    const first = turns.value[0]!.messageId / 2
    turns.value = [...range(Math.max(1, first - 30), first - 1), ...turns.value]
    hasEarlier.value = turns.value[0]!.messageId > 2
  }
  const view = useThreadWindow(turns, hasEarlier, loadEarlier, following)
  const shown = (rows: typeof view.recent) => rows.value.map((row) => row.turn.messageId / 2)
  return { turns, following, view, older: () => shown(view.older), recent: () => shown(view.recent) }
}

test('the last thirty are mounted', () => {
  const { recent, older, view } = session(400, 100)
  expect([recent().length, recent()[0], recent().at(-1)]).toEqual([RECENT, 371, 400])
  expect(older()).toEqual([])
  expect(view.hasMore.value).toBe(true)
})

test('earlier ones come on demand, to the very first', async () => {
  const { view, older, recent } = session(100, 30)
  await view.earlier()
  expect([older()[0], older().at(-1), recent()[0]]).toEqual([41, 70, 71])
  await view.earlier()
  await view.earlier()
  expect(older()[0]).toBe(1)
  expect(view.hasMore.value).toBe(false)
})

test('new turns are added; the oldest are let go only while the end is followed', async () => {
  const { turns, following, recent } = session(30, 30)
  following.value = false
  turns.value = range(1, 70)
  await nextTick()
  expect(recent()[0]).toBe(1)
  following.value = true
  turns.value = range(1, 71)
  await nextTick()
  expect(recent()[0]).toBe(42)
})

test('a message is reached, also where it is not loaded; one that is not there is not looked for without end', async () => {
  const { view, older } = session(200, 30)
  expect((await view.reach(21))?.messageId).toBe(22)
  expect(older()).toContain(11)
  expect(await view.reach(9999)).toBeUndefined()
})

test('each row is drawn once', async () => {
  const { view } = session(100, 30)
  await view.earlier()
  const keys = [...view.older.value, ...view.recent.value].map((row) => row.turn.messageId)
  expect(new Set(keys).size).toBe(keys.length)
})
