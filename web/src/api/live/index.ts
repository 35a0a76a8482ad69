// This tab's live channel.
import { LiveChannel } from './channel'

export type { ConnectionState, Place } from './channel'
export type { Envelope } from './envelope'

let channel: LiveChannel | undefined

export function useLiveChannel(): LiveChannel {
  channel ??= new LiveChannel()
  return channel
}
