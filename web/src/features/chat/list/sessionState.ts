// The one state that a session shows in the list; none while nothing goes on in it.
import type { Session } from '@/api/types'
import { stateOfRun, type State } from '@/components/states'

export function sessionState(session: Session): State | undefined {
  // What waits for a person comes first: it goes on only by their doing.
  if ((session.openPauses ?? 0) > 0) return 'paused'
  return session.live ? stateOfRun(session.live.status) : undefined
}
