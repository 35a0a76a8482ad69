// Presses that follow each other at once are one: a double click asks for nothing twice.

/** Two presses on the same thing within this are one. */
export const PRESS_MS = 1_000

/** Says of each press whether it is another one than that before, on the thing of this id. */
export function pressOnce(now: () => number = () => performance.now()): (id: number) => boolean {
  const last = new Map<number, number>()
  return (id) => {
    const at = now()
    const before = last.get(id)
    last.set(id, at)
    return before === undefined || at - before >= PRESS_MS
  }
}
