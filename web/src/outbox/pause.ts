/** A pause that can be cut short. */
export type Pause = { for: (milliseconds: number) => Promise<void>; end: () => void }

export function createPause(): Pause {
  let end: () => void = () => undefined
  return {
    for: (milliseconds) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end: () => end(),
  }
}
