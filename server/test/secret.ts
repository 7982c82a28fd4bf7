/** What the servers of the tests sign with, and make the password of their database role from. */
export const testSecret = 'a secret only the tests know, long enough'
