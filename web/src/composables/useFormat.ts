// Numbers, durations and times as this language writes them. Pure functions take the locale; the
// composable gives them with the one in use.
import { computed } from 'vue'
import { useI18n } from 'vue-i18n'

/** "14.2k": tokens and other counts that need no last digit. */
export function formatCount(value: number, locale: string): string {
  if (Math.abs(value) < 1000) return new Intl.NumberFormat(locale).format(value)
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value).toLowerCase()
}

/** "0s", "40ms", "0.8s", "12s", "01:07", "1:02:03"; never negative. */
export function formatDuration(ms: number): string {
  const safe = Math.max(0, ms)
  if (safe < 1) return '0s'
  if (safe < 95) return `${Math.round(safe)}ms`
  if (safe < 950) return `${(safe / 1000).toFixed(1)}s`
  const seconds = Math.round(safe / 1000)
  if (seconds < 60) return `${seconds}s`
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`
}

/** Bytes or characters: "0", "512", "8.1 KB". */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A price in the models' own currency, with as many digits as tell something. */
export function formatCost(cost: number, locale: string): string {
  const digits = cost >= 1 ? 2 : 4
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: digits }).format(cost)
}

/** Today the time, else the date; this year without the year. */
export function formatTime(iso: string, locale: string, now = new Date()): string {
  const at = new Date(iso)
  const sameDay = at.toDateString() === now.toDateString()
  const options: Intl.DateTimeFormatOptions = sameDay
    ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    : at.getFullYear() === now.getFullYear()
      ? { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { year: 'numeric', month: 'short', day: 'numeric' }
  return new Intl.DateTimeFormat(locale, options).format(at)
}

/** The whole date with seconds and zone, for titles. */
export function formatExactTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' }).format(new Date(iso))
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "5 minutes ago", "in 2 hours". */
export function formatRelative(iso: string, locale: string, now: number): string {
  const difference = new Date(iso).getTime() - now
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const [unit, ms] of STEPS) {
    if (Math.abs(difference) >= ms) return format.format(Math.round(difference / ms), unit)
  }
  return format.format(0, 'minute')
}

export function useFormat() {
  const { locale } = useI18n()
  const tag = computed(() => (locale.value === 'zh' ? 'zh-CN' : 'en-GB'))
  return {
    count: (value: number) => formatCount(value, tag.value),
    /** All digits, grouped. */
    whole: (value: number) => new Intl.NumberFormat(tag.value).format(value),
    duration: formatDuration,
    size: formatSize,
    cost: (value: number) => formatCost(value, tag.value),
    time: (iso: string) => formatTime(iso, tag.value),
    exactTime: (iso: string) => formatExactTime(iso, tag.value),
    relative: (iso: string, now: number) => formatRelative(iso, tag.value, now),
  }
}
