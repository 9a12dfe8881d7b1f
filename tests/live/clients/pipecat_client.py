"""pipecat's own services against a service: speaks, then transcribes a file. Prints JSON.

Runs in an environment of its own: `pipecat_client.py URL WAV`.
"""

import asyncio
import json
import sys
from pathlib import Path

from pipecat.frames.frames import ErrorFrame, TTSAudioRawFrame
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService

RATE = 24_000


async def main(url, audio):
    settings = OpenAITTSService.Settings(voice="marin", model="gpt-4o-mini-tts")
    tts = OpenAITTSService(api_key="none", base_url=f"{url}/v1", settings=settings, sample_rate=RATE)
    tts._sample_rate = RATE  # a pipeline would set it when it starts
    frames = [frame async for frame in tts.run_tts("Hello there, this is a test of the speech.", "context")]
    errors = [frame.error for frame in frames if isinstance(frame, ErrorFrame)]
    seconds = sum(len(frame.audio) for frame in frames if isinstance(frame, TTSAudioRawFrame)) / 2 / RATE
    settings = OpenAISTTService.Settings(model="gpt-4o-transcribe")
    stt = OpenAISTTService(api_key="none", base_url=f"{url}/v1", settings=settings)
    heard = await stt._transcribe(audio)  # what it does with the audio of a turn
    print(json.dumps({"seconds": seconds, "errors": errors, "text": heard.text}))


asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_bytes()))
