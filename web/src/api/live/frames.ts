// Collects what comes and hands it on once per animation frame, however much it is, so that typing
// stays quick while many streams come in.

/** In a hidden page there are no frames. */
const HIDDEN_MS = 100

export class PerFrame<T> {
  private waiting: T[] = []
  private cancel: (() => void) | undefined

  constructor(private readonly flush: (items: T[]) => void) {}

  add(item: T): void {
    this.waiting.push(item)
    this.cancel ??= this.schedule()
  }

  /** Hands on what is there, now. */
  now(): void {
    this.cancel?.()
    this.cancel = undefined
    const items = this.waiting
    this.waiting = []
    if (items.length > 0) this.flush(items)
  }

  private schedule(): () => void {
    const timer = setTimeout(() => this.now(), HIDDEN_MS)
    const frame = document.hidden ? undefined : requestAnimationFrame(() => this.now())
    return () => {
      clearTimeout(timer)
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }
}
