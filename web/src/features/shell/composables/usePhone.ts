// Whether the page is as narrow as a phone's, where the rail becomes a bar at the foot.
import { useMediaQuery } from '@vueuse/core'

export function usePhone() {
  return useMediaQuery('(max-width: 719px)')
}
