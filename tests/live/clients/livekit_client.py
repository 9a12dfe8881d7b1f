"""LiveKit's own plugin against a service: speaks with two models, then transcribes a file. Prints JSON.

Runs in an environment of its own: `livekit_client.py URL WAV`.
"""

import asyncio
import json
import sys
import wave

from livekit import rtc
from livekit.plugins import openai


async def main(url, path):
    seconds = {}
    for model in ("gpt-4o-mini-tts", "tts-1"):
        tts = openai.TTS(model=model, voice="ash", base_url=f"{url}/v1", api_key="none")
        events = [event async for event in tts.synthesize("Hello there, this is a test of the speech.")]
        seconds[model] = sum(event.frame.duration for event in events)
        await tts.aclose()
    with wave.open(path) as file:
        frame = rtc.AudioFrame(file.readframes(file.getnframes()), file.getframerate(), 1, file.getnframes())
    stt = openai.STT(model="gpt-4o-transcribe", base_url=f"{url}/v1", api_key="none", language="en")
    heard = await stt.recognize(frame)
    print(json.dumps({"seconds": seconds, "text": heard.alternatives[0].text}))


asyncio.run(main(*sys.argv[1:]))
