/** Why a backup cannot be made or restored: one sentence with the remedy. */
export class BackupError extends Error {}
