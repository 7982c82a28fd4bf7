const soundKey = 'count_sound'
const speechKey = 'count_speech'

export type Signal = 'right' | 'wrong' | 'piece'

/** Rising for right, low and twice for wrong, a tick for a piece: told apart without looking. Hertz, and seconds from now. */
const tones: Record<Signal, { frequency: number; from: number; to: number }[]> = {
  right: [
    { frequency: 880, from: 0, to: 0.07 },
    { frequency: 1320, from: 0.07, to: 0.16 },
  ],
  wrong: [
    { frequency: 220, from: 0, to: 0.16 },
    { frequency: 220, from: 0.22, to: 0.42 },
  ],
  piece: [{ frequency: 1760, from: 0, to: 0.03 }],
}

const vibrations: Record<Signal, number[]> = { right: [40], wrong: [120, 60, 120], piece: [15] }

let audio: AudioContext | undefined
let rest: ReturnType<typeof setTimeout> | undefined

/** A device that plays nothing takes from the battery all the same, and is ready again within a tone's length. */
const silenceMs = 30_000

export function isSoundOn(): boolean {
  return localStorage.getItem(soundKey) !== 'off'
}

export function setSoundOn(on: boolean): void {
  localStorage.setItem(soundKey, on ? 'on' : 'off')
}

/** Whether results are spoken: for hands that are full and eyes that are on the shelf. Off by default. */
export function isSpeechOn(): boolean {
  return localStorage.getItem(speechKey) === 'on'
}

export function setSpeechOn(on: boolean): void {
  localStorage.setItem(speechKey, on ? 'on' : 'off')
  if (!on && 'speechSynthesis' in window) window.speechSynthesis.cancel()
}

function wakeAudio(): AudioContext {
  const awake = (audio ??= new AudioContext())
  // Browsers stop it before the first touch, and some after a call or while the screen was locked.
  awake.resume().catch(reportError)
  clearTimeout(rest)
  rest = setTimeout(() => {
    awake.suspend().catch(reportError)
  }, silenceMs)
  return awake
}

/**
 * Makes ready what plays sounds, and the first tone: that takes longer than a result, the first of which would wait for it.
 * Before any touch browsers would warn.
 */
export function prepareSound(): void {
  if (isSoundOn() && navigator.userActivation.hasBeenActive) wakeAudio().createOscillator()
}

function play(signal: Signal): void {
  const audio = wakeAudio()
  for (const { frequency, from, to } of tones[signal]) {
    const oscillator = new OscillatorNode(audio, { frequency, type: signal === 'wrong' ? 'square' : 'sine' })
    const gain = new GainNode(audio, { gain: signal === 'wrong' ? 0.12 : 0.2 })
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(audio.currentTime + from)
    oscillator.stop(audio.currentTime + to)
  }
}

/** Lets the person hear and feel a result without looking up. */
export function signal(what: Signal): void {
  if (!isSoundOn()) return
  play(what)
  if ('vibrate' in navigator) navigator.vibrate(vibrations[what])
}

/** Says a sentence where the person wants to hear it. A newer one cuts an older one short: only the last matters. */
export function speak(sentence: string): void {
  if (!isSpeechOn() || !('speechSynthesis' in window)) return
  window.speechSynthesis.cancel()
  window.speechSynthesis.speak(new SpeechSynthesisUtterance(sentence))
}
