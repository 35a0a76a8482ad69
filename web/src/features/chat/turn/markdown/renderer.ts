// What renders Markdown, from when it is loaded.
import { shallowRef, type Component } from 'vue'

export const renderer = shallowRef<Component>()

const WAIT_MS = 2_000

async function load(): Promise<void> {
  try {
    renderer.value = (await import('./StreamMarkdown.vue')).default
  } catch {
    // The text can be read as it is meanwhile.
    setTimeout(() => void load(), WAIT_MS)
  }
}
void load()
