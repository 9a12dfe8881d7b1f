"""The models that take audio, one file each."""

from tympan.inputs.families.base import Family
from tympan.inputs.families.gemma3n import Gemma3n
from tympan.inputs.families.phi4mm import Phi4Multimodal

FAMILIES: tuple[Family, ...] = (Phi4Multimodal(), Gemma3n())
