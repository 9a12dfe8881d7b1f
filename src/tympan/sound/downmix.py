"""Several channels to one, so that nothing said on any of them is lost.

A plain mean cancels channels of opposite phase and makes one speaker among six channels 15.6 dB quieter. Here
channels are first aligned in polarity, then added, and the sum is brought to the level of the loudest channel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tympan.sound.waveform import Samples

Weights = NDArray[np.float64]  # [channels]

HOP_SAMPLES = 2_048  # 128 ms: shorter than a turn between speakers, long enough to hold a pitch period many times
FADE_SAMPLES = 128  # 8 ms: a change of weights makes no click
MEMORY = 0.25  # share of the past in the running energies, per hop: a change shows in the first hop that is all new
FLIP_CORRELATION = 0.6  # below minus this a channel is flipped, above plus this flipped back, between: left alone
LOSS = 0.1  # power (-10 dB): a sum this far below the loudest channel has cancelled; that channel speaks alone


class DownMixer:
    """The mix of one stream, block after block. Pure but for the state that it carries."""

    def __init__(self, channels: int) -> None:
        self._channels = channels
        self._energies = np.zeros((channels, channels))  # running products of each channel with each
        self._signs = np.ones(channels)
        self._weights: Weights | None = None

    def mix(self, block: Samples) -> Samples:
        """Mix float32 [channels, n] within ±1 to float32 [n] within ±1. One channel comes back as it is."""
        if self._channels == 1:
            alone: Samples = block[0]
            return alone
        length = block.shape[1]
        hops = -(-length // HOP_SAMPLES)
        padded = np.zeros((self._channels, hops * HOP_SAMPLES), np.float32)
        padded[:, :length] = block
        framed = padded.reshape(self._channels, hops, HOP_SAMPLES).transpose(1, 0, 2)  # [hops, channels, samples]
        products = framed @ framed.transpose(0, 2, 1)
        weights = np.stack([self._next_weights(framed[hop], products[hop]) for hop in range(hops)])
        before = np.concatenate([weights[:1] if self._weights is None else self._weights[None], weights[:-1]])
        self._weights = weights[-1]
        mixed = (weights[:, None].astype(np.float32) @ framed)[:, 0]
        old = (before[:, None].astype(np.float32) @ framed[:, :, :FADE_SAMPLES])[:, 0]
        fade = np.linspace(1, 0, FADE_SAMPLES, endpoint=False, dtype=np.float32)
        mixed[:, :FADE_SAMPLES] += fade * (old - mixed[:, :FADE_SAMPLES])
        return np.clip(mixed.reshape(-1)[:length], -1, 1)

    def _next_weights(self, hop: Samples, products: Samples) -> Weights:
        energies = self._energies = MEMORY * self._energies + products
        power = np.diag(energies)
        loudest = int(np.argmax(power))
        if power[loudest] == 0:
            return self._signs / self._channels
        self._align(energies, power, loudest)
        summed = float(self._signs @ energies @ self._signs)
        if summed < LOSS * power[loudest]:
            alone = np.zeros(self._channels)
            alone[loudest] = self._signs[loudest]
            return alone
        # Between the mean (all channels say the same) and the plain sum (one of them speaks), and never past ±1.
        peak = float(np.abs(self._signs @ hop).max())
        gain = min(float(np.sqrt(power[loudest] / summed)), 1 / peak if peak > 1 else 1.0)
        return self._signs * max(gain, 1 / self._channels)

    def _align(self, energies: NDArray[np.float64], power: NDArray[np.float64], loudest: int) -> None:
        scale = np.sqrt(power * power[loudest])
        scale[scale == 0] = np.inf  # a silent channel correlates with nothing and keeps its sign
        correlation = energies[loudest] / scale
        decided = np.abs(correlation) > FLIP_CORRELATION
        self._signs[decided] = self._signs[loudest] * np.sign(correlation[decided])
