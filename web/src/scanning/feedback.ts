const soundKey = 'count_sound'

export type Verdict = 'right' | 'wrong'

/** Rising for right, low and twice for wrong: told apart without looking. Hertz, and seconds from now. */
const tones: Record<Verdict, { frequency: number; from: number; to: number }[]> = {
  right: [
    { frequency: 880, from: 0, to: 0.07 },
    { frequency: 1320, from: 0.07, to: 0.16 },
  ],
  wrong: [
    { frequency: 220, from: 0, to: 0.16 },
    { frequency: 220, from: 0.22, to: 0.42 },
  ],
}

const vibrations: Record<Verdict, number[]> = { right: [40], wrong: [120, 60, 120] }

let audio: AudioContext | undefined

export function isSoundOn(): boolean {
  return localStorage.getItem(soundKey) !== 'off'
}

export function setSoundOn(on: boolean): void {
  localStorage.setItem(soundKey, on ? 'on' : 'off')
}

function play(verdict: Verdict): void {
  audio ??= new AudioContext()
  for (const { frequency, from, to } of tones[verdict]) {
    const oscillator = new OscillatorNode(audio, { frequency, type: verdict === 'right' ? 'sine' : 'square' })
    const gain = new GainNode(audio, { gain: verdict === 'right' ? 0.2 : 0.12 })
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(audio.currentTime + from)
    oscillator.stop(audio.currentTime + to)
  }
}

/** Lets the person hear and feel a result without looking up. */
export function signal(verdict: Verdict): void {
  if (!isSoundOn()) return
  play(verdict)
  if ('vibrate' in navigator) navigator.vibrate(vibrations[verdict])
}
