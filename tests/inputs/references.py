"""The published algorithms restated plainly and slowly, frame by frame: what the fast code must equal."""

import math

import numpy as np
from scipy.signal import resample_poly


def spec_mel(hertz):
    return 1127.0 * math.log(1.0 + hertz / 700.0)


def phi_bank():
    """SpeechLib's filterbank: float32 [257, 80]."""
    low, high, count = spec_mel(0.0), spec_mel(7690.0), 80
    centres = np.linspace(low, high, count + 2)
    step = (high - low) / (count + 1)
    bank = np.zeros((257, count), np.float32)
    for bin_ in range(1, 246):
        at = spec_mel(bin_ * 16000 / 512)
        for mel in range(count):
            if centres[mel] < at < centres[mel + 2]:
                bank[bin_, mel] = 1 - abs(centres[mel + 1] - at) / step
    return bank


PHI_BANK = np.asfortranarray(phi_bank())


def phi_resample(wav, rate):
    """Return what the published processor makes of a source: samples and the rate it takes them as."""
    if rate > 16000:
        factor = rate // 16000
        return (resample_poly(wav.astype(np.float64), 1, factor) if factor > 1 else wav), 16000
    if 8000 < rate < 16000:
        return wav, 8000
    return wav, rate


def phi_features(wav, rate):
    """Return the published log-mel features: float32 [frames, 80]."""
    wav, rate = phi_resample(wav, rate)
    length, hop, points = (400, 160, 512) if rate == 16000 else (200, 80, 256)
    window = np.hamming(length)
    rows = []
    for start in range(0, len(wav) - length + 1, hop):
        frame = wav[start : start + length].astype(np.float32)
        before = np.concatenate([frame[:1], frame[:-1]])
        emphasized = (frame - np.float32(0.97) * before) * np.float32(32768)
        spectrum = np.fft.rfft(emphasized * window, points).astype(np.complex64)
        if rate == 8000:
            spectrum = np.concatenate([spectrum[:-1], np.zeros(129, np.complex64)])
        rows.append(np.abs(spectrum.astype(np.complex128)).astype(np.float32) ** 2)
    mel = np.array(rows, np.float32) @ PHI_BANK
    return np.log(np.maximum(mel, np.float32(1.0)))


def gemma_bank():
    """The HTK filterbank: float64 [513, 128], triangles in Hz."""

    def mel(hertz):
        return 2595.0 * math.log10(1.0 + hertz / 700.0)

    edges = [700.0 * (10.0 ** (m / 2595.0) - 1.0) for m in np.linspace(mel(125.0), mel(7600.0), 130)]
    bank = np.zeros((513, 128))
    for bin_ in range(513):
        hertz = bin_ * 15.625
        for m in range(128):
            rising = (hertz - edges[m]) / (edges[m + 1] - edges[m])
            falling = (edges[m + 2] - hertz) / (edges[m + 2] - edges[m + 1])
            bank[bin_, m] = max(0.0, min(rising, falling))
    return bank


GEMMA_BANK = gemma_bank()


def gemma_features(wavs, side):
    """Return features float32 [clips, frames, 128] and mask bool [clips, frames] of a padded batch."""
    longest = -(-max(map(len, wavs)) // 128) * 128
    window = 0.5 * (1 - np.cos(2 * np.pi * np.arange(512, dtype=np.float32) / 512))
    assert window.dtype == np.float32
    all_rows, masks = [], []
    for wav in wavs:
        fill = (longest - len(wav), 0) if side == "left" else (0, longest - len(wav))
        padded, real = np.pad(wav, fill), np.pad(np.ones(len(wav), bool), fill)
        rows, mask = [], []
        for start in range(0, longest - 513 + 1, 160):
            frame = padded[start : start + 513]
            first = frame[:1] * np.float32(1.0 - 0.97)
            rest = frame[1:512] - np.float32(0.97) * frame[:511]
            windowed = np.concatenate([first, rest]) * window
            spectrum = np.fft.rfft(windowed.astype(np.float64), 1024).astype(np.complex64)
            rows.append(np.log(np.maximum(np.abs(spectrum) @ GEMMA_BANK, 1e-5)).astype(np.float32))
            mask.append(real[start])
        all_rows.append(np.array(rows, np.float32).reshape(-1, 128))
        masks.append(mask)
    return np.array(all_rows), np.array(masks, bool)


def linear(samples, rate):
    """Interpolate one output after the other, in float32."""
    count = math.ceil(len(samples) * 16000 / rate)
    out = []
    for k in range(count):
        left, rest = divmod(k * rate, 16000)
        a = samples[min(left, len(samples) - 1)]
        b = samples[min(left + 1, len(samples) - 1)]
        out.append(a + (b - a) * (np.float32(rest) / np.float32(16000)))
    return np.array(out, np.float32)
