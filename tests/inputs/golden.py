"""Writes golden.npz and golden_tokens.json: what transformers itself gives, for test runs without it.

    python -m tests.inputs.golden      # from the repository root, with transformers 5.24.0, torch and pillow

The arrays are those of transformers on NumPy's seeded noise and on a chirp.
"""

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from tests.inputs.makers import chirp, noise

HERE = Path(__file__).parent
ARRAYS, TOKENS = HERE / "golden.npz", HERE / "golden_tokens.json"

PHI_CLIPS = {"noise": [noise(1600)], "quiet": [noise(1600, 1, 1e-4)], "chirp": [chirp(4000)]}
GEMMA_CLIPS = {**PHI_CLIPS, "batch": [noise(1000, 2), noise(2600, 3), noise(513, 4)]}
SIDES = ("left", "right")

AUDIO, BEGIN, END = "<audio_soft_token>", "<start_of_audio>", "<end_of_audio>"
PROMPTS = [
    f"<bos><start_of_turn>user\nWhat is said?{AUDIO}<end_of_turn>\n<start_of_turn>model\n",
    f"{AUDIO}{AUDIO}",
    f"one\n{AUDIO}\ntwo\n\n{AUDIO}\n\nthree",
    f"\n\n\n{AUDIO}\n\n\n\n{AUDIO}\n",
    f"a {AUDIO} b",
]


def tokenizer():
    """Return a small BPE that, as Gemma's, has a token for each run of newlines."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers  # noqa: PLC0415

    letters = ["\n", *"abcdefghijklmnopqrstuvwxyzW?_. "]
    runs = ["\n" * count for count in range(2, 9)]
    vocabulary = {text: index for index, text in enumerate(["<unk>", *letters, *runs])}
    merges = [("\n" * (count - 1), "\n") for count in range(2, 9)] + [
        ("\n" * a, "\n" * b) for a, b in ((2, 2), (4, 4), (4, 2), (2, 3))
    ]
    made = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Split("never split", "isolated")
    made.decoder = decoders.Fuse()
    special = ["<bos>", "<start_of_turn>", "<end_of_turn>", AUDIO, BEGIN, END, "<image_soft_token>"]
    special += ["<start_of_image>", "<end_of_image>", "<eos>", "<pad>"]
    made.add_special_tokens([AddedToken(text, special=True) for text in special])
    return made


def transformers() -> Any:
    """Return the package, which test runs do without."""
    return importlib.import_module("transformers")


def phi_arrays():
    extractor = transformers().Phi4MultimodalFeatureExtractor()
    for name, clips in PHI_CLIPS.items():
        made = extractor(clips, sampling_rate=16000, return_tensors="np")
        yield f"phi/{name}", made["audio_input_features"]


def gemma_arrays():
    for side in SIDES:
        extractor = transformers().Gemma3nAudioFeatureExtractor(padding_side=side)
        for name, clips in GEMMA_CLIPS.items():
            made = extractor(clips, return_tensors="np")
            yield f"gemma/{side}/{name}", made["input_features"]
            yield f"gemma/{side}/{name}/mask", made["input_features_mask"]


def processor(backend):
    """Return transformers' own processor around a tokenizer; images are none of our business."""
    kit = transformers()
    no_images = type("NoImages", (kit.ImageProcessingMixin,), {"model_input_names": ("pixel_values",)})()
    wrapped = kit.PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token="<bos>",
        eos_token="<eos>",
        pad_token="<pad>",
        unk_token="<unk>",
        extra_special_tokens={
            "image_token": "<image_soft_token>",
            "boi_token": "<start_of_image>",
            "eoi_token": "<end_of_image>",
            "audio_token": AUDIO,
            "boa_token": BEGIN,
            "eoa_token": END,
        },
    )
    return kit.Gemma3nProcessor(kit.Gemma3nAudioFeatureExtractor(), no_images, wrapped)


def token_cases():
    """Yield prompts with the ids that the processor makes of them."""
    backend = tokenizer()
    made = processor(backend)
    for text in PROMPTS:
        clips = [noise(1600)] * text.count(AUDIO)
        yield {"text": text, "ids": made(text=[text], audio=clips, return_tensors="np")["input_ids"][0].tolist()}


def main():
    arrays = dict([*phi_arrays(), *gemma_arrays()])
    np.savez_compressed(ARRAYS, **arrays)
    TOKENS.write_text(json.dumps({"tokenizer": json.loads(tokenizer().to_str()), "cases": list(token_cases())}) + "\n")


if __name__ == "__main__":
    main()
