// The type of icons.mjs.
import type { Plugin } from 'vite'

export function icons(): Plugin
