import json
from typing import Any

import pytest
from tests.inputs.makers import model

from tympan.errors import CheckpointRefused, PolicyRefused
from tympan.inputs.checkpoint import open_checkpoint
from tympan.inputs.families.gemma3n import PINNED as GEMMA
from tympan.inputs.families.phi4mm import PINNED as PHI
from tympan.inputs.policy import LIMITS

MIB = 2**20


def policy(family="gemma3n", processor=None, config=None):
    return model(family, processor, config).policy


def folder(tmp_path, **files):
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(content if isinstance(content, str) else json.dumps(content))
    return tmp_path


def test_pinned_defaults_of_phi():
    got = policy("phi4mm")
    assert got.source == "pinned default 93f923e1a7727d1c4f446756212d9d3e8fcc5d81"
    assert (got.sample_rate, got.channels, got.dtype) == (16000, 1, "float32")
    assert (got.min_source_rate, got.max_source_rate, got.max_seconds, got.max_clips) == (8000, 192_000, 1800, 16)
    assert got.max_samples_per_clip == got.max_normalized_samples_per_request == 28_800_000
    assert got.max_frames_per_clip == got.max_frames_per_request == 179_998
    assert got.max_encoded_bytes_per_clip == got.max_encoded_bytes_per_request == 268_435_456
    assert got.max_source_samples_per_request == 345_600_000
    assert got.max_source_micros_per_request == 1_800_000_000
    assert (got.max_waveform_result_bytes, got.max_waveform_working_bytes) == (128 * MIB, 512 * MIB)
    assert got.max_prepared_result_bytes == 256 * MIB


def test_pinned_defaults_of_gemma():
    got = policy("gemma3n")
    assert got.source == "pinned default 181beb3ba4c47098ed8cbc97ee250d1d45ae0107"
    assert (got.min_source_rate, got.max_source_rate, got.max_seconds, got.max_clips) == (1, 192_000, 30, 16)
    assert got.max_samples_per_clip == got.max_normalized_samples_per_request == 480_000
    assert got.max_frames_per_clip == got.max_frames_per_request == 2_997
    assert got.max_encoded_bytes_per_clip == got.max_encoded_bytes_per_request == 67_108_864
    assert got.max_source_samples_per_request == 5_760_000
    assert got.max_source_micros_per_request == 30_000_000
    assert (got.max_waveform_result_bytes, got.max_waveform_working_bytes) == (2 * MIB, 32 * MIB)
    assert got.max_prepared_result_bytes == 64 * MIB


def test_a_checkpoint_lowers_what_it_names():
    got = policy(
        processor={
            "feature_extractor": {
                "sampling_rate": 16000,
                "max_length": 160_000,
                "frame_length": 513,
                "hop_length": 160,
                "channels": 1,
            },
            "tympan_audio_limits": {"max_encoded_bytes_per_clip": 1024, "max_clips": 2},
        }
    )
    assert (got.max_samples_per_clip, got.max_seconds, got.max_clips) == (160_000, 10, 2)
    assert got.max_encoded_bytes_per_clip == 1024
    assert got.max_frames_per_clip == 997
    assert got.source == "checkpoint"
    assert "processor_config.json: feature_extractor.max_length" in got.from_checkpoint


def test_duration_in_seconds():
    got = policy(config={"sampling_rate": 16000, "max_audio_duration": 5})
    assert (got.max_seconds, got.max_samples_per_clip) == (5, 80_000)
    assert policy(processor={"max_audio_samples": 100}).max_seconds == 1


@pytest.mark.parametrize("group", ["tympan_audio_limits", "mlxcel_audio_limits"])
@pytest.mark.parametrize(("key", "field"), LIMITS.items())
@pytest.mark.parametrize(("family", "pinned"), [("phi4mm", PHI), ("gemma3n", GEMMA)])
def test_every_limit_at_its_value_and_one_past(family, pinned, key, field, group):
    most = getattr(pinned, field)
    least = pinned.min_source_rate if field == "max_source_rate" else 1
    for value in (most, least):
        assert getattr(policy(family, config={group: {key: value}}), field) == value
    for value in (most + 1, least - 1):
        with pytest.raises(PolicyRefused, match=f"config.json: '{group}.{key}' is {value}; expected .* {most}"):
            policy(family, config={group: {key: value}})


@pytest.mark.parametrize("value", [-1, 0, 16000.0, "16000", None, True, [1], {}, 2**70])
@pytest.mark.parametrize(
    "key", ["max_audio_samples", "max_duration_seconds", "sampling_rate", "tympan_audio_limits.max_clips"]
)
def test_wrong_types_and_values_name_file_key_value_and_expectation(key, value):
    place = value
    for part in reversed(key.split(".")):
        place = {part: place}
    with pytest.raises(PolicyRefused) as caught:
        policy(processor=place)
    assert (caught.value.file, caught.value.key) == ("processor_config.json", key)
    assert json.dumps(value)[:20] in str(caught.value)
    assert "expected" in str(caught.value)


ALIASES = {
    "max_samples_per_clip": [
        "audio_processor.max_audio_samples",
        "feature_extractor.max_length",
        "max_audio_samples",
    ],
    "max_seconds": [
        "audio_processor.max_audio_duration",
        "audio_processor.max_duration_seconds",
        "feature_extractor.max_audio_duration",
        "feature_extractor.max_duration_seconds",
        "max_audio_duration",
        "max_duration_seconds",
    ],
}


def nested(values):
    root: dict[str, Any] = {}
    for key, value in values.items():
        place = root
        *groups, last = key.split(".")
        for group in groups:
            place = place.setdefault(group, {})
        place[last] = value
    return root


@pytest.mark.parametrize(("field", "names"), ALIASES.items())
def test_the_first_alias_counts_and_the_processor_before_the_model(field, names):
    for index, name in enumerate(names):
        values = {later: 20 + order for order, later in enumerate(names[index + 1 :])}
        assert getattr(policy(processor=nested({name: 7, **values})), field) == 7
        assert getattr(policy(processor=nested({names[-1]: 7}), config=nested({name: 9})), field) == 7
        assert getattr(policy(config=nested({name: 9})), field) == 9


@pytest.mark.parametrize(
    "name",
    [
        "audio_processor.sampling_rate",
        "audio_processor.sample_rate",
        "feature_extractor.sampling_rate",
        "sampling_rate",
    ],
)
def test_a_first_alias_that_is_wrong_does_not_fall_through(name):
    with pytest.raises(PolicyRefused, match=f"'{name}' is null; expected 16000"):
        policy(processor=nested({name: None}), config={"sampling_rate": 16000})
    with pytest.raises(PolicyRefused, match="24000"):
        policy(processor=nested({name: 24000}))


@pytest.mark.parametrize(
    ("family", "key", "good", "bad"),
    [
        ("phi4mm", "feature_extractor.frame_length", [400], [399, 512, "400"]),
        ("gemma3n", "feature_extractor.frame_length", [512, 513], [400, 511, 514, 512.0]),
        ("gemma3n", "audio_processor.frame_length_samples", [513], [1]),
        ("phi4mm", "audio_processor.frame_hop_samples", [160], [80, 0]),
        ("gemma3n", "feature_extractor.hop_length", [160], [161]),
        ("gemma3n", "audio_processor.channels", [1], [2, True, "1"]),
        ("phi4mm", "feature_extractor.dtype", ["f32", "float32"], ["f16", "bfloat16", 32]),
        ("phi4mm", "tympan_audio_limits.resampling_algorithm", ["scipy_polyphase_integer"], ["linear", 42]),
        ("gemma3n", "mlxcel_audio_limits.resampling_algorithm", ["linear"], ["soxr"]),
        ("phi4mm", "feature_size", [80], [128]),
        ("phi4mm", "audio_compression_rate", [8], [4]),
        ("gemma3n", "feature_extractor.fft_length", [1024], [512]),
        ("gemma3n", "mel_floor", [1e-5], [1e-3]),
        ("gemma3n", "feature_extractor.per_bin_mean", [None], [[0.0]]),
        ("gemma3n", "feature_extractor.padding_side", ["left", "right"], ["both", 1, None]),
        ("gemma3n", "audio_soft_tokens_per_image", [188, 100], [0, -1, "188"]),
        ("gemma3n", "boa_token_id", [0, 256_000], [-1, "x"]),
        ("phi4mm", "audio_config.audio_token_id", [200_011], [1.5]),
    ],
)
def test_frontends_that_are_not_implemented_fail_the_start(family, key, good, bad):
    for value in good:
        model(family, nested({key: value}))
    for value in bad:
        with pytest.raises(PolicyRefused, match=key):
            model(family, nested({key: value}))


def test_unknown_keys_do_not_matter():
    assert policy(processor={"feature_extractor": {"colour": 3}, "x": None}).source.startswith("pinned")


def test_a_folder_is_read(tmp_path):
    here = folder(tmp_path, config={"model_type": "gemma3n"}, preprocessor_config={"max_audio_duration": 4})
    opened = open_checkpoint(here)
    assert (opened.family, opened.policy.max_seconds) == ("gemma3n", 4)
    folder(tmp_path, processor_config={"feature_extractor": {"max_audio_duration": 3}})
    assert open_checkpoint(here).policy.max_seconds == 3


@pytest.mark.parametrize("kind", ["phi4mm", "phi4_multimodal"])
def test_both_names_of_phi(tmp_path, kind):
    assert open_checkpoint(folder(tmp_path, config={"model_type": kind})).family == "phi4mm"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "config.json: No such file"),
        ({"config": "{"}, "no JSON"),
        ({"config": "[]"}, "no object"),
        ({"config": "[" * 100_000}, "no JSON"),
        ({"config": {}}, "'model_type' is None; models that take audio here are gemma3n, phi4_multimodal, phi4mm"),
        ({"config": {"model_type": "llama"}}, "'llama'"),
        ({"config": {"model_type": ["x"]}}, "is \\['x'\\]"),
        ({"config": {"model_type": "gemma3n"}, "processor_config": "nothing"}, "processor_config.json: no JSON"),
    ],
)
def test_a_folder_that_cannot_be_served(tmp_path, files, says):
    with pytest.raises(CheckpointRefused, match=says):
        open_checkpoint(folder(tmp_path, **files))


def test_what_transformers_writes_is_taken(tmp_path):
    """The keys of a real preprocessor_config.json of Gemma 3n."""
    written = {
        "dither": 0.0,
        "feature_extractor_type": "Gemma3nAudioFeatureExtractor",
        "feature_size": 128,
        "fft_length": 1024,
        "fft_overdrive": True,
        "frame_length": 512,
        "hop_length": 160,
        "input_scale_factor": 1.0,
        "max_frequency": 7600.0,
        "mel_floor": 1e-05,
        "min_frequency": 125.0,
        "padding_side": "left",
        "padding_value": 0.0,
        "per_bin_mean": None,
        "per_bin_stddev": None,
        "preemphasis": 0.97,
        "preemphasis_htk_flavor": True,
        "return_attention_mask": True,
        "sampling_rate": 16000,
    }
    opened = open_checkpoint(folder(tmp_path, config={"model_type": "gemma3n"}, preprocessor_config=written))
    assert opened.policy.source == "checkpoint"
    assert getattr(opened.frontend, "side", None) == "left"
