// What can be done with a session of the list.
import type { ExportFormat } from '../export/useExport'

export type RowAction =
  | { kind: 'rename'; title: string }
  | { kind: 'pin'; on: boolean }
  | { kind: 'export'; format: ExportFormat }
  | { kind: 'delete' }
