import { Counter, Gauge, type Registry } from 'prom-client'

/** What the process that makes backups tells of them. */
export type BackupMeasures = {
  /** When the newest whole one in the folder was begun; null where there is none. */
  found: (newest: Date | null) => void
  /** A try has failed. */
  failed: () => void
}

/** Only where backups are made: a figure that is missing raises no alarm. */
export function measureBackups(registry: Registry): BackupMeasures {
  const registers = [registry]
  const newest = new Gauge({
    name: 'inventory_manager_backup_newest_timestamp_seconds',
    help: 'When the newest whole backup in BACKUP_DIRECTORY was begun, whichever node made it; 0 where there is none.',
    registers,
  })
  const failures = new Counter({
    name: 'inventory_manager_backup_failures_total',
    help: 'Nightly backups that this node could not make.',
    registers,
  })
  const lastFailure = new Gauge({
    name: 'inventory_manager_backup_last_failure_timestamp_seconds',
    help: 'When this node last could not make a nightly backup; 0 where none failed since its start.',
    registers,
  })
  return {
    found: (moment) => newest.set((moment?.getTime() ?? 0) / 1000),
    failed() {
      failures.inc()
      lastFailure.setToCurrentTime()
    },
  }
}
