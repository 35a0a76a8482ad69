// What the server's clock shows, from what it tells: the Date of answers bounds it on both sides, and
// no event comes from the future.
import { noteServerTime, serverNow } from '@/composables/useClock'

/** An answer to a request that was made at `asked` came just now; both by this machine's clock. */
export function noteAnswer(response: Response, asked: number, now = Date.now()): void {
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  // The header has whole seconds, and was written between the question and its answer.
  const earliest = date
  const latest = date + 1000 + (now - asked)
  const shown = serverNow() - Date.now() + now
  if (shown < earliest || shown > latest) noteServerTime((earliest + Math.min(latest, date + 1000)) / 2, now)
}

/** An event that was made at this time came just now. */
export function noteEvent(ts: string): void {
  const made = Date.parse(ts)
  if (made > serverNow()) noteServerTime(made)
}
