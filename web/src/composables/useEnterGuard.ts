// Whether an Enter is meant, or ends an input method's composition. Every handler of Enter asks here.
// Browsers disagree: some set isComposing, some the key code 229, and Safari ends the composition
// before it tells the key.

export interface EnterGuard {
  onCompositionstart: () => void
  onCompositionend: () => void
  /** Whether this key press is an Enter that a person meant. */
  isEnter: (event: KeyboardEvent) => boolean
}

export function useEnterGuard(): EnterGuard {
  let composing = false
  return {
    onCompositionstart: () => {
      composing = true
    },
    onCompositionend: () => {
      // The key that ended it may still be on its way.
      setTimeout(() => {
        composing = false
      })
    },
    isEnter: (event) => event.key === 'Enter' && !event.isComposing && !composing && event.keyCode !== 229,
  }
}
