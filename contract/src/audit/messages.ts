/** Sentences of the audit screen (specification 8). */
export const auditMessages = {
  notAuthenticated: 'Not authenticated. Please log in again.',
  failed: (message: string) => `Failed to load audit data: ${message}`,
} as const
