// How long to wait before trying again.

/** Doubles from `first` up to `most` ms with every attempt (from 0); a random half of it is taken off, so that many do not come at once. */
export function backoff(attempt: number, first = 500, most = 30_000, random = Math.random): number {
  const whole = Math.min(most, first * 2 ** Math.min(attempt, 20))
  return Math.round(whole / 2 + (whole / 2) * random())
}
