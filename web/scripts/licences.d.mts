// The type of licences.mjs.
import type { Plugin } from 'vite'

export function licences(): Plugin
